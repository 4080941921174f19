/** A bet of the player, as the bet history shows it. */
import type { BetRecord } from '@sum28/contract/replies.ts'
import type { Digits } from '@sum28/domain/digits.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { digitsOfCode } from '#src/data/games.ts'

/** By their number on the wire. `settled` is won or lost. */
export const BET_STATUSES = ['pending', 'settled', 'refunded'] as const

export type BetStatus = (typeof BET_STATUSES)[number]

export type Bet = {
  readonly orderNo: string
  /** Milliseconds since 1970. */
  readonly placedAt: number
  readonly game: string
  /** The operator's name of the room. */
  readonly room: string
  readonly roundId: string
  readonly result: 'pending' | 'won' | 'lost' | 'refunded'
  /** In all. */
  readonly staked: Amount
  /** Payout minus stakes; 0 while pending, and when refunded. */
  readonly profit: Amount
  readonly digits: Digits | null
  /** Outcome words, in the order of the bet. */
  readonly outcomes: readonly string[]
  /** Whether a witness saw its round's book in time; null before the draw. */
  readonly witnessed: boolean | null
}

/** The order number in an address parameter (a record as JSON), or null. */
export function orderNoOfItem(item: string | undefined): string | null {
  try {
    const record: unknown = JSON.parse(item ?? '')
    const orderNo = (record as { orderNo?: unknown } | null)?.orderNo
    return typeof orderNo === 'string' && /^[\w-]{1,64}$/.test(orderNo) ? orderNo : null
  } catch {
    return null
  }
}

export function betFromWire(record: BetRecord): Bet {
  const status = BET_STATUSES[record.status] ?? 'pending'
  return {
    orderNo: record.orderNo,
    placedAt: record.createtime * 1_000,
    game: record.name,
    room: record.plan_name,
    roundId: record.issue,
    result: status === 'settled' ? (record.whether_hit === 1 ? 'won' : 'lost') : status,
    staked: amountFromWire(record.quantity),
    profit: amountFromWire(record.profit),
    digits: digitsOfCode(record.lottery_code),
    outcomes: record.play_method.split(',').map((word) => word.trim()),
    witnessed: record.witnessed,
  }
}

/**
 * Whether a bet as a whole was won. A bet that hit a selection but paid no more than its stakes is
 * not shown as a win (UK Gambling Commission, RTS 14F).
 */
export function verdictOf({ result, profit }: Pick<Bet, 'result' | 'profit'>): Bet['result'] {
  return result === 'won' && profit <= 0n ? 'lost' : result
}

export function isPending({ result }: Bet): boolean {
  return result === 'pending'
}
