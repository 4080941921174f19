/** One movement of the player's money. */
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'

/** By their number on the wire. */
export const MOVEMENTS = ['recharge', 'withdrawal', 'purchase', 'profit', 'bonus'] as const

export type Movement = (typeof MOVEMENTS)[number]

/** By their number on the wire. */
const STATES = ['waiting', 'passed', 'rejected'] as const

/** The mark of a stake that came back because its round was voided; the same in every language. */
const REFUND_MARK = 'refund'

export type Entry = {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly postedAt: number
  /** `refund`: a stake that came back, which the wire has among the purchases. */
  readonly kind: Movement | 'refund' | 'other'
  readonly state: (typeof STATES)[number]
  /** The server's note, in the player's language; empty where it says no more than the kind. */
  readonly mark: string
  /** What came in, or, negative, went out. */
  readonly amount: Amount
  readonly balanceAfter: Amount
}

export function entryFromWire(row: LedgerRow): Entry {
  const refund = row.mark === REFUND_MARK
  return {
    id: row.id,
    postedAt: row.createtime * 1_000,
    kind: refund ? 'refund' : (MOVEMENTS[row.type] ?? 'other'),
    state: STATES[row.status] ?? 'waiting',
    mark: refund ? '' : row.mark.trim(),
    amount: amountFromWire(row.quantity),
    balanceAfter: amountFromWire(row.over),
  }
}
