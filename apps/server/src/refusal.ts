/** What may happen and is answered with a no: returned by use cases, mapped once at the edge. */
import type { Reason } from '@sum28/contract/envelope.ts'

export type Refusal = {
  readonly refused: Reason
  /** Facts for the client and for the text, such as the minimum that was missed. */
  readonly details?: Readonly<Record<string, string | number>>
  /** The text's key, `refusal.<wording>`, where it is another than the reason. */
  readonly wording?: string
  /** invalid_input: keys of `fault.*` texts by field. */
  readonly faults?: Readonly<Record<string, string>>
}

export function refuse(reason: Reason, details?: Record<string, string | number>): Refusal {
  return details ? { refused: reason, details } : { refused: reason }
}

/** Malformed input: the fields and the key of what is wrong with each. */
export function malformed(faults: Record<string, string>): Refusal {
  return { refused: 'invalid_input', faults }
}

export function isRefusal(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'refused' in result
}
