import type { BetRecord } from '@sum28/contract/replies.ts'
import { orderList, orderTotals, userInfo } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { daysAgo } from '#src/data/game-day.ts'
import { digitsOfCode } from '#src/data/games.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'
import type { DayRange } from '#src/i18n/days.ts'

/** By their number on the wire. `settled` is won or lost. */
export const BET_STATUSES = ['pending', 'settled', 'refunded'] as const

export type BetStatus = (typeof BET_STATUSES)[number]

/** The order number in an address parameter (a record as JSON), or null. */
export function orderNoOfItem(item: string | undefined): string | null {
  try {
    const record: unknown = JSON.parse(item ?? '')
    const orderNo = (record as { orderNo?: unknown } | null)?.orderNo
    return typeof orderNo === 'string' && /^[\w-]{1,64}$/.test(orderNo) ? orderNo : null
  } catch {
    return null
  }
}

export type Bet = ReturnType<typeof betFromWire>

export function betFromWire(record: BetRecord) {
  return {
    orderNo: record.orderNo,
    /** Milliseconds since 1970. */
    placedAt: record.createtime * 1_000,
    gameId: record.game_id,
    game: record.name,
    /** The operator's name of the room. */
    room: record.plan_name,
    roundId: record.issue,
    result: resultOf(record),
    /** In all. */
    staked: amountFromWire(record.quantity),
    /** Payout minus stakes; 0 while pending, and when refunded. */
    profit: amountFromWire(record.profit),
    digits: digitsOfCode(record.lottery_code),
    /** Outcome words, in the order of the bet. */
    outcomes: record.play_method.split(',').map((word) => word.trim()),
    /** Whether a witness saw its round's book in time; null before the draw. */
    witnessed: record.witnessed,
  }
}

function resultOf(record: BetRecord): 'pending' | 'won' | 'lost' | 'refunded' {
  const status = BET_STATUSES[record.status] ?? 'pending'
  if (status !== 'settled') return status
  return record.whether_hit === 1 ? 'won' : 'lost'
}

/**
 * Whether a bet as a whole was won. A bet that hit a selection but paid no more than its stakes is
 * not shown as a win (UK Gambling Commission, RTS 14F).
 */
export function verdictOf({ result, profit }: Pick<Bet, 'result' | 'profit'>): Bet['result'] {
  return result === 'won' && profit <= 0n ? 'lost' : result
}

export function isPending({ result }: Bet): boolean {
  return result === 'pending'
}

type BetFilter = DayRange & {
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

/**
 * The funds that count for an entry limit: cash and unsettled stakes. Rejects as `call` does. The stakes are
 * read first, so that a stake settled between the two calls is counted twice rather than not at all.
 */
export async function fetchEntryFunds(signal?: AbortSignal): Promise<Amount> {
  // A running round may have begun the day before.
  const days = { begin_date: daysAgo(1) }
  const options = signal && { signal }
  const { pending } = await call(
    orderTotals,
    { ...days, status: BET_STATUSES.indexOf('pending') },
    options,
  )
  const { money } = await call(userInfo, {}, options)
  return amountFromWire(pending) + amountFromWire(money)
}
