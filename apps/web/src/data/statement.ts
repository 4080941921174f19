/** The player's movements of money. */
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { DayRange } from '@sum28/ui/days.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'

type StatementFilter = DayRange & {
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

/** By their number on the wire. */
export const MOVEMENTS = ['deposit', 'withdrawal', 'purchase', 'profit', 'bonus'] as const

type Movement = (typeof MOVEMENTS)[number]

/** By their number on the wire. */
const STATES = ['waiting', 'passed', 'rejected'] as const

/** The mark of a stake that was returned because its round was voided; the same in every language. */
const REFUND_MARK = 'refund'

export type Entry = {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly postedAt: number
  /**
   * `refund`: a returned stake, which is a purchase on the wire. `returned`: the money of a rejected
   * withdrawal, which is a withdrawal on the wire.
   */
  readonly kind: Movement | 'refund' | 'returned' | 'other'
  readonly state: (typeof STATES)[number]
  /** The server's note, in the player's language; empty if it adds nothing to the kind. */
  readonly mark: string
  /** Negative for money that went out. */
  readonly amount: Amount
  readonly balanceAfter: Amount
}

export function entryFromWire(row: LedgerRow): Entry {
  const kind = kindOf(row)
  return {
    id: row.id,
    postedAt: row.createtime * 1_000,
    kind,
    state: STATES[row.status] ?? 'waiting',
    mark: kind === 'refund' ? '' : row.mark.trim(),
    amount: amountFromWire(row.quantity),
    balanceAfter: amountFromWire(row.over),
  }
}

function kindOf(row: LedgerRow): Entry['kind'] {
  if (row.mark === REFUND_MARK) return 'refund'
  const movement = MOVEMENTS[row.type]
  if (movement === 'withdrawal' && amountFromWire(row.quantity) > 0n) return 'returned'
  return movement ?? 'other'
}
