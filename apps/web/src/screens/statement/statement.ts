/** The player's movements of money. */
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import type { DayRange } from '@sum28/ui/days.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'
import { type Entry, entryFromWire, MOVEMENTS, type Movement } from '#src/data/statement-entry.ts'

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
