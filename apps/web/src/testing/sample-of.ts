/** Makes values that a schema takes, from the schema alone. */
import * as z from 'zod/mini'

/** Texts that are tried in turn where a schema asks for a form: the first that it takes is used. */
const TEXTS = ['', '0.00', '00', '2026-01-01', 'text']

const NUMBERS = [0, 1]

/**
 * The least value that a schema takes: no items, no optional fields, null where it may be, the first
 * of several kinds. Throws where no such value is known, which names what is missing here.
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
      return firstTaken(schema, NUMBERS)
    case 'string':
      return firstTaken(schema, TEXTS)
    default:
      throw new Error(`no sample of the type '${def.type}' is known`)
  }
}

function firstTaken(schema: z.core.$ZodType, values: readonly unknown[]): unknown {
  const taken = values.find((value) => z.safeParse(schema, value).success)
  if (taken === undefined) throw new Error(`none of ${JSON.stringify(values)} fits a schema`)
  return taken
}
