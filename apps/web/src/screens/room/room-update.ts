/** An update of a room from its stream or a beat: only the parts that may have changed. */
import type { FeedMessage } from '@sum28/contract/replies.ts'
import type { StreamEvents, StreamRound } from '@sum28/contract/stream.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import type { Versioned } from '#src/data/live/later.ts'
import { gameStatusFromWire, runningRoundFromWire } from '#src/data/live/running-round.ts'
import { type Money, moneyFromWire } from '#src/data/money.ts'
import { pastRoundFromWire } from '#src/data/rounds/past-round.ts'

export type FeedEntry = ReturnType<typeof feedEntryFromWire>

/** An entry of the feed: a bet of any player. */
export function feedEntryFromWire(message: FeedMessage) {
  return {
    id: message.id,
    playerId: message.user_id,
    nickname: message.nickname,
    roundId: message.issue,
    /** Outcome words, in the order of the bet. */
    outcomes: message.play_method.split(',').map((word) => word.trim()),
    ruleIds: ruleIdsFromWire(message.play_type),
    /** On each selection. */
    stake: amountFromWire(message.quantity),
    total: amountFromWire(message.total),
    /** Whether a robot of the operator placed it. */
    robot: message.robot,
  }
}

/** Reads `"[1,413]"`. Throws on anything else. */
function ruleIdsFromWire(playType: string): RuleId[] {
  const ids: unknown = JSON.parse(playType)
  if (!Array.isArray(ids) || !ids.every(Number.isInteger)) {
    throw new Error(`'${playType}' is no list of rules`)
  }
  return ids
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

export type RoomRound = ReturnType<typeof roundFromWire>

export function roundFromWire(round: StreamRound, receivedAt: number) {
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

export type Win = ReturnType<typeof winFromWire>

export function winFromWire(hit: StreamEvents['win'][number]) {
  return {
    roundId: hit.issue,
    /** Payouts minus stakes of all the player's bets in that round. */
    roundProfit: amountFromWire(hit.round_profit),
  }
}
