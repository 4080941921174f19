/** Lists of records, which react-admin shows and the console's search looks through, by calls of the contract. */
import { isList } from '@sum28/contract/staff-list.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import type { GetListParams, GetListResult, Identifier, RaRecord } from 'react-admin'
import { call } from '#src/data/call.ts'
import { keysetPages } from '#src/data/keyset-pages.ts'

type Row = Record<string, unknown>

type Page = { list: Row[]; next: string | null }

/** A result of the console's search. */
export type SearchHit = {
  /** An address within the console. */
  readonly to: string
  readonly title: string
  readonly details: string
}

type ListSearch = {
  /** What is shown of a row that a text has found; it leads to the row's page, unless `to` says where. */
  readonly show: (row: never, text: string) => Omit<SearchHit, 'to'> & { readonly to?: string }
  /** Whether only a number finds a row. */
  readonly byNumber?: boolean
  /** Whether the rows that the whole text names stand first, however new the others are. */
  readonly wholeFirst?: boolean
}

export type Listed = {
  /** The name of the resource. */
  readonly name: string
  /** Replies with a page, see `staff-list.ts`; or with the whole of a short list, such as the members of staff. */
  readonly route: StaffRoute
  /** Returns the id of a row; its field `id` by default. */
  readonly idOf?: (row: never) => Identifier
  /** Fields of every request, and of that for the file, in addition to the filter. */
  readonly always?: Row
  /** Called while the user types, so the call must be fast. */
  readonly search?: ListSearch
}

const pages = keysetPages()

export async function loadList(
  { name, route, idOf, always }: Listed,
  { filter, sort, pagination, signal }: GetListParams & { signal?: AbortSignal | undefined },
): Promise<GetListResult> {
  const options = { ...(signal && { signal }) }
  if (!isList(route)) {
    const data = (await call(route as StaffRoute, filter, options)) as RaRecord[]
    return { data, total: data.length }
  }
  const { page = 1, perPage: limit = 25 } = pagination ?? {}
  const order = sort?.order === 'ASC' ? 'asc' : 'desc'
  const fields = { ...filter, ...always, sort: sort?.field ?? 'id', order, limit }
  const { list, next } = await pages(JSON.stringify([name, fields]), page, async (after) => {
    const reply = await call(route, { ...fields, after } as never, options)
    return reply as Page
  })
  return {
    data: list.map((row) => ({ ...row, id: idIn(row, idOf) })),
    pageInfo: { hasNextPage: next !== null, hasPreviousPage: page > 1 },
    // The total is known only on the last page.
    ...(next === null && { total: (page - 1) * limit + list.length }),
  }
}

function idIn(row: Row, idOf: Listed['idOf']): Identifier {
  return idOf ? idOf(row as never) : (row.id as Identifier)
}

/** The most that the console's search shows of one list. */
export const FOUND_MAX = 10

/** What a text finds in a list that has a search: one row more than is shown, which tells that there are. */
export async function findRows(
  { name, route, idOf, search }: Listed,
  text: string,
  signal: AbortSignal,
): Promise<readonly SearchHit[]> {
  if (!search || (search.byNumber && !/^\d+$/.test(text))) return []
  const find = async (further: Row): Promise<Row[]> => {
    const request = { q: text, limit: FOUND_MAX + 1, ...further }
    const { list } = (await call(route, request as never, { signal })) as Page
    return list
  }
  const { show, wholeFirst } = search
  const [first, all] = await Promise.all([wholeFirst ? find({ match: 'whole' }) : [], find({})])
  const others = all.filter((row) => first.every(({ id }) => id !== row.id))
  return [...first, ...others].map((row) => ({
    to: `/${name}/${idIn(row, idOf)}/show`,
    ...show(row as never, text),
  }))
}
