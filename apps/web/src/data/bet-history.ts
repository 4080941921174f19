/** The player's own bets. */
import { orderList } from '@sum28/contract/user-routes.ts'
import type { DayRange } from '@sum28/ui/days.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { BET_STATUSES, type Bet, type BetStatus, betFromWire } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'

export type BetFilter = DayRange & {
  /** Undefined: all. */
  readonly status: BetStatus | undefined
}

/** The player's bets of some days, newest first, page by page; `pending-bets.ts` follows them. */
export function betHistoryQuery(filter: BetFilter) {
  return infiniteQueryOptions({
    queryKey: ['bets', filter],
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<Bet>) => pageAfter(last),
    queryFn: ({ pageParam, signal }) =>
      betPage(filter, { page: pageParam, limit: PAGE_SIZE }, signal),
  })
}

/** One page of them. Rejects as `call` does. */
export async function betPage(
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
