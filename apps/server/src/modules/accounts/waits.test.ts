/** How long one waits after so many tries, by the database's own reckoning. */
import { expect, it } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { countWithWait } from './count-store.ts'

const FREE = 3
const WAIT_MAX = 10

it('the wait after a try is a second once the free ones are used up, doubles, and ends at its most', async () => {
  const { db } = await createTestDatabase()
  const waits = await db.query<{ seconds: number }>(
    `select extract(epoch from accounts.wait_after(tries, $1, $2))::float8 as seconds
     from unnest(array[0, 1, 2, 3, 4, 5, 6, 7, 8, 1000, 2147483647]) with ordinality as try (tries, position)
     order by position`,
    [FREE, WAIT_MAX],
  )
  expect(waits.map(({ seconds }) => seconds)).toEqual([0, 0, 0, 1, 2, 4, 8, 10, 10, 10, 10])
})

it('tries are counted at once while they are free, and then each from the end of its wait on', async () => {
  const database = await createTestDatabase()
  let now = Date.UTC(2026, 10, 20)
  const key = Buffer.alloc(32, 1)
  const later = async (ms: number) => {
    now += ms
    await database.freezeClock(now)
  }
  const wait = () => countWithWait(database.db, { key, free: FREE, waitMax: WAIT_MAX })
  await later(0)
  expect([await wait(), await wait(), await wait()]).toEqual([0, 0, 0])
  for (const seconds of [1, 2, 4, 8, 10, 10]) {
    expect(await wait()).toBe(seconds)
    await later(seconds * 1_000 - 1)
    expect(await wait()).toBe(1)
    await later(1)
    expect(await wait()).toBe(0)
  }
})
