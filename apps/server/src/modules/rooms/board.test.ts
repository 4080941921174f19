import { MICRO } from '@sum28/domain/money.ts'
import { roundAt, roundOf } from '@sum28/domain/schedule.ts'
import { describe, expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { totalsInRoom } from '#src/modules/bets/bet-store.ts'
import { feedMessage, pseudonymOf } from '#src/modules/bets/bet-wire.ts'
import { catalogReader } from '#src/modules/games/catalog.ts'
import { storeDraw } from '#src/modules/rounds/round-store.ts'
import {
  addPlayer,
  addPlayers,
  betOfEach,
  openTestRound,
  orderFor,
  placeAll,
  sealTestRound,
  settleTestRound,
  someDraw,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { ALL_DAY, SCHEDULE } from '#testing/product/play-round.ts'
import { memberCaller } from '#testing/product/served-routes.ts'
import { roomBoard, wireRound } from './board.ts'
import { heartbeat } from './heartbeat.ts'

const LONG = 1
const SHORT = 2

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
  const board = roomBoard({ db, schedule: ALL_DAY, now: Date.now, feedKey: key })
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
  const board = roomBoard({ db, schedule: ALL_DAY, now: Date.now, feedKey: key })
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
  const players = await addPlayers(database, 4)
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
  const board = roomBoard({ db, schedule: ALL_DAY, now: Date.now, feedKey: Buffer.alloc(32) })
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

describe('the version of a game', () => {
  /** The last of 274 rounds from 10:00 to 02:00: it ends at 01:59. */
  const LAST = roundOf(SCHEDULE, '2026-11-20', 274)
  const HOUR = 3_600_000

  /** Sets the clock, and reads the version of game 1 in a process with such a schedule. */
  async function versionAt(database: TestDatabase, at: number, schedule = SCHEDULE) {
    await database.freezeClock(at)
    const board = roomBoard({
      db: database.db,
      schedule,
      now: () => at,
      feedKey: Buffer.alloc(32),
    })
    return Number(wireRound(await board.game(1), { at, changes: 0 }).version)
  }

  it('grows with each step of a day’s last round, after it, and with longer opening hours that are set then', async () => {
    const database = await createTestDatabase()
    const versions: number[] = []
    const note = async (at: number, schedule = SCHEDULE) => {
      versions.push(await versionAt(database, at, schedule))
    }
    await note(LAST.opensAt)
    await database.freezeClock(LAST.opensAt + 10_000)
    const round = await openTestRound(database, {
      issue: LAST.issue,
      secondsLeft: 170,
      sealSeconds: 30,
    })
    expect(round.drawsAt).toBe(LAST.drawsAt)
    await note(LAST.opensAt + 10_000)
    await note(LAST.sealsAt)
    await sealTestRound(database, round)
    await note(LAST.sealsAt + 1)
    await note(LAST.drawsAt)
    await database.freezeClock(LAST.drawsAt + 1)
    await storeDraw(database.db, round, someDraw())
    await note(LAST.drawsAt + 2)
    expect(await versionAt(database, LAST.drawsAt + HOUR)).toBe(versions.at(-1))
    const at = LAST.drawsAt + HOUR
    await note(at, ALL_DAY)
    const next = roundAt(ALL_DAY, at)
    await database.freezeClock((next?.opensAt ?? 0) + 10_000)
    await openTestRound(database, { issue: next?.issue, gameDay: '2026-11-21', secondsLeft: 170 })
    await note(at, ALL_DAY)
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
    expect(versions).toHaveLength(8)
  })

  it('grows at the end of a day whose last rounds nobody opened, or whose hours were shortened meanwhile', async () => {
    const database = await createTestDatabase()
    const unopened = await versionAt(database, LAST.opensAt)
    expect(await versionAt(database, LAST.drawsAt)).toBeGreaterThan(unopened)
    await database.freezeClock(LAST.opensAt + 10_000)
    await openTestRound(database, { issue: LAST.issue, secondsLeft: 170, sealSeconds: 30 })
    const open = await versionAt(database, LAST.opensAt + 10_000)
    const shortened = { ...SCHEDULE, closesMinute: 1_320 }
    expect(await versionAt(database, LAST.opensAt + 20_000, shortened)).toBeGreaterThan(open)
  })
})

it.each([
  ['20 s before its seal', 'open', 180_000 - 20_000, 20, 0],
  ['at its seal', 'open', 180_000, 0, 30],
  ['half a second before its draw', 'sealed', 209_500, 0, 1],
  ['until its draw has been made', 'sealed', 212_000, 0, 0],
  ['before it was opened', null, 1_000, 0, 0],
  ['that was never opened, after its seal', null, 190_000, 0, 0],
] as const)(
  'tells of a round %s how long it takes to the seal and to the draw',
  (_, state, ms, openTime1, draw_in) => {
    const scheduled = roundOf(SCHEDULE, '2026-11-20', 1)
    const board = { since: 0, scheduled, state, bookRoot: null, results: [] }
    const told = wireRound(board, { at: scheduled.opensAt + ms, changes: 0 })
    expect(told).toMatchObject({ openTime1, draw_in, whether_close: openTime1 === 0 })
  },
)

it('a heartbeat reports exactly the player’s own wins of the last two rounds, each with the total of its round', async () => {
  const database = await createTestDatabase()
  const { db } = database
  const name = 'winner_lee'
  const player = await addPlayer(database, { u: 10_000, name })
  const other = await addPlayer(database, { u: 10_000 })
  let now = Date.UTC(2026, 10, 20, 4)
  await database.freezeClock(now)

  /** A round of nines, in which long wins, with the player's bets and one of another player. */
  async function playedRound(...bets: (readonly [ruleId: number, u: number])[]): Promise<string> {
    const round = await openTestRound(database)
    for (const [ruleId, u] of bets) {
      await betOfEach(database, round, [player], { ruleIds: [ruleId], u })
    }
    await betOfEach(database, round, [other])
    await settleTestRound(database, round)
    now = round.drawsAt + 1
    return round.issue
  }

  await playedRound([LONG, 100])
  const lossInAll = await playedRound([LONG, 100], [SHORT, 300])
  const gainInAll = await playedRound([LONG, 200], [LONG, 100], [SHORT, 150])

  const caller = memberCaller(player)
  const board = roomBoard({ db, schedule: ALL_DAY, now: () => now, feedKey: Buffer.alloc(32) })
  const { beat } = heartbeat({ db, board, catalog: catalogReader(db), now: () => now })
  const ids = await database.owner.column<bigint>(
    `select id from bets.bet where player_id = $1 and status = 'won' order by id`,
    [player],
  )
  const [, second, third, fourth] = ids.map(Number)
  const common = { game_name: 'DOT', nickname: expect.stringMatching(/^wi\*+ee$/) }
  // Odds of 1.92: of 100 staked 192 come back, and 300 are lost; of 200 and 100 in all 576, and 150 are lost.
  expect(await beat(caller, { gameId: 1, roomId: 11, after: null })).toMatchObject({
    hit_notice: [
      { id: second, issue: lossInAll, profit: '92.00', round_profit: '-208.00', ...common },
      { id: third, issue: gainInAll, profit: '184.00', round_profit: '126.00', ...common },
      { id: fourth, issue: gainInAll, profit: '92.00', round_profit: '126.00', ...common },
    ],
  })
})
