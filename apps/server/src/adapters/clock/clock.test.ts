import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '#testing/test-database.ts'
import { databaseClock } from './clock.ts'

describe('the clock', () => {
  it('is the database’s, wherever that stands', async () => {
    const database = await createTestDatabase()
    const clock = databaseClock(database.db)
    for (const at of [Date.UTC(2020, 0, 1), Date.UTC(2040, 5, 1, 12)]) {
      await database.freezeClock(at)
      await clock.sync()
      expect(clock.now()).toBeGreaterThanOrEqual(at)
      expect(clock.now() - at).toBeLessThan(1_000)
    }
  })

  it('runs on between two measurements, in whole milliseconds', async () => {
    const database = await createTestDatabase()
    await database.freezeClock(Date.UTC(2030, 0, 1))
    const clock = databaseClock(database.db)
    await clock.sync()
    const before = clock.now()
    await new Promise((later) => setTimeout(later, 20))
    expect(clock.now() - before).toBeGreaterThanOrEqual(19)
    expect(Number.isInteger(clock.now())).toBe(true)
  })

  it('keeps its last measurement while the database is away', async () => {
    const database = await createTestDatabase()
    await database.freezeClock(Date.UTC(2030, 0, 1))
    const clock = databaseClock(database.db)
    await clock.sync()
    await database.takeAway()
    await expect(clock.sync()).rejects.toThrow()
    expect(new Date(clock.now()).getUTCFullYear()).toBe(2030)
    await database.giveBack()
  })
})
