/**
 * Reads what a request carries by the schema of its call: the rules that hold for every field of
 * every call, so that no field has to say them.
 *
 * - A field that is null or an empty text is absent, and with it what a form left empty.
 * - A text or a list that is longer than any field may be is refused before a schema looks at it,
 *   so that reading costs no more than the longest request that is taken.
 * - Fields that the schema does not name are passed over, unread.
 */
import * as z from 'zod/mini'

/** The longest text that any field may be sent as, in UTF-16 units; what a field takes is less. */
export const FIELD_CHARS_MAX = 1_000

/** The longest list that any field may be sent as. */
export const FIELD_ITEMS_MAX = 100

/** What a schema of a request is: fields by name. */
export type RequestSchema = z.ZodMiniObject

/** The input, or the key of what is wrong with each field (`fault.<key>` in the catalogs). */
export type FieldsRead<Schema extends z.core.$ZodType> =
  | { readonly ok: true; readonly input: z.output<Schema> }
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> }

/** Reads a body or query; what is no object carries no field. */
export function readFields<Schema extends RequestSchema>(
  schema: Schema,
  carried: unknown,
): FieldsRead<Schema> {
  const fields: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  if (typeof carried === 'object' && carried !== null && !Array.isArray(carried)) {
    for (const name of Object.keys(schema.def.shape)) {
      if (!Object.hasOwn(carried, name)) continue
      const value = (carried as Record<string, unknown>)[name]
      if (value === null || value === '') continue
      if (isTooLong(value)) faults[name] = 'too_long'
      else fields[name] = value
    }
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults }

  const parsed = z.safeParse(schema, fields)
  if (parsed.success) return { ok: true, input: parsed.data }
  for (const { path, message } of parsed.error.issues) faults[String(path[0] ?? 'body')] ??= message
  return { ok: false, faults }
}

function isTooLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > FIELD_CHARS_MAX
  if (!Array.isArray(value)) return false
  return (
    value.length > FIELD_ITEMS_MAX ||
    value.some((each) => typeof each === 'string' && each.length > FIELD_CHARS_MAX)
  )
}
