/** An update of a room from its stream or a beat: only the parts that may have changed. */
import type { StreamEvents, StreamRound } from '@sum28/contract/stream.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { FeedEntry } from '#src/data/feed.ts'
import { type GameStatus, gameStatusFromWire } from '#src/data/game-status.ts'
import { type RunningRound, runningRoundFromWire } from '#src/data/live/running-round.ts'
import { type PastRound, pastRoundFromWire } from '#src/data/rounds/past-round.ts'

export type Win = {
  readonly issue: string
  readonly gameName: string
  /** Payouts minus stakes of all the player's bets in that round. */
  readonly roundProfit: Amount
}

export type RoomRound = RunningRound & {
  readonly status: GameStatus
  readonly lastDraw: PastRound | null
}

export type RoomMoney = {
  readonly balance: Amount
  /** Staked by this player in this room in this round. */
  readonly bought: Amount
}

export type RoomUpdate = {
  /** The instant at which it was certain, as in {@link RunningRound}. */
  readonly asOf: number
  readonly round?: RoomRound
  readonly money?: RoomMoney
  readonly wins?: readonly Win[]
  /** Entries after the known ones, oldest first. */
  readonly entries?: readonly FeedEntry[]
}

export function roundFromWire(
  round: StreamRound,
  at: { asOf: number; receivedAt: number },
): RoomRound {
  return {
    ...runningRoundFromWire(round.issue, at),
    status: gameStatusFromWire(round.game_status),
    lastDraw: round.last_issue && pastRoundFromWire(round.last_issue),
  }
}

export function moneyFromWire({ money, buy }: StreamEvents['money']): RoomMoney {
  return { balance: amountFromWire(money), bought: amountFromWire(buy) }
}

export function winFromWire(hit: StreamEvents['win'][number]): Win {
  const { issue, game_name, round_profit } = hit
  return { issue, gameName: game_name, roundProfit: amountFromWire(round_profit) }
}
