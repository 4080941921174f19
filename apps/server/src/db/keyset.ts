/**
 * Lists paged by keyset: the next page is found by the values of the last row, over an index, so that a late page of
 * a long list costs as little as the first.
 */
import { LIST_LIMIT_MAX } from '@sum28/contract/staff-list.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'

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
