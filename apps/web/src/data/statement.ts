/** The player's movements of money. */
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { quantityLogList } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import type { DayRange } from '#src/data/day-span.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'

/** By their number on the wire. */
export const MOVEMENTS = ['recharge', 'withdrawal', 'purchase', 'profit', 'bonus'] as const

export type Movement = (typeof MOVEMENTS)[number]

/** By their number on the wire. */
const STATES = ['waiting', 'passed', 'rejected'] as const

/** The mark of a stake that came back because its round was voided; the same in every language. */
const REFUND_MARK = 'refund'

export type Entry = {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly postedAt: number
  /** `refund`: a stake that came back, which the wire has among the purchases. */
  readonly kind: Movement | 'refund' | 'other'
  readonly state: (typeof STATES)[number]
  /** The server's note, in the player's language; empty where it says no more than the kind. */
  readonly mark: string
  /** What came in, or, negative, went out. */
  readonly amount: Amount
  readonly balanceAfter: Amount
}

export type StatementFilter = DayRange & {
  /** Undefined: all. */
  readonly movement: Movement | undefined
}

/** The player's movements of some days, newest first, page by page. */
export function statementQuery(filter: StatementFilter) {
  const { from, to, movement } = filter
  return infiniteQueryOptions({
    queryKey: ['statement', filter],
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<Entry>) => pageAfter(last),
    queryFn: async ({ pageParam, signal }): Promise<ListPage<Entry>> => {
      const reply = await call(
        quantityLogList,
        {
          begin_date: from,
          end_date: to,
          type: movement && MOVEMENTS.indexOf(movement),
          page: pageParam,
          limit: PAGE_SIZE,
        },
        { signal },
      )
      const page = pageOfReply(reply)
      return { ...page, list: page.list.map(entryFromWire) }
    },
  })
}

export function entryFromWire(row: LedgerRow): Entry {
  const refund = row.mark === REFUND_MARK
  return {
    id: row.id,
    postedAt: row.createtime * 1_000,
    kind: refund ? 'refund' : (MOVEMENTS[row.type] ?? 'other'),
    state: STATES[row.status] ?? 'waiting',
    mark: refund ? '' : row.mark.trim(),
    amount: amountFromWire(row.quantity),
    balanceAfter: amountFromWire(row.over),
  }
}
