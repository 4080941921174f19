import { home } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const REFETCH_MS = 60_000

export type Banner = ReplyOf<typeof home>['banner'][number]

export const homeQuery = queryOptions({
  queryKey: ['home'],
  refetchInterval: REFETCH_MS,
  queryFn: ({ signal }) => call(home, {}, { signal }),
})

export type Winner = ReplyOf<typeof home>['winners'][number]

/** The winners that are shown: an entry whose nickname has Chinese characters is hidden. */
export function shownWinners(winners: readonly Winner[]): Winner[] {
  return winners.filter(({ nickname }) => !/\p{Script=Han}/u.test(nickname))
}
