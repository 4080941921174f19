import { beforeEach, describe, expect, it, vi } from 'vitest'
import { eachTestDatabase, openTestPool } from '#testing/database/test-database.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { databaseClock } from './clock.ts'

const { database } = eachTestDatabase()

/** What the database's clock shows in these tests, standing still. */
const AT = Date.UTC(2030, 0, 1)
beforeEach(() => database.freezeClock(AT))

describe('the clock', () => {
  it('shows the database’s time, whatever that is, and keeps its last measurement while the database is down', async () => {
    // On a machine whose own clock stands still, no time is added to it.
    const clock = databaseClock(database.db, () => 0)
    for (const at of [Date.UTC(2020, 0, 1), Date.UTC(2040, 5, 1, 12)]) {
      await database.freezeClock(at)
      await clock.sync()
      expect(clock.now()).toBe(at)
    }
    await database.takeAway()
    await expect(clock.sync()).rejects.toThrow()
    expect(clock.now()).toBe(Date.UTC(2040, 5, 1, 12))
    await database.giveBack()
  })

  it('runs on between two measurements, in whole milliseconds', async () => {
    holdTime('performance')
    const clock = databaseClock(database.db)
    await clock.sync()
    vi.advanceTimersByTime(20.6)
    expect(clock.now() - AT).toBe(21)
  })

  it('measures only the statement, however long it waited for a connection', async () => {
    const db = openTestPool(database.applicationUrl)
    let machine = 0
    const clock = databaseClock(db, () => machine)
    const holder = await db.pool.connect()
    const syncing = clock.sync()
    // A minute goes by on this machine while the only connection is taken.
    machine = 60_000
    holder.release()
    await syncing
    expect(clock.now()).toBe(AT)
  })

  it('uses the fastest of its answers', async () => {
    // What this machine's clock shows before and after each of three statements.
    const readings = [0, 0, 8_000, 10_000, 10_002, 20_000, 24_000]
    const clock = databaseClock(database.db, () => readings.shift() ?? 30_001)
    await clock.sync()
    expect(clock.now() - AT).toBe(20_000)
  })
})

it('a wait ends when the clock is set, and the clock shows the new time; and it ends with its signal', async () => {
  const clock = databaseClock(database.db, () => 0)
  const waiting = clock.wait(3_600_000)
  await clock.moved()
  await waiting
  expect(clock.now()).toBe(AT)
  await clock.wait(3_600_000, AbortSignal.abort())
})
