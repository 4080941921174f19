import { describe, expect, it } from 'vitest'
import { isRefusal } from '#src/refusal/refusal.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { type KeyedRow, type KeysetRequest, keyset, readPage } from './list.ts'

const SORTS = {
  at: { sql: 'thing.at', type: 'time' },
  name: { sql: 'thing.name', type: 'text' },
  id: { sql: 'thing.id', type: 'bigint' },
} as const

const database = shareTestDatabase()

/** Twenty things, four of each instant, a microsecond apart, and of each name. */
const THINGS = `(select id,
    timestamptz '2026-11-22T10:00:00.123456Z' + (id / 4) * interval '1 microsecond' as at,
    'n' || id % 5 as name from generate_series(1, 20) id) as thing`

async function page(ask: KeysetRequest) {
  const key = keyset(ask, { sorts: SORTS, id: SORTS.id, firstValue: 1 })
  if (isRefusal(key)) return key
  const rows = await database.owner.query<{ id: bigint | number } & KeyedRow>(
    `select id, ${key.columns} from ${THINGS} where ${key.where} ${key.tail}`,
    [...key.values],
  )
  return key.page(rows)
}

async function taken(ask: KeysetRequest) {
  const read = await page(ask)
  if (isRefusal(read)) throw new Error(read.refused)
  return read
}

describe('a list by keyset', () => {
  const ORDERS = Object.keys(SORTS).flatMap((sort) => [
    [sort, 'asc'] as const,
    [sort, 'desc'] as const,
  ])

  it.each(ORDERS)(
    'has every row once, in its order, however it is paged: %s %s',
    async (sort, order) => {
      const wholePage = await taken({ sort, order, limit: 50 })
      expect(wholePage.next).toBeNull()
      const seen: unknown[] = []
      let after: string | undefined
      do {
        const part = await taken({ sort, order, limit: 3, after })
        seen.push(...part.list.map(({ id }) => id))
        after = part.next ?? undefined
      } while (after)
      expect(seen).toEqual(wholePage.list.map(({ id }) => id))
      expect(new Set(seen).size).toBe(20)
    },
  )

  it('refuses a cursor that is invalid, of another order or list, or with a value of another type', async () => {
    const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const faulty = [
      ...['nonsense', '', cursor()],
      cursor('id', 'desc', 5, '5'),
      cursor('id', 'asc', '5', '5'),
      cursor('name', 'desc', 'n1', '5'),
      cursor('id', 'desc', '5; drop table thing', '5'),
      cursor('id', 'desc', '5', '99999999999999999999'),
    ]
    for (const after of faulty) {
      expect(await page({ sort: 'id', order: 'desc', after }), after).toMatchObject({
        refused: 'invalid_input',
        faults: { after: 'invalid' },
      })
    }
    expect(await page({ sort: '__proto__' })).toMatchObject({ faults: { sort: 'choice' } })
  })
})

const counted = 'select count(*) as "allRows" from generate_series(1, $1::integer)'
const counting = `select number, (${counted}) as "allRows" from generate_series(1, $1::integer) number
  order by number desc limit $2 offset $3`

it.each([
  { of: 'the first page', rows: 5, offset: 0, numbers: [5, 4] },
  { of: 'the last page', rows: 5, offset: 4, numbers: [1] },
  { of: 'a page after the last', rows: 5, offset: 6, numbers: [] },
  { of: 'an empty list', rows: 0, offset: 0, numbers: [] },
])('$of comes with the number of all rows', async ({ rows, offset, numbers }) => {
  const read = await readPage(
    database.db,
    { page: counting, count: counted },
    { values: [rows], limit: 2, offset },
  )
  expect(read).toEqual({ rows: numbers.map((number) => ({ number })), total: rows })
})
