import { describe, expect, it } from 'vitest'
import { eachTestDatabase, openTestPool } from '#testing/database/test-database.ts'
import { databaseClock } from './clock.ts'

const { database } = eachTestDatabase()

describe('the clock', () => {
  it('shows the database’s time, whatever that is', async () => {
    // On a machine whose own clock stands still, no time is added to it.
    const clock = databaseClock(database.db, () => 0)
    for (const at of [Date.UTC(2020, 0, 1), Date.UTC(2040, 5, 1, 12)]) {
      await database.freezeClock(at)
      await clock.sync()
      expect(clock.now()).toBe(at)
    }
  })

  it('runs on between two measurements, in whole milliseconds', async () => {
    await database.freezeClock(Date.UTC(2030, 0, 1))
    const clock = databaseClock(database.db)
    await clock.sync()
    const before = clock.now()
    await new Promise((later) => setTimeout(later, 20))
    expect(clock.now() - before).toBeGreaterThanOrEqual(19)
    expect(Number.isInteger(clock.now())).toBe(true)
  })

  it('keeps its last measurement while the database is down', async () => {
    await database.freezeClock(Date.UTC(2030, 0, 1))
    const clock = databaseClock(database.db)
    await clock.sync()
    await database.takeAway()
    await expect(clock.sync()).rejects.toThrow()
    expect(new Date(clock.now()).getUTCFullYear()).toBe(2030)
    await database.giveBack()
  })

  it('measures only the statement, however long it waited for a connection', async () => {
    const at = Date.UTC(2030, 0, 1)
    await database.freezeClock(at)
    const db = openTestPool(database.applicationUrl)
    let machine = 0
    const clock = databaseClock(db, () => machine)
    const holder = await db.pool.connect()
    const syncing = clock.sync()
    // A minute goes by on this machine while the only connection is taken.
    machine = 60_000
    holder.release()
    await syncing
    expect(clock.now()).toBe(at)
  })

  it('uses the fastest of its answers', async () => {
    const at = Date.UTC(2030, 0, 1)
    await database.freezeClock(at)
    // What this machine's clock shows before and after each of three statements.
    const readings = [0, 8_000, 10_000, 10_002, 20_000, 24_000]
    const clock = databaseClock(database.db, () => readings.shift() ?? 30_001)
    readings.unshift(0)
    await clock.sync()
    expect(clock.now() - at).toBe(20_000)
  })
})

describe('a wait', () => {
  it('ends when the clock is set, and the clock shows the new time', async () => {
    const clock = databaseClock(database.db, () => 0)
    const waiting = clock.wait(3_600_000)
    const at = Date.UTC(2031, 0, 1)
    await database.freezeClock(at)
    await clock.moved()
    await waiting
    expect(clock.now()).toBe(at)
  })

  it('ends with its signal', async () => {
    const clock = databaseClock(database.db)
    await clock.wait(3_600_000, AbortSignal.abort())
  })
})
