/** An entry of a room's feed: a bet of any player. */
import type { FeedMessage } from '@sum28/contract/replies.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'

export type FeedEntry = {
  readonly id: number
  readonly playerId: number
  readonly nickname: string
  readonly roundId: string
  /** Outcome words, in the order of the bet. */
  readonly outcomes: readonly string[]
  readonly ruleIds: readonly RuleId[]
  /** On each selection. */
  readonly stake: Amount
  readonly total: Amount
  /** Whether a robot of the operator placed it. */
  readonly robot: boolean
}

export function feedEntryFromWire(message: FeedMessage): FeedEntry {
  return {
    id: message.id,
    playerId: message.user_id,
    nickname: message.nickname,
    roundId: message.issue,
    outcomes: message.play_method.split(',').map((word) => word.trim()),
    ruleIds: ruleIdsFromWire(message.play_type),
    stake: amountFromWire(message.quantity),
    total: amountFromWire(message.total),
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
