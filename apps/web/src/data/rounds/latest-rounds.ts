/**
 * The latest rounds of each game, in one cache that grows as rounds end. Every part of the app that
 * learns of a round's end reports it here.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { askRounds } from '#src/data/rounds/ask-rounds.ts'
import {
  hasGap,
  LATEST_COUNT,
  type LatestRounds,
  latestRounds,
  type PastRound,
  withAnswer,
  withTold,
} from '#src/data/rounds/past-round.ts'

/** The latest rounds, fetched again only by {@link askForLatest}. */
export function latestRoundsQuery(gameId: number) {
  return queryOptions({
    queryKey: ['rounds', gameId, 'latest'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // Even a late answer only adds rounds.
    structuralSharing: (known, answer) =>
      withAnswer(known as LatestRounds | undefined, answer as LatestRounds),
    queryFn: async ({ signal, client }): Promise<LatestRounds> => {
      const { list } = await askRounds(gameId, { limit: LATEST_COUNT }, signal)
      const answer = latestRounds(list)
      const known = client.getQueryData<LatestRounds>(latestKey(gameId))
      if (known && hasGap(known, answer)) askForLists(client, gameId)
      return answer
    },
  })
}

/** Adds rounds from the stream; all earlier rounds are known already. */
export function takeTold(queries: QueryClient, gameId: number, told: readonly PastRound[]): void {
  const exactly = { queryKey: latestKey(gameId), exact: true }
  const state = queries.getQueryState<LatestRounds>(exactly.queryKey)
  if (!state?.data) {
    askForLatest(queries, gameId)
    return
  }
  queries.setQueryData(exactly.queryKey, withTold(state.data, told))
  // An invalidated query stays invalidated.
  if (state.isInvalidated) void queries.invalidateQueries({ ...exactly, refetchType: 'none' })
}

/** To be called if a round may have ended without a report: fetches the latest rounds again. */
export function askForLatest(queries: QueryClient, gameId: number): void {
  const exactly = { queryKey: latestKey(gameId), exact: true }
  const state = queries.getQueryState(exactly.queryKey)
  if (state?.data !== undefined) void queries.invalidateQueries(exactly)
  // A running first fetch may be too old: it is cancelled.
  else if (state) void queries.resetQueries(exactly)
}

/** Fetches pages, days and candles again if rounds may be missing after them. */
function askForLists(queries: QueryClient, gameId: number): void {
  void queries.invalidateQueries({
    queryKey: ['rounds', gameId],
    predicate: ({ queryKey }) => queryKey[2] !== 'latest',
  })
}

function latestKey(gameId: number) {
  return ['rounds', gameId, 'latest'] as const
}
