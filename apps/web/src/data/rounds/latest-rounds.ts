/**
 * The latest rounds of each game, in one cache that grows as rounds end. Every part of the app that
 * receives a round's end reports it here.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { fetchRounds } from '#src/data/rounds/fetch-rounds.ts'
import {
  hasGap,
  LATEST_COUNT,
  type LatestRounds,
  latestRounds,
  type PastRound,
  withAnswer,
  withStreamed,
} from '#src/data/rounds/past-round.ts'

/** The latest rounds, fetched again only by {@link refetchLatest}. */
export function latestRoundsQuery(gameId: number) {
  return queryOptions({
    queryKey: ['rounds', gameId, 'latest'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // Even a late answer only adds rounds.
    structuralSharing: (known, answer) =>
      withAnswer(known as LatestRounds | undefined, answer as LatestRounds),
    queryFn: async ({ signal, client }): Promise<LatestRounds> => {
      const { list } = await fetchRounds(gameId, { limit: LATEST_COUNT }, signal)
      const answer = latestRounds(list)
      const latest = client.getQueryData<LatestRounds>(latestKey(gameId))
      if (latest && hasGap(latest, answer)) refetchLists(client, gameId)
      return answer
    },
  })
}

/** Adds rounds from the stream; all earlier rounds are known already. */
export function addStreamedRounds(
  queries: QueryClient,
  gameId: number,
  received: readonly PastRound[],
): void {
  const exactly = { queryKey: latestKey(gameId), exact: true }
  const state = queries.getQueryState<LatestRounds>(exactly.queryKey)
  if (!state?.data) {
    refetchLatest(queries, gameId)
    return
  }
  queries.setQueryData(exactly.queryKey, withStreamed(state.data, received))
  // An invalidated query stays invalidated.
  if (state.isInvalidated) void queries.invalidateQueries({ ...exactly, refetchType: 'none' })
}

/** Fetches the latest rounds again, if a round may have ended without a report. */
export function refetchLatest(queries: QueryClient, gameId: number): void {
  const exactly = { queryKey: latestKey(gameId), exact: true }
  const state = queries.getQueryState(exactly.queryKey)
  if (state?.data !== undefined) void queries.invalidateQueries(exactly)
  // A running first fetch may be too old: it is cancelled.
  else if (state) void queries.resetQueries(exactly)
}

/** Fetches pages, days and candles again, since rounds may be missing after them. */
function refetchLists(queries: QueryClient, gameId: number): void {
  void queries.invalidateQueries({
    queryKey: ['rounds', gameId],
    predicate: ({ queryKey }) => queryKey[2] !== 'latest',
  })
}

function latestKey(gameId: number) {
  return ['rounds', gameId, 'latest'] as const
}
