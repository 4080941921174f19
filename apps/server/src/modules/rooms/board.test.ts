import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { totalsInRoom } from '#src/modules/bets/bet-store.ts'
import { feedMessage, pseudonymOf } from '#src/modules/bets/bet-wire.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { roomBoard } from './board.ts'

const SCHEDULE = {
  timeZone: 'Asia/Singapore',
  opensMinute: 0,
  closesMinute: 1_440,
  roundMs: 210_000,
  sealMs: 30_000,
}

it('shows strangers no player’s number', async () => {
  const database = await createTestDatabase()
  const [player, other] = [await addPlayer(database), await addPlayer(database)]
  const key = Buffer.alloc(32, 7)
  const at = { playerId: player, roomId: 11, issue: '20261120001' }
  const number = pseudonymOf(key, at)
  expect(number).toBe(pseudonymOf(key, { ...at, issue: '20261120274' }))
  const numbers = [
    number,
    pseudonymOf(key, { ...at, issue: '20261121001' }),
    pseudonymOf(key, { ...at, roomId: 12 }),
    pseudonymOf(key, { ...at, playerId: other }),
    pseudonymOf(Buffer.alloc(32, 8), at),
  ]
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const each of numbers) {
    expect(each).toBeGreaterThanOrEqual(2 ** 30)
    expect(each).toBeLessThan(2 ** 31)
  }

  const round = await openTestRound(database)
  await placeAll(database, [orderFor(player, round)])
  const { db } = database
  const board = roomBoard({ db, schedule: SCHEDULE, now: Date.now, feedKey: key })
  const [entry] = await board.feed(11, 0)
  if (!entry) throw new Error('the bet is not in the feed')
  expect(entry.pseudonym).toBe(pseudonymOf(key, entry))
  expect(feedMessage(entry, { playerId: other }).user_id).toBe(entry.pseudonym)
  expect(feedMessage(entry, { playerId: player }).user_id).toBe(player)
})

it('shows a player’s bets of one game day in a room under one number, and in one sum, also over midnight UTC', async () => {
  const database = await createTestDatabase()
  const player = await addPlayer(database)
  const { db } = database
  const key = Buffer.alloc(32, 7)
  const board = roomBoard({ db, schedule: SCHEDULE, now: Date.now, feedKey: key })
  for (const [issue, gameDay, at] of [
    ['20261120410', '2026-11-20', Date.UTC(2026, 10, 20, 23, 59)],
    ['20261120411', '2026-11-20', Date.UTC(2026, 10, 21, 0, 3)],
    ['20261121001', '2026-11-21', Date.UTC(2026, 10, 21, 0, 6)],
  ] as const) {
    await database.freezeClock(at)
    const round = await openTestRound(database, { issue, gameDay })
    for (const room of [1, 2] as const) {
      await placeAll(database, [orderFor(player, round, { room })])
    }
  }
  const [before, after, nextDay] = await board.feed(11, 0)
  expect(after?.pseudonym).toBe(before?.pseudonym)
  expect(nextDay?.pseudonym).not.toBe(before?.pseudonym)
  const sums = { playerId: player, roomId: 11, day: '2026-11-20' }
  expect(await totalsInRoom(db, sums)).toMatchObject({ count: 2n, staked: 200n * MICRO })
})

it('returns each entry once and in order, even if an earlier read ends after a later one', async () => {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const players = await Promise.all(Array.from({ length: 4 }, () => addPlayer(database)))
  const place = (from: number, to: number) =>
    placeAll(
      database,
      players.slice(from, to).map((player) => orderFor(player, round)),
    )
  await place(0, 1)

  const held: (() => void)[] = []
  let slow = true
  // The real database, with a delayed first answer.
  const db: Queryable = {
    ...database.db,
    async query(text, values) {
      const rows = await database.db.query(text, values)
      if (slow) {
        slow = false
        await new Promise<void>((arrive) => held.push(arrive))
      }
      return rows as never
    },
  }
  const board = roomBoard({ db, schedule: SCHEDULE, now: Date.now, feedKey: Buffer.alloc(32) })
  const early = board.feed(11, 0)
  while (held.length === 0) await new Promise((soon) => setTimeout(soon, 5))
  await place(1, 3)
  board.betsPlaced(11)
  const late = await board.feed(11, 0)
  expect(late).toHaveLength(3)
  held[0]?.()
  expect(await early).toEqual(late)

  await place(3, 4)
  board.betsPlaced(11)
  const ids = (await board.feed(11, 0)).map(({ id }) => id)
  expect(ids).toHaveLength(4)
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)))
  expect(await board.feed(11, Number(ids[2]))).toMatchObject([{ id: ids[3] }])
})
