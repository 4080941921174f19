/** What is told of a room, by its stream or by a beat: each part where there is something to tell. */
import type { StreamEvents, StreamRound } from '@sum28/contract/stream.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { RemainingSample } from '@sum28/ui/countdown.ts'
import { type Draw, drawFromWire } from '#src/data/draw.ts'
import type { FeedEntry } from '#src/data/feed.ts'
import { type GameStatus, gameStatusFromWire } from '#src/data/game-status.ts'

export type Win = {
  readonly issue: string
  readonly gameName: string
  /** Payouts minus stakes of all the player's bets in that round. */
  readonly roundProfit: Amount
}

export type RoomRound = {
  readonly status: GameStatus
  /** Empty when no round runs. */
  readonly issue: string
  readonly sealed: boolean
  readonly clock: RemainingSample
  readonly lastDraw: Draw | null
}

export type RoomMoney = {
  readonly balance: Amount
  /** Staked by this player in this room in this round. */
  readonly bought: Amount
}

export type News = {
  /**
   * The instant of `performance.now()` from which it is surely true: when it was asked for, or, of
   * what comes unasked, when it came.
   */
  readonly asOf: number
  readonly round?: RoomRound
  readonly money?: RoomMoney
  readonly wins?: readonly Win[]
  /** Behind those that were heard before, oldest first. */
  readonly entries?: readonly FeedEntry[]
}

export function roundFromWire(round: StreamRound, receivedAt: number): RoomRound {
  const { issue, openTime1, whether_close } = round.issue
  return {
    status: gameStatusFromWire(round.game_status),
    issue,
    sealed: whether_close,
    clock: { of: issue, seconds: openTime1, sampledAt: receivedAt },
    lastDraw: round.last_issue && drawFromWire(round.last_issue),
  }
}

export function moneyFromWire({ money, buy }: StreamEvents['money']): RoomMoney {
  return { balance: amountFromWire(money), bought: amountFromWire(buy) }
}

export function winFromWire(hit: StreamEvents['win'][number]): Win {
  const { issue, game_name, round_profit } = hit
  return { issue, gameName: game_name, roundProfit: amountFromWire(round_profit) }
}
