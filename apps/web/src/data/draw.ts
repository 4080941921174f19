/** The draw of one round. */
import type { IssueResult } from '@sum28/contract/replies.ts'
import type { Digits } from '@sum28/ui/draw-digits.ts'

export type Draw = {
  readonly issue: string
  /** Null for a round that was voided. */
  readonly digits: Digits | null
  /** Long or short, then odd or even; empty for a voided round. */
  readonly labels: readonly string[]
  readonly voided: boolean
}

export function drawFromWire(result: IssueResult): Draw {
  const { issue, site_1, site_2, site_3, base, status } = result
  const drawn = site_1 !== null && site_2 !== null && site_3 !== null
  return {
    issue,
    digits: drawn ? [site_1, site_2, site_3] : null,
    labels: base ?? [],
    voided: status === 'voided',
  }
}
