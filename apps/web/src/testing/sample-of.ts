/** Makes values that a schema accepts, only from the schema. */
import * as z from 'zod/mini'

/** Texts for schemas with a format: the first one that the schema accepts is used. */
const TEXTS = ['', '0.00', '00', '2026-01-01', 'text']

const NUMBERS = [0, 1]

/**
 * The smallest value that a schema accepts: no items, no optional fields, null if allowed, the first
 * member of a union. Throws if there is no known value; the error names the missing kind of schema.
 */
export function sampleOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .filter(([, field]) => field._zod.optin !== 'optional')
          .map(([name, field]) => [name, sampleOf(field)]),
      )
    case 'nullable':
    case 'null':
      return null
    case 'array':
      return []
    case 'record':
      return {}
    case 'tuple':
      return def.items.map(sampleOf)
    case 'union':
      return sampleOf(def.options[0] as z.core.$ZodType)
    case 'enum':
      return Object.values(def.entries)[0]
    case 'boolean':
      return false
    case 'number':
      return firstAccepted(schema, NUMBERS)
    case 'string':
      return firstAccepted(schema, TEXTS)
    default:
      throw new Error(`no sample of the type '${def.type}' is known`)
  }
}

function firstAccepted(schema: z.core.$ZodType, values: readonly unknown[]): unknown {
  const taken = values.find((value) => z.safeParse(schema, value).success)
  if (taken === undefined) throw new Error(`none of ${JSON.stringify(values)} fits a schema`)
  return taken
}
