/** The player's own bets. */
import { orderList } from '@sum28/contract/user-routes.ts'
import { addDays, type Day } from '@sum28/domain/schedule.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { BET_STATUSES, type Bet, type BetStatus, betFromWire, isPending } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'
import { DAYS_MAX, type DayRange } from '#src/data/day-span.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'
import { queryClient } from '#src/data/query-client.ts'

export type BetFilter = DayRange & {
  /** Undefined: all. */
  readonly status: BetStatus | undefined
}

/** While a shown bet waits for its draw. */
const POLL_MS = 3_000

/** The most that one page of the server holds. */
const SEARCH_PAGE_SIZE = 100

/** The player's bets of some days, newest first, page by page. */
export function betHistoryQuery(filter: BetFilter) {
  return infiniteQueryOptions({
    queryKey: ['bets', filter],
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<Bet>) => pageAfter(last),
    refetchInterval: (query) =>
      query.state.data?.pages.some(({ list }) => list.some(isPending)) ? POLL_MS : false,
    queryFn: ({ pageParam, signal }) =>
      betPage(filter, { page: pageParam, limit: PAGE_SIZE }, signal),
  })
}

/** One bet by its order number, or null where the player has none with it in the last year. */
export function betQuery(orderNo: string, today: Day) {
  return queryOptions<Bet | null>({
    queryKey: ['bet', orderNo],
    refetchInterval: (query) => (query.state.data && isPending(query.state.data) ? POLL_MS : false),
    // What the list has shown stands at once, and is asked anew.
    placeholderData: () => listedBet(orderNo),
    queryFn: ({ signal }) => findBet(orderNo, today, signal),
  })
}

// Until the server answers for one order, the bet is looked for in the list.
async function findBet(orderNo: string, today: Day, signal: AbortSignal): Promise<Bet | null> {
  const filter = { from: addDays(today, 1 - DAYS_MAX), to: today, status: undefined }
  for (let page = 1; ; page++) {
    const { list, total } = await betPage(filter, { page, limit: SEARCH_PAGE_SIZE }, signal)
    const found = list.find((bet) => bet.orderNo === orderNo)
    if (found) return found
    if (list.length === 0 || page * SEARCH_PAGE_SIZE >= total) return null
  }
}

async function betPage(
  { from, to, status }: BetFilter,
  paging: { page: number; limit: number },
  signal: AbortSignal,
): Promise<ListPage<Bet>> {
  const reply = await call(
    orderList,
    {
      begin_date: from,
      end_date: to,
      status: status && BET_STATUSES.indexOf(status),
      ...paging,
    },
    { signal },
  )
  const page = pageOfReply(reply)
  return { ...page, list: page.list.map(betFromWire) }
}

function listedBet(orderNo: string): Bet | undefined {
  const lists = queryClient.getQueriesData<{ pages: ListPage<Bet>[] }>({ queryKey: ['bets'] })
  return lists
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ list }) => list)
    .find((bet) => bet.orderNo === orderNo)
}
