/** An update of a room from its stream or a beat: only the parts that may have changed. */
import type { StreamEvents, StreamRound } from '@sum28/contract/stream.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { FeedEntry } from '#src/data/feed.ts'
import type { Versioned } from '#src/data/live/later.ts'
import {
  type GameStatus,
  gameStatusFromWire,
  type RunningRound,
  runningRoundFromWire,
} from '#src/data/live/running-round.ts'
import { type Money, moneyFromWire } from '#src/data/money.ts'
import { type PastRound, pastRoundFromWire } from '#src/data/rounds/past-round.ts'

export type Win = {
  readonly roundId: string
  readonly gameName: string
  /** Payouts minus stakes of all the player's bets in that round. */
  readonly roundProfit: Amount
}

export type RoomRound = RunningRound & {
  readonly status: GameStatus
  readonly lastDraw: PastRound | null
}

/** What the player has staked in this room in a round; the version is that of his money. */
export type Bought = Versioned & { readonly roundId: string; readonly amount: Amount }

export type RoomMoney = Money & { readonly bought: Bought }

export type RoomUpdate = {
  /** The instant of `performance.now()`. */
  readonly receivedAt: number
  readonly round?: RoomRound
  /** With what is staked, if it is said too. */
  readonly money?: Money | RoomMoney
  readonly wins?: readonly Win[]
  /** Entries after the known ones, oldest first. */
  readonly entries?: readonly FeedEntry[]
}

export function roundFromWire(round: StreamRound, receivedAt: number): RoomRound {
  return {
    ...runningRoundFromWire(round.issue, receivedAt),
    status: gameStatusFromWire(round.game_status),
    lastDraw: round.last_issue && pastRoundFromWire(round.last_issue),
  }
}

export function roomMoneyFromWire(reply: StreamEvents['money']): RoomMoney {
  const money = moneyFromWire(reply)
  const { version } = money
  return {
    ...money,
    bought: { version, roundId: reply.buy_issue, amount: amountFromWire(reply.buy) },
  }
}

export function winFromWire(hit: StreamEvents['win'][number]): Win {
  const { issue: roundId, game_name, round_profit } = hit
  return { roundId, gameName: game_name, roundProfit: amountFromWire(round_profit) }
}
