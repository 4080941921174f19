import { formatAmount } from '@sum28/domain/money.ts'
import { formatOdds } from '@sum28/domain/odds.ts'
import type { AuditDetails } from '#src/modules/staff/audit.ts'
import type { ChangeRow } from './change-store.ts'

/** What the log stores of a change: the differences, each as `before → after`. */
export function changeFacts(change: ChangeRow): AuditDetails {
  const limits = [
    ['stake_min', change.stakeMinBefore, change.stakeMin],
    ['stake_max', change.stakeMaxBefore, change.stakeMax],
    ['entry_min', change.entryMinBefore, change.entryMin],
  ] as const
  return {
    change: Number(change.id),
    note: change.note,
    ...Object.fromEntries(
      limits
        .filter(([, before, after]) => before !== after)
        .map(([name, before, after]) => [name, `${formatAmount(before)} → ${formatAmount(after)}`]),
    ),
    ...Object.fromEntries(
      change.odds.map(({ outcome, before, after }) => [
        `odds ${outcome}`,
        `${formatOdds(before)} → ${formatOdds(after)}`,
      ]),
    ),
  }
}
