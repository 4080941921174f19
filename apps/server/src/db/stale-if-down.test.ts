import { expect, it } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staleIfDown } from './shared-reads.ts'

it('returns the last value while the database is down, and fails on errors of our own', async () => {
  const database = await createTestDatabase()
  let sql = 'select 1 as value'
  const reading = staleIfDown<object[]>(() => database.db.query(sql), [])
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
