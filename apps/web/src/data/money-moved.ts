import type { QueryClient } from '@tanstack/react-query'
import { profileQuery } from '#src/data/profile.ts'
import { withdrawalQuery } from '#src/data/withdrawal.ts'

/** First parts of the keys of all that tells of the player's money. */
const TELL_OF_MONEY = [
  profileQuery.queryKey,
  withdrawalQuery.queryKey,
  ['bets'],
  ['bet-totals'],
  ['statement'],
] as const

/**
 * To be called when the player's money has moved, or a bet of his has changed: what tells of it and
 * is shown is asked for anew, and what is not, as soon as it is shown.
 */
export function moneyMoved(queries: QueryClient): void {
  for (const queryKey of TELL_OF_MONEY) void queries.invalidateQueries({ queryKey })
}
