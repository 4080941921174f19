/** Expected negative results: returned by use cases, converted once at the edge. */
import type { Reason } from '@sum28/contract/envelope.ts'

export type Refusal = {
  readonly refused: Reason
  /** Facts for the client and for the text, such as the minimum. */
  readonly details?: Readonly<Record<string, string | number>>
  /** The text's key, `refusal.<wording>`, if it differs from the reason. */
  readonly wording?: string
  /** invalid_input: keys of `fault.*` texts by field. */
  readonly faults?: Readonly<Record<string, string>>
}

export function refuse(reason: Reason, details?: Record<string, string | number>): Refusal {
  return details ? { refused: reason, details } : { refused: reason }
}

/** Malformed input: the fields and for each the key of what is wrong. */
export function malformed(faults: Record<string, string>): Refusal {
  return { refused: 'invalid_input', faults }
}

export function isRefusal(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'refused' in result
}
