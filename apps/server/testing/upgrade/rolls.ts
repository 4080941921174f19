/** The table of an upgrade test: the effect of each step on players. */
import type { Line } from '../cluster/report.ts'
import type { LockWaits } from './lock-waits.ts'

export type Roll = Line & {
  requests: number
  /** Not answered, or with an answer that says nothing about the request. */
  failed: number
  waits: ReturnType<LockWaits['longest']>
}

/** As Markdown. */
export function tableOfRolls(rolls: readonly Roll[]): string {
  const head = [
    ...[
      'step',
      'requests',
      'failed',
      'orders accepted',
      'lost',
      'twice',
      'untrue replies',
      'draws late',
    ],
    ...['voided', 'longest wait for a table, ms', 'for a row, ms'],
  ]
  const rows = rolls.map((roll) => [
    ...[roll.name, roll.requests, roll.failed, roll.orders, roll.lost, roll.twice, roll.untrue],
    ...[roll.late, roll.voided],
    ...[roll.waits.table, roll.waits.row].map((wait) => (wait?.ms ?? 0).toFixed(0)),
  ])
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
