/** Lists that are filtered, and paged by keyset. */
import type { ReplyOf, Route } from '@sum28/contract/route.ts'
import type { Queryable } from '#src/db/database.ts'
import {
  type KeyColumn,
  type KeyedRow,
  type Keyset,
  type KeysetRequest,
  keyset,
} from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import { type Wire, wireOf } from '#src/wire-form.ts'

/** The place of a page, and the filters of a list. */
export type Ask<Filters = unknown> = KeysetRequest & {
  [Name in keyof Filters]?: Filters[Name] | undefined
}

/** A row of the contract's list. */
export type ItemOf<R extends Route> = ReplyOf<R> extends { list: (infer Item)[] } ? Item : never

export type ListPage<Row> = { list: Row[]; next: string | null }

/** What rows are read from. */
export type Source = {
  readonly columns: string
  /** The tables, whose values are `$1` and so on. */
  readonly from: string | ((key: Keyset) => string)
  readonly values?: readonly unknown[]
  /** By default the id alone. */
  readonly sorts?: Readonly<Record<string, KeyColumn>>
  readonly id: KeyColumn
  /** The order of a request that names none: `desc` by default. */
  readonly usual?: 'asc' | 'desc'
}

/** Conditions by their text, in which `?` is the value. A condition whose value is undefined or null is left out. */
export type Conditions = Readonly<Record<string, unknown>>

/** One page; or invalid_input if the cursor does not belong to this list. */
export async function pageOf<Row extends object>(
  db: Queryable,
  { columns, from, values: sourceValues = [], id, sorts = { id }, usual = 'desc' }: Source,
  ask: KeysetRequest,
  conditions: Conditions = {},
): Promise<ListPage<Row> | Refusal> {
  const values = [...sourceValues]
  const where = Object.entries(conditions).flatMap(([condition, value]) => {
    if (value === undefined || value === null) return []
    if (condition.includes('?')) values.push(value)
    return condition.replaceAll('?', `$${values.length}`)
  })
  const key = keyset(ask, { sorts, id, firstValue: values.length + 1, usual })
  if (isRefusal(key)) return key
  const tables = typeof from === 'string' ? from : from(key)
  const rows = await db.query<Row & KeyedRow>(
    `select ${columns}, ${key.columns} from ${tables}
     where ${[...where, key.where].join(' and ')} ${key.tail}`,
    [...values, ...key.values],
  )
  const { list, next } = key.page(rows)
  return {
    list: list.map(({ keyValue: _value, keyId: _id, ...row }) => row as unknown as Row),
    next,
  }
}

/** The row of this id, if there is one. */
export async function oneOf<Row extends object>(
  db: Queryable,
  { columns, from, id }: Source & { from: string },
  value: number | bigint,
): Promise<Row | undefined> {
  const [row] = await db.query<Row>(`select ${columns} from ${from} where ${id.sql} = $1`, [value])
  return row
}

/** A page with its rows in wire form. */
export function wirePage<Row extends object, Item = Wire<Row>>(
  page: ListPage<Row> | Refusal,
  itemOf: (row: Row) => Item = wireOf as (row: Row) => Item,
): ListPage<Item> | Refusal {
  return isRefusal(page) ? page : { list: page.list.map(itemOf), next: page.next }
}
