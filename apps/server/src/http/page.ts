/** Paging on the wire: pages from 1, 50 rows by default, 100 at most. */

import type { ReplyExtras } from './call.ts'

const PAGE_LIMIT_DEFAULT = 50
const PAGE_LIMIT_MAX = 100

/** The most rows of a list without `page`. */
const UNPAGED_MAX = 480

export type Paging = { page: number | null; limit: number; offset: number }

export function pagingOf(query: { page?: number | undefined; limit?: number | undefined }): Paging {
  if (query.page === undefined) {
    return { page: null, limit: Math.min(query.limit ?? UNPAGED_MAX, UNPAGED_MAX), offset: 0 }
  }
  const limit = Math.min(query.limit ?? PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX)
  return { page: query.page, limit, offset: (query.page - 1) * limit }
}

/** A list on the wire: one page of it, or without `page` its newest rows, whose reply says if there are more. */
export function listReply<Item>(
  list: Item[],
  total: number,
  { page, extras }: Pick<Paging, 'page'> & { extras?: ReplyExtras },
) {
  if (page !== null) return { list, total, page }
  if (total > list.length) extras?.countAll(total)
  return list
}
