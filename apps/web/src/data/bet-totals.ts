/** The totals of the player's bets. */
import { orderTotals } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { BET_STATUSES } from '#src/data/bet.ts'
import type { BetFilter } from '#src/data/bet-history.ts'
import { call } from '#src/data/client.ts'

export type BetTotals = {
  readonly count: number
  /** All stakes, pending and refunded ones included. */
  readonly staked: Amount
  readonly pending: Amount
  readonly refunded: Amount
  readonly payout: Amount
  /** Payouts minus the stakes that were settled. */
  readonly result: Amount
}

/** While a bet waits for its draw. */
const POLL_MS = 3_000

/** The totals of exactly those bets that `betHistoryQuery` lists for the same filter. */
export function betTotalsQuery(filter: BetFilter) {
  return queryOptions<BetTotals>({
    queryKey: ['bet-totals', filter],
    // Amounts are bigints, which structural sharing cannot compare.
    structuralSharing: false,
    refetchInterval: (query) => (query.state.data?.pending ? POLL_MS : false),
    queryFn: ({ signal }) => totalsOf(filter, signal),
  })
}

async function totalsOf({ from, to, status }: BetFilter, signal: AbortSignal): Promise<BetTotals> {
  const reply = await call(
    orderTotals,
    { begin_date: from, end_date: to, status: status && BET_STATUSES.indexOf(status) },
    { signal },
  )
  return {
    count: reply.count,
    staked: amountFromWire(reply.quantity),
    pending: amountFromWire(reply.pending),
    refunded: amountFromWire(reply.refunded),
    payout: amountFromWire(reply.payout),
    result: amountFromWire(reply.profit),
  }
}
