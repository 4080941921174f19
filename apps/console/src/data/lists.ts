/** How the calls of the contract become lists of react-admin. */
import type { Route } from '@sum28/contract/route.ts'
import type { GetListResult, Identifier, RaRecord } from 'react-admin'
import { call } from '#src/data/call.ts'
import { keysetPages } from '#src/data/keyset-pages.ts'

export type ListAsk = {
  /** The resource that is listed. */
  resource: string
  filter: Record<string, unknown>
  sort: string
  order: 'asc' | 'desc'
  /** From 1. */
  page: number
  limit: number
  signal: AbortSignal | undefined
}

export type AskList = (ask: ListAsk) => Promise<GetListResult>

type Row = Record<string, unknown>

type Rows = {
  /** What identifies a row; its field `id` unless told. */
  idOf?: (row: never) => Identifier
  /** Fields of every request besides those of the filter. */
  always?: Row
}

const pages = keysetPages()

/** A list whose call takes `sort`, `order`, `after` and `limit` and answers with `next`: see `staff-list.ts`. */
export function keysetList(route: Route, rows: Rows = {}): AskList {
  return async ({ resource, filter, sort, order, page, limit, signal }) => {
    const asked = { ...filter, ...rows.always, sort, order, limit }
    const name = JSON.stringify([resource, asked])
    const { list, next } = await pages.get(name, page, async (after) => {
      const reply = await call(route, { ...asked, after } as never, { ...(signal && { signal }) })
      return reply as { list: Row[]; next: string | null }
    })
    return {
      data: list.map((row) => recordOf(row, rows)),
      pageInfo: { hasNextPage: next !== null, hasPreviousPage: page > 1 },
      // How many there are is known on the last page alone.
      ...(next === null && { total: (page - 1) * limit + list.length }),
    }
  }
}

/** A short list that is answered whole, such as that of the members of staff. */
export function wholeList(
  route: Route,
  rows: Rows & { pick?: (reply: never) => readonly Row[] } = {},
): AskList {
  return async ({ filter, signal }) => {
    const asked = { ...filter, ...rows.always }
    const reply = await call(route, asked as never, { ...(signal && { signal }) })
    const list = rows.pick ? rows.pick(reply as never) : (reply as Row[])
    return { data: list.map((row) => recordOf(row, rows)), total: list.length }
  }
}

function recordOf(row: Row, { idOf }: Rows): RaRecord {
  return { ...row, id: idOf ? idOf(row as never) : (row.id as Identifier) }
}
