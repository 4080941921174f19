import { expect, it } from 'vitest'
import { createTestDatabase } from '#testing/test-database.ts'
import { SUM_ROWS } from '../../../../../packages/domain/testing/outcome-table.ts'

it('the database counts how many of the 1,000 draws have each sum', async () => {
  const { db } = await createTestDatabase()
  const counted = await db.query<{ ways: number }>(
    'select games.ways_of_sum(total) as ways from generate_series(-1, 28) total order by total',
  )
  expect(counted.map(({ ways }) => ways)).toEqual([0, ...SUM_ROWS.map(({ ways }) => ways), 0])
})
