/**
 * Reads the fields of a request by the schema of its call. These rules hold for every field of
 * every call, so schemas do not repeat them.
 *
 * - A field that is null or an empty text is absent. So is a form field that was left empty.
 * - A text or list longer than any field may be is refused before the schema reads it, so that
 *   reading never costs more than the longest valid request.
 * - Fields that the schema does not name are ignored, unread.
 */
import * as z from 'zod/mini'

/** The longest text in any field, in UTF-16 units; each field allows less. */
export const FIELD_CHARS_MAX = 1_000

/** The longest list in any field. */
export const FIELD_ITEMS_MAX = 100

/** The schema of a request: fields by name. */
export type RequestSchema = z.ZodMiniObject

/** The input, or the fault of each field (`fault.<key>` in the catalogs). */
export type FieldsRead<Schema extends z.core.$ZodType> =
  | { readonly ok: true; readonly input: z.output<Schema> }
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> }

/**
 * Reads a body or query; anything but an object has no fields.
 *
 * @param longText the field whose text may be longer, up to so many UTF-16 units
 */
export function readFields<Schema extends RequestSchema>(
  schema: Schema,
  carried: unknown,
  longText?: { readonly field: string; readonly max: number },
): FieldsRead<Schema> {
  const fields: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  if (typeof carried === 'object' && carried !== null && !Array.isArray(carried)) {
    for (const name of Object.keys(schema.def.shape)) {
      if (!Object.hasOwn(carried, name)) continue
      const value = (carried as Record<string, unknown>)[name]
      if (value === null || value === '') continue
      const max = name === longText?.field ? longText.max : FIELD_CHARS_MAX
      if (isTooLong(value, max)) faults[name] = 'too_long'
      else fields[name] = value
    }
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults }

  const parsed = z.safeParse(schema, fields)
  if (parsed.success) return { ok: true, input: parsed.data }
  for (const { path, message } of parsed.error.issues) faults[String(path[0] ?? 'body')] ??= message
  return { ok: false, faults }
}

function isTooLong(value: unknown, charsMax: number): boolean {
  if (typeof value === 'string') return value.length > charsMax
  if (!Array.isArray(value)) return false
  return (
    value.length > FIELD_ITEMS_MAX ||
    value.some((each) => typeof each === 'string' && each.length > FIELD_CHARS_MAX)
  )
}
