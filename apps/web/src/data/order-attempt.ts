import { type Amount, amountFromWire, formatAmount } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import { tabStorage } from '@sum28/ui/storage.ts'

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

const NAME = 'sum28-unanswered-order'

/** Keeps a player's order that got no answer, also when the page is loaded again; null forgets it. */
export function keepUnanswered(userId: string, attempt: Attempt | null): void {
  if (!attempt) {
    tabStorage().removeItem(NAME)
    return
  }
  const stake = formatAmount(attempt.order.stake)
  const kept = { ...attempt, userId, order: { ...attempt.order, stake } }
  try {
    tabStorage().setItem(NAME, JSON.stringify(kept))
  } catch {
    // There is no room on the device: then it is known only until the page is loaded again.
  }
}

/** The order of a player that got no answer, or null. */
export function keptUnanswered(userId: string | undefined): Attempt | null {
  try {
    const kept = JSON.parse(tabStorage().getItem(NAME) ?? 'null')
    if (kept === null || kept.userId !== userId || typeof kept.key !== 'string') return null
    const { key, order } = kept
    return { key, order: { ...order, stake: amountFromWire(order.stake) } }
  } catch {
    return null
  }
}
