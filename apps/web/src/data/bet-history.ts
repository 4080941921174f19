/** The player's own bets. */
import type { BetRecord } from '@sum28/contract/replies.ts'
import { orderList } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { addDays, type Day } from '@sum28/domain/schedule.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { DAYS_MAX, type DayRange } from '#src/data/day-span.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'
import { queryClient } from '#src/data/query-client.ts'
import { type Digits, digitsOfCode } from '#src/ui/draw-digits.ts'

/** By their number on the wire. `settled` is won or lost. */
export const BET_STATUSES = ['pending', 'settled', 'refunded'] as const

export type BetStatus = (typeof BET_STATUSES)[number]

export type Bet = {
  readonly orderNo: string
  /** Milliseconds since 1970. */
  readonly placedAt: number
  readonly game: string
  /** The operator's name of the room. */
  readonly room: string
  readonly issue: string
  readonly result: 'pending' | 'won' | 'lost' | 'refunded'
  /** In all. */
  readonly staked: Amount
  /** Payout minus stakes; 0 while pending, and when refunded. */
  readonly profit: Amount
  readonly digits: Digits | null
  /** Outcome words, in the order of the bet. */
  readonly outcomes: readonly string[]
}

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

/** The order number in what an address carries (a whole record as JSON), or null. */
export function orderNoOfItem(item: string | undefined): string | null {
  try {
    const record: unknown = JSON.parse(item ?? '')
    const orderNo = (record as { orderNo?: unknown } | null)?.orderNo
    return typeof orderNo === 'string' && /^[\w-]{1,64}$/.test(orderNo) ? orderNo : null
  } catch {
    return null
  }
}

export function betFromWire(record: BetRecord): Bet {
  const status = BET_STATUSES[record.status] ?? 'pending'
  return {
    orderNo: record.orderNo,
    placedAt: record.createtime * 1_000,
    game: record.name,
    room: record.plan_name,
    issue: record.issue,
    result: status === 'settled' ? (record.whether_hit === 1 ? 'won' : 'lost') : status,
    staked: amountFromWire(record.quantity),
    profit: amountFromWire(record.profit),
    digits: digitsOfCode(record.lottery_code),
    outcomes: record.play_method.split(',').map((word) => word.trim()),
  }
}

function isPending({ result }: Bet): boolean {
  return result === 'pending'
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
