/** The player's own log of changes of his protection. */
import { protectionChanges } from '@sum28/contract/protection-routes.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type ListPage, PAGE_SIZE, pageAfter } from '#src/data/list-page.ts'

export type ProtectionChange = {
  readonly id: number
  /** Milliseconds since 1970, as all instants here. */
  readonly at: number
  readonly what: string
  /** Of a limit: `deposit.day`; null for other changes. */
  readonly limit: string | null
  readonly before: string | null
  readonly after: string | null
  readonly until: number | null
}

/** Newest first, page by page. */
export const changesQuery = infiniteQueryOptions({
  queryKey: ['protection-changes'],
  initialPageParam: 1,
  staleTime: 0,
  getNextPageParam: (last: ListPage<ProtectionChange>) => pageAfter(last),
  queryFn: async ({ pageParam, signal }): Promise<ListPage<ProtectionChange>> => {
    const page = { page: pageParam, limit: PAGE_SIZE }
    const reply = await call(protectionChanges, page, { signal })
    return {
      ...reply,
      list: reply.list.map(({ id, what, createtime, kind, period, before, after, until }) => ({
        id,
        at: createtime * 1_000,
        what,
        limit: kind && period ? `${kind}.${period}` : null,
        before,
        after,
        until: until === null ? null : until * 1_000,
      })),
    }
  },
})
