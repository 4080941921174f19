/**
 * The latest rounds of each game: one cache, which grows as rounds end. Whoever hears of the end of a
 * round tells it here, and what screens show follows.
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

/** The latest rounds. They are asked for again only where {@link askForLatest} says so. */
export function latestRoundsQuery(gameId: number) {
  return queryOptions({
    queryKey: ['rounds', gameId, 'latest'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // An answer adds to what is known, however late it comes.
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

/** Takes rounds that the stream told; every round that ended before them was told or answered. */
export function takeTold(queries: QueryClient, gameId: number, told: readonly PastRound[]): void {
  const exactly = { queryKey: latestKey(gameId), exact: true }
  const state = queries.getQueryState<LatestRounds>(exactly.queryKey)
  if (!state?.data) {
    askForLatest(queries, gameId)
    return
  }
  queries.setQueryData(exactly.queryKey, withTold(state.data, told))
  // What had to be asked for again still has to be.
  if (state.isInvalidated) void queries.invalidateQueries({ ...exactly, refetchType: 'none' })
}

/** To be called where a round may have ended untold: who shows the latest rounds asks again. */
export function askForLatest(queries: QueryClient, gameId: number): void {
  const exactly = { queryKey: latestKey(gameId), exact: true }
  const state = queries.getQueryState(exactly.queryKey)
  if (state?.data !== undefined) void queries.invalidateQueries(exactly)
  // The first answer, under way, may be from before: it is given up.
  else if (state) void queries.resetQueries(exactly)
}

/** Pages, days and candles that the latest rounds no longer touch are asked for again. */
function askForLists(queries: QueryClient, gameId: number): void {
  void queries.invalidateQueries({
    queryKey: ['rounds', gameId],
    predicate: ({ queryKey }) => queryKey[2] !== 'latest',
  })
}

function latestKey(gameId: number) {
  return ['rounds', gameId, 'latest'] as const
}
