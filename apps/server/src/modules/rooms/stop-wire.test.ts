import { expect, it } from 'vitest'
import { catalogReader, setClocksApart } from '#src/modules/games/catalog.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { clocksApartSince, stopState, stopsNow } from './stop-betting.ts'

it('the list of stops says since when betting is stopped because the clocks disagree', async () => {
  const { db } = await createTestDatabase()
  const shown = async () =>
    stopState(await catalogReader(db)(), {
      stops: await stopsNow(db),
      clocksApartSince: await clocksApartSince(db),
    })
  expect(await shown()).toMatchObject({ stopped: false, stop: null, clocks_apart_since: null })
  await setClocksApart(db, true)
  const [{ now } = { now: 0 }] = await db.query<{ now: number }>('select app.now() as now')
  const { clocks_apart_since: since, ...apart } = await shown()
  expect(apart).toMatchObject({ stopped: true, stop: null })
  expect(since).toBeGreaterThan(0)
  expect(since).toBeLessThanOrEqual(now / 1000)
})
