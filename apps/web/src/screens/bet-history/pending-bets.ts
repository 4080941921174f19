/** Keeps the pending bets of a list up to date. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Bet, isPending } from '#src/data/bet.ts'
import { type BetFilter, betHistoryQuery, betPage } from '#src/data/bet-history.ts'
import { type ListPage, PAGE_SIZE } from '#src/data/list-page.ts'

/** While a listed bet waits for its draw. */
const POLL_MS = 3_000

type Pages = readonly ListPage<Bet>[]

/** The numbers of the pages on which a bet waits for its draw. */
export function pendingPages(pages: Pages): number[] {
  return pages.filter(({ list }) => list.some(isPending)).map(({ page }) => page)
}

/**
 * The pages, of which some are replaced by fresh ones. Null if a fresh page has other bets than before
 * (a new bet, or one that left the list): then all pages must be fetched again.
 */
export function withRefreshed(pages: Pages, fresh: Pages): ListPage<Bet>[] | null {
  const freshByNumber = new Map(fresh.map((page) => [page.page, page]))
  const same = pages.every(
    (page) => orderNos(freshByNumber.get(page.page) ?? page) === orderNos(page),
  )
  return same ? pages.map((page) => freshByNumber.get(page.page) ?? page) : null
}

/**
 * Fetches every three seconds the pages of a list that have a pending bet, usually only the first,
 * and puts them into the list. The first time is three seconds after such a bet was listed.
 */
export function pendingBetsQuery(queries: QueryClient, filter: BetFilter) {
  const { queryKey } = betHistoryQuery(filter)
  return queryOptions({
    queryKey: ['pending-bets', filter],
    refetchInterval: POLL_MS,
    initialData: null,
    // The list was fetched just now, or is fetched by its own query: only the interval fetches here.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData(queryKey)
      const pending = before ? pendingPages(before.pages) : []
      const fresh = await Promise.all(
        pending.map((page) => betPage(filter, { page, limit: PAGE_SIZE }, signal)),
      )
      const now = queries.getQueryData(queryKey)
      if (!now || now !== before) return null
      const pages = withRefreshed(now.pages, fresh)
      if (pages) queries.setQueryData(queryKey, { ...now, pages })
      else void queries.invalidateQueries({ queryKey, exact: true })
      return null
    },
  })
}

function orderNos({ list }: ListPage<Bet>): string {
  return list.map(({ orderNo }) => orderNo).join()
}
