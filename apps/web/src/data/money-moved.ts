import type { QueryClient } from '@tanstack/react-query'
import { depositQuery } from '#src/data/deposit.ts'
import { profileQuery } from '#src/data/profile.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { withdrawalQuery } from '#src/data/withdrawal.ts'

/** The first parts of the query keys that show the player's money. */
const TELL_OF_MONEY = [
  profileQuery.queryKey,
  withdrawalQuery.queryKey,
  depositQuery.queryKey,
  protectionQuery.queryKey,
  ['bets'],
  ['bet-totals'],
  ['statement'],
] as const

/**
 * To be called when the player's money or one of his bets has changed: fetches the shown queries
 * about it again, and the others when they are next shown.
 */
export function moneyMoved(queries: QueryClient): void {
  for (const queryKey of TELL_OF_MONEY) void queries.invalidateQueries({ queryKey })
}
