/** Lists that are filtered, and paged by keyset. */
import type { ReplyOf, Route } from '@sum28/contract/route.ts'
import { LIST_LIMIT_MAX } from '@sum28/contract/staff-list.ts'
import { isRefusal, malformed, type Refusal } from '#src/refusal/refusal.ts'
import { type Wire, wireOf } from '#src/wire-form.ts'
import type { Queryable } from './database.ts'

/** The place of a page, and the filters of a list. */
export type Ask<Filters = unknown> = KeysetRequest & {
  [Name in keyof Filters]?: Filters[Name] | undefined
}

export type ItemOf<R extends Route> = ReplyOf<R> extends { list: (infer Item)[] } ? Item : never

export type ListPage<Row> = { list: Row[]; next: string | null }

/** What rows are read from. */
export type Source = {
  readonly columns: string
  /** The tables, whose values are `$1` and so on. */
  readonly from: string | ((key: Keyset) => string)
  readonly values?: readonly unknown[]
  /** The one table that the conditions are about: the page is chosen from it before the others are joined. */
  readonly chosenFrom?: string
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
  {
    columns,
    from,
    values: sourceValues = [],
    chosenFrom,
    id,
    sorts = { id },
    usual = 'desc',
  }: Source,
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
  const ofPage = [...where, key.where].join(' and ')
  const chosen = `${id.sql} = any (array(select ${id.sql} from ${chosenFrom} where ${ofPage} ${key.tail}))`
  const rows = await db.query<Row & KeyedRow>(
    `select ${columns}, ${key.columns} from ${tables} where ${chosenFrom ? chosen : ofPage} ${key.tail}`,
    [...values, ...key.values],
  )
  const { list, next } = key.page(rows)
  return {
    list: list.map(({ keyValue: _value, keyId: _id, ...row }) => row as unknown as Row),
    next,
  }
}

/** The row of this id, if there is one. */
export function oneOf<Row extends object>(
  db: Queryable,
  { columns, from, id, values = [] }: Source & { from: string },
  value: number | bigint,
): Promise<Row | undefined> {
  return db.first<Row>(`select ${columns} from ${from} where ${id.sql} = $${values.length + 1}`, [
    ...values,
    value,
  ])
}

/** A page with its rows in wire form. */
export function wirePage<Row extends object, Item = Wire<Row>>(
  page: ListPage<Row> | Refusal,
  itemOf: (row: Row) => Item = wireOf as (row: Row) => Item,
): ListPage<Item> | Refusal {
  return isRefusal(page) ? page : { list: page.list.map(itemOf), next: page.next }
}

/** How a sort value is written in a cursor and compared. No sort value may be null. */
type KeyType = 'bigint' | 'text' | 'time'

export type KeyColumn = {
  /** The expression, such as `withdrawal.requested_at`. It is part of our code, never of a request. */
  readonly sql: string
  readonly type: KeyType
}

export type KeysetRequest = {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** The cursor of the previous page. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export type Keyset = {
  /** A condition for the following rows; `true` for the first page. */
  readonly where: string
  /** The values of `where`, to append to the statement's own. */
  readonly values: readonly string[]
  /** `order by …`, and a limit of one row more than the page has. */
  readonly tail: string
  /** Two further columns to select, from which the cursor is made. */
  readonly columns: string
  /** Removes the extra row and returns the cursor of the next page. */
  page<Row extends KeyedRow>(rows: readonly Row[]): { list: Row[]; next: string | null }
}

export type KeyedRow = { readonly keyValue: string; readonly keyId: string }

const LIMIT_DEFAULT = 25

const WRITTEN: Record<KeyType, RegExp> = {
  bigint: /^-?\d{1,18}$/,
  // Microseconds since 1970.
  time: /^-?\d{1,17}$/,
  text: /^[^\0]{0,200}$/,
}

/**
 * @param sorts the possible sort orders; the first is the default
 * @param id a unique column, which orders rows with equal values
 * @param firstValue the number of the first of `values` in the statement: `3` if it has two of its own
 * @returns the parts of the statement; or invalid_input if the cursor does not belong to this list
 */
export function keyset(
  ask: KeysetRequest,
  {
    sorts,
    id,
    firstValue,
    usual = 'desc',
  }: {
    sorts: Readonly<Record<string, KeyColumn>>
    id: KeyColumn
    firstValue: number
    usual?: 'asc' | 'desc'
  },
): Keyset | Refusal {
  const [firstName = ''] = Object.keys(sorts)
  const name = ask.sort ?? firstName
  const column = Object.hasOwn(sorts, name) ? sorts[name] : undefined
  if (!column) return malformed({ sort: 'choice' })
  const order = ask.order ?? usual
  const limit = Math.min(ask.limit ?? LIMIT_DEFAULT, LIST_LIMIT_MAX)
  const cursor = ask.after === undefined ? null : readCursor(ask.after)
  if (cursor === 'unreadable') return malformed({ after: 'invalid' })
  if (cursor) {
    const ofThisList = cursor.name === name && cursor.order === order
    const readable = WRITTEN[column.type].test(cursor.value) && WRITTEN[id.type].test(cursor.id)
    if (!ofThisList || !readable) return malformed({ after: 'invalid' })
  }
  const than = order === 'asc' ? '>' : '<'
  return {
    where: cursor
      ? `(${column.sql}, ${id.sql}) ${than} (${parameterOf(column, firstValue)}, ${parameterOf(id, firstValue + 1)})`
      : 'true',
    values: cursor ? [cursor.value, cursor.id] : [],
    tail: `order by ${column.sql} ${order}, ${id.sql} ${order} limit ${limit + 1}`,
    columns: `${textOf(column)} as "keyValue", ${textOf(id)} as "keyId"`,
    page(rows) {
      const list = rows.slice(0, limit)
      const last = list.at(-1)
      const more = rows.length > limit && last !== undefined
      const next = more ? writeCursor({ name, order, value: last.keyValue, id: last.keyId }) : null
      return { list, next }
    },
  }
}

type Cursor = { name: string; order: string; value: string; id: string }

function writeCursor({ name, order, value, id }: Cursor): string {
  return Buffer.from(JSON.stringify([name, order, value, id])).toString('base64url')
}

function readCursor(text: string): Cursor | 'unreadable' {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    const [name, order, value, id] = Array.isArray(parts) ? parts : []
    const all = [name, order, value, id]
    return all.every((part) => typeof part === 'string') && (parts as unknown[]).length === 4
      ? { name, order, value, id }
      : 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/** Exactly as stored: the database's precision is microseconds. */
function textOf({ sql, type }: KeyColumn): string {
  return type === 'time' ? `(extract(epoch from ${sql}) * 1000000)::bigint::text` : `(${sql})::text`
}

function parameterOf({ type }: KeyColumn, number: number): string {
  if (type === 'time') {
    return `(timestamptz 'epoch' + $${number}::bigint * interval '1 microsecond')`
  }
  return `$${number}::${type}`
}

/**
 * Reads a page and the number of all rows by one statement, so that both are of one snapshot. An empty page after the
 * first does not tell that number, which is then read by itself.
 *
 * @param page the statement of a page; its result's column `allRows` is what `count` selects
 * @param count the statement that counts the rows of all pages, with the same first parameters as that of a page
 */
export async function readPage<Row extends object>(
  db: Queryable,
  statements: { page: string; count: string },
  { values, limit, offset }: { values: readonly unknown[]; limit: number; offset: number },
): Promise<{ rows: Row[]; total: number }> {
  type Counted = { allRows: bigint }
  const prepared = { prepared: true }
  const page = await db.query<Row & Counted>(statements.page, [...values, limit, offset], prepared)
  const [first] = page
  const counted = () => db.value<bigint>(statements.count, values, prepared)
  const total = first?.allRows ?? (offset > 0 ? await counted() : 0n)
  const rows = page.map(({ allRows: _, ...row }) => row as unknown as Row)
  return { rows, total: Number(total) }
}
