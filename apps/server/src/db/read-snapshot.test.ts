import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { eventually } from '#testing/product/test-app.ts'
import { openDatabase } from './database.ts'
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
  const db = openDatabase(database.applicationUrl, {
    connectionsMax: 1,
    // How long a test waits for a connection that is not free.
    limits: { connectMs: 10_000 },
  })
  onTestFinished(() => db.close())
  await eventually(() => db.query('select 1').catch(() => undefined))
  const isFree = async () => (await db.query<{ one: number }>('select 1 as one')).length === 1
  return { database, db, isFree }
}

describe('a snapshot that is read in pieces', () => {
  it.each([
    [0, [0]],
    [9, [9]],
    [10, [10, 0]],
    [25, [10, 10, 5]],
  ])('of %i rows returns pieces of %j, and then the connection', async (rows, pieces) => {
    const { db, isFree } = await oneConnection()
    const lengths: number[] = []
    let sum = 0
    for await (const piece of readSnapshot<{ n: number }>(db, { ...NUMBERS, values: [rows] })) {
      lengths.push(piece.length)
      for (const { n } of piece) sum += n
    }
    expect(lengths).toEqual(pieces)
    expect(sum).toBe((rows * (rows + 1)) / 2)
    expect(await isFree()).toBe(true)
  })

  it('holds no connection any more while its last piece is processed', async () => {
    const { db, isFree } = await oneConnection()
    const reading = readSnapshot(db, { ...NUMBERS, values: [5] })
    await reading.next()
    expect(await isFree()).toBe(true)
    expect(await reading.next()).toMatchObject({ done: true })
  })

  it('returns its connection when the reader stops, and when it fails', async () => {
    const { db, isFree } = await oneConnection()
    const reading = readSnapshot(db, { ...NUMBERS, values: [100] })
    await reading.next()
    await expect(isFree()).rejects.toThrow(/timeout/)
    await reading.return([])
    expect(await isFree()).toBe(true)
    const failing = readSnapshot(db, {
      ...NUMBERS,
      text: 'select 1 / (n - 15) from generate_series(1, $1::integer) n',
      values: [100],
    })
    await failing.next()
    await expect(failing.next()).rejects.toThrow(/division by zero/)
    expect(await isFree()).toBe(true)
    await expect(
      readSnapshot(db, { ...NUMBERS, text: 'nonsense', values: [] }).next(),
    ).rejects.toThrow()
    expect(await isFree()).toBe(true)
  })

  it('ends at its limit, also while its reader pauses, and while the database works', async () => {
    const { db, isFree } = await oneConnection()
    // Enough for the first piece on a busy machine; every later piece is read after the limit.
    const slow = { ...NUMBERS, values: [100], limitMs: 5_000 }
    const paused = readSnapshot(db, slow)
    await paused.next()
    await eventually(() => isFree().catch(() => undefined))
    await expect(paused.next()).rejects.toThrow('a snapshot was not read within 5000 ms')
    expect(await isFree()).toBe(true)
    const working = readSnapshot(db, {
      ...slow,
      text: 'select pg_sleep(60) from generate_series(1, $1::integer)',
    })
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
