import type { QueryClient } from '@tanstack/react-query'
import { depositQuery } from '#src/data/deposit.ts'
import { profileQuery } from '#src/data/profile.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { withdrawalQuery } from '#src/data/withdrawal.ts'

/** The first parts of the query keys that show the player's money. */
const MONEY_QUERIES = [
  profileQuery.queryKey,
  withdrawalQuery.queryKey,
  depositQuery.queryKey,
  protectionQuery.queryKey,
  ['bets'],
  ['bet-totals'],
  ['statement'],
] as const

/**
 * Invalidates the queries about the player's money, after it or one of his bets has changed: those
 * that are shown are fetched again now, and the others when they are next shown.
 */
export function invalidateMoney(queries: QueryClient): void {
  for (const queryKey of MONEY_QUERIES) void queries.invalidateQueries({ queryKey })
}
