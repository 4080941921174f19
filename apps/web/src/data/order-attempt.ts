import { newIdempotencyKey } from '@sum28/contract/client.ts'
import type { Amount } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'

export type Order = {
  readonly gameId: number
  readonly roomId: number
  readonly issue: string
  readonly ruleIds: readonly RuleId[]
  /** On each selection. */
  readonly stake: Amount
  /** The feed entry that is followed, or null. */
  readonly followedId: number | null
  /** Of the odds that the player was shown. */
  readonly rulesVersion?: number | undefined
}

/** One action of the player: the order, and its idempotency key, the same in all its tries. */
export type Attempt = { readonly order: Order; readonly key: string }

/**
 * The attempt for an order. If the attempt before got no answer and was for the same order, its key
 * is used again, so that the player is charged only once.
 */
export function attemptFor(
  order: Order,
  unanswered: Attempt | null,
  newKey = newIdempotencyKey,
): Attempt {
  if (unanswered && sameOrder(unanswered.order, order)) return unanswered
  return { order, key: newKey() }
}

function sameOrder(one: Order, other: Order): boolean {
  return (
    one.gameId === other.gameId &&
    one.roomId === other.roomId &&
    one.issue === other.issue &&
    one.stake === other.stake &&
    one.followedId === other.followedId &&
    one.ruleIds.length === other.ruleIds.length &&
    one.ruleIds.every((ruleId, at) => ruleId === other.ruleIds[at])
  )
}
