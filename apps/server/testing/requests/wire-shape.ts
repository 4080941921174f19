/** The shapes of replies, described in words by hand, and whether a value has its shape. */

const FORMS = {
  int: (value: unknown) => Number.isSafeInteger(value),
  unix: (value: unknown) => Number.isSafeInteger(value) && Number(value) > 1_600_000_000,
  text: (value: unknown) => typeof value === 'string',
  bool: (value: unknown) => typeof value === 'boolean',
  number: (value: unknown) => typeof value === 'number',
  money: (value: unknown) => /^-?\d+\.(\d\d|\d{2,5}[1-9])$/.test(String(value)),
  issue: (value: unknown) => /^\d{8}\d{3,}$/.test(String(value)),
  nothing: (value: unknown) => value === null,
  list: (value: unknown) => Array.isArray(value),
  any: () => true,
}
type FormName = keyof typeof FORMS

/**
 * A form (with a question mark where it may be null), the name of a shape, a list of what is in
 * brackets, or fields.
 */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape }

type ShapeRules = {
  /** Shapes by name. */
  named?: Readonly<Record<string, Shape>>
  /** Whether a list may be empty. */
  emptyLists?: boolean
}

/** The parts of a value that differ from the description, each with its path. */
export function shapeFaults(
  value: unknown,
  shape: Shape,
  at: string,
  rules: ShapeRules = {},
): string[] {
  if (typeof shape === 'string') {
    const named = rules.named?.[shape]
    if (named !== undefined) return shapeFaults(value, named, at, rules)
    const form = FORMS[shape.replace('?', '') as FormName]
    if (!form) return [`${shape} is neither a form nor the name of a shape`]
    if (shape.endsWith('?') && value === null) return []
    return form(value) ? [] : [`${at} is ${JSON.stringify(value)}, not ${shape}`]
  }
  if (isList(shape)) {
    if (!Array.isArray(value) || (value.length === 0 && !rules.emptyLists))
      return [`${at} is no list with something in it`]
    return value.flatMap((each, place) => shapeFaults(each, shape[0], `${at}[${place}]`, rules))
  }
  if (value === null || typeof value !== 'object') return [`${at} is ${JSON.stringify(value)}`]
  return Object.entries(shape).flatMap(([field, inner]) =>
    shapeFaults((value as Record<string, unknown>)[field], inner, `${at}.${field}`, rules),
  )
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}
