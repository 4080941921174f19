/**
 * The latest rounds of each game, in one cache that grows as rounds end. Every part of the app that
 * receives a round's end reports it here.
 */
import { issueList } from '@sum28/contract/lottery-routes.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type ListPage, pageOfReply } from '#src/data/list-page.ts'
import {
  hasGap,
  LATEST_COUNT,
  type LatestRounds,
  latestRounds,
  type PastRound,
  pastRoundFromWire,
  withAnswer,
  withStreamed,
} from '#src/data/rounds/past-round.ts'
import { latestKey, refetchLatest, refetchLists } from '#src/data/rounds/refetch-rounds.ts'

type PageFields = { limit?: number; page?: number; date?: Day }

/** Fetches past rounds of a game once, newest first. Rejects as `call` does. */
export async function fetchRounds(
  gameId: number,
  pageFields: PageFields,
  signal: AbortSignal,
): Promise<ListPage<PastRound>> {
  const page = pageOfReply(await call(issueList, { game_id: gameId, ...pageFields }, { signal }))
  return { ...page, list: page.list.map(pastRoundFromWire) }
}

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
