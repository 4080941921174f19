import type { IssueResult } from '@sum28/contract/replies.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { unixSeconds } from '#src/wire-form.ts'
import type { Result } from './round-store.ts'

/** A result in wire form; a voided round only shows that it is voided. */
export function issueResult({ issue, status, digits, total, drawnAt }: Result): IssueResult {
  const labels = total === null ? null : labelsOfSum(total)
  return {
    issue,
    site_1: digits?.[0] ?? null,
    site_2: digits?.[1] ?? null,
    site_3: digits?.[2] ?? null,
    code: total,
    base: labels ? [...labels.base] : [],
    join: labels?.join ?? '',
    status,
    drawn_at: unixSeconds(drawnAt),
  }
}

/** Three digits and the sum, separated by spaces: `"1 2 3 6"`; empty if there was no draw. */
export function lotteryCode({ digits, total }: Pick<Result, 'digits' | 'total'>): string {
  return digits ? [...digits, total].join(' ') : ''
}
