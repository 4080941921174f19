/** The player's own bets, and their totals. */
import { orderList, orderTotals } from '@sum28/contract/user-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { BET_STATUSES, type Bet, type BetStatus, betFromWire } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'
import type { DayRange } from '#src/i18n/days.ts'

export type BetFilter = DayRange & {
  /** Undefined: all. */
  readonly status: BetStatus | undefined
}

/** The player's bets of some days, newest first, page by page. */
export function betHistoryQuery(filter: BetFilter) {
  return infiniteQueryOptions({
    queryKey: ['bets', filter],
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<Bet>) => pageAfter(last),
    queryFn: ({ pageParam, signal }) =>
      betPage(filter, { page: pageParam, limit: PAGE_SIZE }, signal),
  })
}

/** One page of them; without a last day, until today. Rejects as `call` does. */
export async function betPage(
  { from, to, status }: Omit<BetFilter, 'to'> & { readonly to?: DayRange['to'] },
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

export type BetTotals = Awaited<ReturnType<typeof totalsOf>>

/** The totals of exactly those bets that `betHistoryQuery` lists for the same filter. */
export function betTotalsQuery(filter: BetFilter) {
  return queryOptions<BetTotals>({
    queryKey: ['bet-totals', filter],
    // Amounts are bigints, which structural sharing cannot compare.
    structuralSharing: false,
    queryFn: ({ signal }) => totalsOf(filter, signal),
  })
}

async function totalsOf({ from, to, status }: BetFilter, signal: AbortSignal) {
  const reply = await call(
    orderTotals,
    { begin_date: from, end_date: to, status: status && BET_STATUSES.indexOf(status) },
    { signal },
  )
  return {
    count: reply.count,
    /** All stakes, pending and refunded ones included. */
    staked: amountFromWire(reply.quantity),
    pending: amountFromWire(reply.pending),
    refunded: amountFromWire(reply.refunded),
    payout: amountFromWire(reply.payout),
    /** Payouts minus the stakes that were settled. */
    result: amountFromWire(reply.profit),
  }
}
