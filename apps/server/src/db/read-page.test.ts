import { expect, it } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { readPage } from './list.ts'

const count = 'select count(*) as "allRows" from generate_series(1, $1::integer)'
const page = `select number, (${count}) as "allRows" from generate_series(1, $1::integer) number
  order by number desc limit $2 offset $3`

it.each([
  { of: 'the first page', rows: 5, offset: 0, numbers: [5, 4] },
  { of: 'the last page', rows: 5, offset: 4, numbers: [1] },
  { of: 'a page after the last', rows: 5, offset: 6, numbers: [] },
  { of: 'an empty list', rows: 0, offset: 0, numbers: [] },
])('$of comes with the number of all rows', async ({ rows, offset, numbers }) => {
  const { db } = await createTestDatabase()
  const read = await readPage(db, { page, count }, { values: [rows], limit: 2, offset })
  expect(read).toEqual({ rows: numbers.map((number) => ({ number })), total: rows })
})
