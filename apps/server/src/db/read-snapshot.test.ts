import { describe, expect, it, vi } from 'vitest'
import { createTestDatabase, openTestPool } from '#testing/database/test-database.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { eventually } from '#testing/requests/patience.ts'
import { readSnapshot } from './read-snapshot.ts'

const NUMBERS = {
  text: 'select n from generate_series(1, $1::integer) n',
  batch: 10,
  // No test reaches it that does not set its own.
  limitMs: 600_000,
}

/** A pool of one connection: what is not given back is missed. */
async function oneConnection() {
  const database = await createTestDatabase()
  const db = openTestPool(database.applicationUrl)
  await eventually(() => db.query('select 1').catch(() => undefined))
  const isFree = () => db.exists('select')
  const isHeld = () => db.pool.totalCount === 1 && db.pool.idleCount === 0
  return { db, isFree, isHeld }
}

describe('a snapshot that is read in pieces', () => {
  it('comes in pieces of the same number of rows, of which the last has fewer', async () => {
    const { db, isFree } = await oneConnection()
    for (const [rows, pieces] of [
      [0, [0]],
      [9, [9]],
      [10, [10, 0]],
      [25, [10, 10, 5]],
    ] as const) {
      const all: { n: number }[][] = []
      for await (const piece of readSnapshot<{ n: number }>(db, { ...NUMBERS, values: [rows] }))
        all.push(piece)
      expect(all.map(({ length }) => length)).toEqual(pieces)
      expect(all.flat().map(({ n }) => n)).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
      expect(await isFree()).toBe(true)
    }
  })

  it('returns its connection with its last piece, when the reader stops, and when it fails', async () => {
    const { db, isFree, isHeld } = await oneConnection()
    const whole = readSnapshot(db, { ...NUMBERS, values: [5] })
    await whole.next()
    expect(await isFree()).toBe(true)
    expect(await whole.next()).toMatchObject({ done: true })
    const stopped = readSnapshot(db, { ...NUMBERS, values: [100] })
    await stopped.next()
    expect(isHeld()).toBe(true)
    await stopped.return([])
    expect(await isFree()).toBe(true)
    const text = 'select 1 / (n - 15) from generate_series(1, $1::integer) n'
    const failing = readSnapshot(db, { ...NUMBERS, text, values: [100] })
    await failing.next()
    await expect(failing.next()).rejects.toThrow(/division by zero/)
    expect(await isFree()).toBe(true)
    const nonsense = readSnapshot(db, { ...NUMBERS, text: 'nonsense', values: [] })
    await expect(nonsense.next()).rejects.toThrow()
    expect(await isFree()).toBe(true)
  })

  it('ends at its limit, also while its reader pauses, and while the database works', async () => {
    const { db, isFree, isHeld } = await oneConnection()
    const letGo = holdTime('setTimeout')
    const paused = readSnapshot(db, { ...NUMBERS, values: [100], limitMs: 60_000 })
    try {
      await paused.next()
      vi.advanceTimersByTime(59_999)
      expect(isHeld()).toBe(true)
      vi.advanceTimersByTime(1)
    } finally {
      letGo()
    }
    expect(await isFree()).toBe(true)
    await expect(paused.next()).rejects.toThrow('a snapshot was not read within 60000 ms')
    expect(await isFree()).toBe(true)
    const text = 'select pg_sleep(60) from generate_series(1, $1::integer)'
    const working = readSnapshot(db, { ...NUMBERS, text, values: [100], limitMs: 500 })
    await expect(working.next()).rejects.toThrow(/statement timeout/)
    expect(await isFree()).toBe(true)
  })

  it('writes nothing', async () => {
    const { db } = await oneConnection()
    const text = `select nextval('bets.bet_id') from generate_series(1, $1::integer)`
    await expect(readSnapshot(db, { ...NUMBERS, text, values: [1] }).next()).rejects.toThrow(
      /permission denied|read-only/,
    )
  })
})
