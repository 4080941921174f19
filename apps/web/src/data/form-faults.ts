/** Apart from other failures, which the first screen needs. */
import { Refusal } from '@sum28/contract/client.ts'

/**
 * The message for each field of a form: what a refusal says of a field on the wire, or its own one if its reason is about
 * a field.
 *
 * @param fieldOf the form's field for each reason and each name on the wire; the first that there is counts
 */
export function faultsBy<Field extends string>(
  error: unknown,
  fieldOf: Readonly<Record<string, Field>>,
): { [Name in Field]?: string } {
  if (!(error instanceof Refusal)) return {}
  const said: Record<string, string> = { ...error.data.fields, [error.data.reason]: error.message }
  const faults: { [Name in Field]?: string } = {}
  for (const [name, field] of Object.entries(fieldOf)) if (said[name]) faults[field] ??= said[name]
  return faults
}
