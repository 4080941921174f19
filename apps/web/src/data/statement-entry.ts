/** One movement of the player's money. */
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'

/** By their number on the wire. */
export const MOVEMENTS = ['deposit', 'withdrawal', 'purchase', 'profit', 'bonus'] as const

export type Movement = (typeof MOVEMENTS)[number]

/** By their number on the wire. */
const STATES = ['waiting', 'passed', 'rejected'] as const

/** The mark of a stake that was returned because its round was voided; the same in every language. */
const REFUND_MARK = 'refund'

export type Entry = {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly postedAt: number
  /**
   * `refund`: a returned stake, which is a purchase on the wire. `returned`: the money of a rejected
   * withdrawal, which is a withdrawal on the wire. `partReturn`: a win that pays no more than its bet cost, which is a
   * profit on the wire: nothing to celebrate.
   */
  readonly kind: Movement | 'refund' | 'restored' | 'partReturn' | 'other'
  readonly state: (typeof STATES)[number]
  /** The server's note, in the player's language; empty if it adds nothing to the kind. */
  readonly mark: string
  /** Negative for money that went out. */
  readonly amount: Amount
  readonly balanceAfter: Amount
}

export function entryFromWire(row: LedgerRow): Entry {
  const kind = kindOf(row)
  return {
    id: row.id,
    postedAt: row.createtime * 1_000,
    kind,
    state: STATES[row.status] ?? 'waiting',
    mark: kind === 'refund' || kind === 'partReturn' ? '' : row.mark.trim(),
    amount: amountFromWire(row.quantity),
    balanceAfter: amountFromWire(row.over),
  }
}

function kindOf(row: LedgerRow): Entry['kind'] {
  if (row.mark === REFUND_MARK) return 'refund'
  const movement = MOVEMENTS[row.type]
  if (movement === 'withdrawal' && amountFromWire(row.quantity) > 0n) return 'restored'
  const isPart =
    movement === 'profit' &&
    row.stake !== undefined &&
    amountFromWire(row.quantity) <= amountFromWire(row.stake)
  return isPart ? 'partReturn' : (movement ?? 'other')
}
