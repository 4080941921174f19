/** Loads lists of react-admin by calls of the contract. */
import type { Route } from '@sum28/contract/route.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import type { GetListResult, Identifier, RaRecord } from 'react-admin'
import { call } from '#src/data/call.ts'
import { keysetPages } from '#src/data/keyset-pages.ts'

export type ListRequest = {
  /** The name of the resource. */
  resource: string
  filter: Record<string, unknown>
  sort: string
  order: 'asc' | 'desc'
  /** From 1. */
  page: number
  limit: number
  signal: AbortSignal | undefined
}

export type LoadList = ((request: ListRequest) => Promise<GetListResult>) & {
  /** The call of a list by keyset, of which there is a file. */
  readonly route?: StaffRoute
  /** Fields of every request, and of that for the file, in addition to the filter. */
  readonly always?: Row | undefined
}

type Row = Record<string, unknown>

type Rows = {
  /** Returns the id of a row; its field `id` by default. */
  idOf?: (row: never) => Identifier
  always?: Row
}

const pages = keysetPages()

/** A list whose call takes `sort`, `order`, `after` and `limit` and answers with `next`: see `staff-list.ts`. */
export function keysetList(route: StaffRoute, rows: Rows = {}): LoadList {
  const load: LoadList = async ({ resource, filter, sort, order, page, limit, signal }) => {
    const fields = { ...filter, ...rows.always, sort, order, limit }
    const name = JSON.stringify([resource, fields])
    const { list, next } = await pages.get(name, page, async (after) => {
      const reply = await call(route, { ...fields, after } as never, { ...(signal && { signal }) })
      return reply as { list: Row[]; next: string | null }
    })
    return {
      data: list.map((row) => recordOf(row, rows)),
      pageInfo: { hasNextPage: next !== null, hasPreviousPage: page > 1 },
      // The total is known only on the last page.
      ...(next === null && { total: (page - 1) * limit + list.length }),
    }
  }
  return Object.assign(load, { route, always: rows.always })
}

/** A short list that one reply contains, such as the members of staff. */
export function wholeList(route: Route): LoadList {
  return async ({ filter, signal }) => {
    const reply = await call(route, filter as never, { ...(signal && { signal }) })
    const data = reply as RaRecord[]
    return { data, total: data.length }
  }
}

/** The most that the console's search shows of one kind. */
export const FOUND_MAX = 10

/** The rows that a text finds in a list, for the console's search: one more than it shows, which tells that there are. */
export async function searchIn<Item>(
  route: Route,
  q: string,
  signal: AbortSignal,
  further: Row = {},
): Promise<readonly Item[]> {
  const reply = await call(route, { q, limit: FOUND_MAX + 1, ...further } as never, { signal })
  return (reply as { list: Item[] }).list
}

function recordOf(row: Row, { idOf }: Rows): RaRecord {
  return { ...row, id: idOf ? idOf(row as never) : (row.id as Identifier) }
}
