/** Which rounds are fetched again. Apart from the rounds themselves, because home needs only this. */
import type { QueryClient } from '@tanstack/react-query'

/** Fetches the latest rounds again, if a round may have ended without a report. */
export function refetchLatest(queries: QueryClient, gameId: number): void {
  const exactly = { queryKey: latestKey(gameId), exact: true }
  const state = queries.getQueryState(exactly.queryKey)
  if (state?.data !== undefined) void queries.invalidateQueries(exactly)
  // A running first fetch may be too old: it is cancelled.
  else if (state) void queries.resetQueries(exactly)
}

/** Fetches pages, days and candles again, since rounds may be missing after them. */
export function refetchLists(queries: QueryClient, gameId: number): void {
  void queries.invalidateQueries({
    queryKey: ['rounds', gameId],
    predicate: ({ queryKey }) => queryKey[2] !== 'latest',
  })
}

export function latestKey(gameId: number) {
  return ['rounds', gameId, 'latest'] as const
}
