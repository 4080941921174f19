import { expect, it } from 'vitest'
import { createTestDatabase } from '#testing/test-database.ts'
import { lastKnown } from './last-known.ts'

it('gives what was read last while the database is away, and fails on what is our fault', async () => {
  const database = await createTestDatabase()
  let sql = 'select 1 as value'
  const reading = lastKnown<object[]>(() => database.db.query(sql), [])
  await database.takeAway()
  expect(await reading()).toEqual([])
  await database.giveBack()
  expect(await reading()).toEqual([{ value: 1 }])
  sql = 'select 2 as value'
  await database.takeAway()
  expect(await reading()).toEqual([{ value: 1 }])
  await database.giveBack()
  expect(await reading()).toEqual([{ value: 2 }])
  sql = 'select no_such_column'
  await expect(reading()).rejects.toThrow('no_such_column')
})
