import { cand } from '@sum28/contract/lottery-routes.ts'
import { sumOfDigits } from '@sum28/domain/digits.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { type Trend, type TrendRound, type TrendRow, trendOf } from '@sum28/domain/trends.ts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '#src/data/client.ts'
import { itemsOf, type ListPage, PAGE_SIZE, pageAfter } from '#src/data/list-page.ts'
import { type ChartRound, chartRoundFromWire, chartRounds } from '#src/data/rounds/candles.ts'
import { fetchRounds, latestRoundsQuery } from '#src/data/rounds/latest-rounds.ts'
import { LATEST_COUNT, type PastRound, withLatest } from '#src/data/rounds/past-round.ts'

/** A game's past rounds of all days or of one, newest first, page by page. */
export function usePastRounds({ gameId, day }: { gameId: number; day: Day | null }) {
  const latest = useQuery(latestRoundsQuery(gameId)).data
  return useInfiniteQuery({
    ...roundPagesQuery({ gameId, day }),
    select: useCallback(
      ({ pages }: InfiniteData<ListPage<PastRound>>) =>
        withLatest(
          itemsOf(pages, ({ roundId }) => roundId),
          latest,
          day,
        ),
      [latest, day],
    ),
  })
}

/** A table of a game day has no more rounds than these, its newest ones. */
export const DAY_ROUNDS_MAX = 480

export function useDayTrend({ gameId, day }: { gameId: number; day: Day }) {
  const latest = useQuery(latestRoundsQuery(gameId)).data
  return useQuery({
    ...dayRoundsQuery({ gameId, day }),
    select: useCallback(
      (rounds: readonly PastRound[]) =>
        trendOfRounds(withLatest(rounds, latest, day).slice(0, DAY_ROUNDS_MAX)),
      [latest, day],
    ),
  })
}

/** The rounds of a game's chart, oldest first, page by page from the latest back. */
export function useChartRounds(gameId: number) {
  const latest = useQuery(latestRoundsQuery(gameId)).data
  return useInfiniteQuery({
    ...candlesQuery(gameId),
    select: useCallback(
      ({ pages }: InfiniteData<readonly ChartRound[]>) => chartRounds(pages, latest),
      [latest],
    ),
  })
}

/** Rounds to choose from, newest first: those of a game day, or the latest if it is null. */
export function useRoundChoice({ gameId, day }: { gameId: number; day: Day | null }) {
  const ofDay = useQuery({
    ...dayRoundsQuery({ gameId, day: day ?? '' }),
    enabled: day !== null,
    staleTime: 5_000,
  })
  const latest = useQuery({ ...latestRoundsQuery(gameId), enabled: day === null, staleTime: 5_000 })
  const { isError, error, errorUpdateCount } = day === null ? latest : ofDay
  return {
    isError,
    errorUpdateCount,
    error,
    data: day === null ? latest.data?.rounds.slice(0, LATEST_COUNT) : ofDay.data,
    refetch: () => (day === null ? latest : ofDay).refetch(),
  }
}

function roundPagesQuery({ gameId, day }: { gameId: number; day: Day | null }) {
  return infiniteQueryOptions({
    queryKey: ['rounds', gameId, 'pages', day],
    staleTime: 30_000,
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<PastRound>) => pageAfter(last),
    queryFn: ({ pageParam, signal }) =>
      fetchRounds(gameId, { page: pageParam, limit: PAGE_SIZE, ...(day && { date: day }) }, signal),
  })
}

/** A game day's newest rounds, {@link DAY_ROUNDS_MAX} at most. */
export function dayRoundsQuery({ gameId, day }: { gameId: number; day: Day }) {
  return queryOptions({
    queryKey: ['rounds', gameId, 'day', day],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<readonly PastRound[]> =>
      (await fetchRounds(gameId, { date: day, limit: DAY_ROUNDS_MAX }, signal)).list,
  })
}

function candlesQuery(gameId: number) {
  return infiniteQueryOptions({
    queryKey: ['rounds', gameId, 'candles'],
    staleTime: 60_000,
    initialPageParam: null as string | null,
    getNextPageParam: (last: readonly ChartRound[]) => last[0]?.roundId ?? undefined,
    queryFn: async ({ pageParam, signal }): Promise<readonly ChartRound[]> => {
      const request = { game_id: gameId, ...(pageParam && { before: pageParam }) }
      return (await call(cand, request, { signal })).map(chartRoundFromWire)
    },
  })
}

/** The table of some rounds; a voided one has no sum. */
export function trendOfRounds(rounds: readonly PastRound[]): Trend {
  return trendOf(rounds.map(trendRound))
}

function trendRound({ roundId, digits, witnessed }: PastRound): TrendRound {
  return { roundId, sum: digits && sumOfDigits(digits), witnessed }
}

/**
 * The rows in blocks, newest first; the browser lays out only visible blocks. Blocks are counted
 * from the oldest row, so that a new row changes only the first block.
 */
export function rowBlocks(
  rows: readonly TrendRow[],
  size: number,
): readonly (readonly TrendRow[])[] {
  const blocks: TrendRow[][] = []
  for (let at = 0; at < rows.length; at += size) {
    blocks.push(rows.slice(at, at + size).reverse())
  }
  return blocks.reverse()
}
