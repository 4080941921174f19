import { startFigures as figuresRoute, startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { RULES, SUMS, waysOfSum, winningRuleIds } from '@sum28/domain/outcomes.ts'
import { describe, expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { setClocksApart } from '#src/modules/games/catalog.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { addStaff } from '#testing/people/staff.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { countAllRounds, countFinishedRounds } from './figures-store.ts'
import { readNeeds } from './needs-store.ts'
import { startFigures } from './start-routes.ts'

const app = shareTestApp()

type Figure = {
  room: number
  robots: boolean
  bets: number
  staked: number
  paid: number
  expected: number
  variance: number
}

/** In u. */
async function figuresIn({ owner }: TestDatabase): Promise<Figure[]> {
  return owner.query<Figure>(
    `select room_id as room, robots, bets, staked / 1e6::float8 as staked, paid / 1e6::float8 as paid,
       (expected / 1e6)::float8 as expected, (variance / 1e12)::float8 as variance
     from console_start.round_figure order by room_id, robots`,
  )
}

type Bet = { ruleIds: number[]; u: number }

/** What the bets would pay over all 1,000 draws: mean and variance, by the domain's rules. */
async function overAllDraws({ owner }: TestDatabase, room: number, bets: readonly Bet[]) {
  const odds = await owner.query<{ rule: number; odds: number }>(
    'select rule_id::integer as rule, odds_milli / 1000.0::float8 as odds from games.odds where room_id = $1',
    [room],
  )
  const oddsOf = new Map(odds.map(({ rule, odds: value }) => [rule, value]))
  const pays = SUMS.map((sum) => {
    const winning = winningRuleIds(sum)
    return bets
      .flatMap(({ ruleIds, u }) => ruleIds.map((rule) => ({ rule, u })))
      .filter(({ rule }) => winning.includes(rule))
      .reduce((total, { rule, u }) => total + u * (oddsOf.get(rule) ?? 0), 0)
  })
  const mean = SUMS.reduce((sum, each) => sum + (waysOfSum(each) * (pays[each] ?? 0)) / 1000, 0)
  const squares = SUMS.reduce(
    (sum, each) => sum + (waysOfSum(each) * (pays[each] ?? 0) ** 2) / 1000,
    0,
  )
  return { expected: mean, variance: squares - mean ** 2 }
}

describe('the figures of a finished round', () => {
  it('are counted once, with the expected values over all 1,000 draws, without robots', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const [one, two, robot] = [
      await addPlayer(database, { u: 100_000 }),
      await addPlayer(database, { u: 100_000 }),
      await addPlayer(database, { u: 100_000, robot: true }),
    ]
    const ofOne = { ruleIds: [1, 11, 415], u: 100 }
    const ofTwo = { ruleIds: [2, 4], u: 250 }
    const reasons = await placeAll(database, [
      orderFor(one, round, ofOne),
      orderFor(two, round, ofTwo),
      orderFor(robot, round, { ruleIds: RULES.map(({ id }) => id).slice(0, 8), u: 100 }),
    ])
    expect(reasons).toEqual([null, null, null])
    await drawTestRound(database, round, [7, 8, 0])
    await countFinishedRounds(database.db)
    // Drawn, and not settled yet.
    expect(await figuresIn(database)).toEqual([])

    await database.owner.query('select bets.settle($1::smallint, $2, 100, current_date)', [
      round.gameId,
      round.issue,
    ])
    await Promise.all([countFinishedRounds(database.db), countFinishedRounds(database.db)])
    await countFinishedRounds(database.db)
    const figures = await figuresIn(database)
    expect(figures.map(({ room, robots, bets }) => ({ room, robots, bets }))).toEqual([
      { room: 0, robots: false, bets: 2 },
      { room: 0, robots: true, bets: 1 },
      { room: 11, robots: false, bets: 2 },
      { room: 11, robots: true, bets: 1 },
    ])
    const [all] = figures
    const theory = await overAllDraws(database, 11, [ofOne, ofTwo])
    expect(all?.staked).toBe(800)
    expect(all?.expected).toBeCloseTo(theory.expected, 4)
    expect(all?.variance).toBeCloseTo(theory.variance, 2)
    const { paid } = only(
      await database.owner.query<{ paid: number }>(
        `select sum(payout) / 1e6::float8 as paid from bets.bet where player_id in ($1, $2)`,
        [one, two],
      ),
    )
    expect(all?.paid).toBe(paid)
    expect(
      await database.owner.query(
        'select player_id from console_start.player_figure where not robots order by player_id',
      ),
    ).toEqual([{ player_id: one }, { player_id: two }])
  })
})

it('all rounds are counted oldest first, and a page counts only those of the last three days', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const DAY = 24 * 3_600_000
  const end = Date.UTC(2026, 10, 20)
  const issues: string[] = []
  for (const days of [40, 30, 20, 2, 0]) {
    await database.freezeClock(end - days * DAY)
    const round = await openTestRound(database)
    issues.push(String(round.issue))
    await drawTestRound(database, round, [7, 8, 0])
    await owner.query('select bets.settle($1::smallint, $2, 100, current_date)', [
      round.gameId,
      round.issue,
    ])
  }
  const counted = async () => {
    const rows = await owner.query<{ issue: bigint }>(
      'select issue from console_start.round_figure where room_id = 0 and not robots order by ended_at',
    )
    return rows.map(({ issue }) => String(issue))
  }
  await countFinishedRounds(db)
  expect(await counted()).toEqual(issues.slice(3))
  const through = async () => {
    const rows = await owner.query<{ at: number | null }>(
      'select through as at from console_start.counted where game_id = 1',
    )
    return rows[0]?.at
  }
  // A step counts the oldest, and is never again before it.
  await db.query('select console_start.count_rounds(1)')
  expect(await counted()).toEqual([issues[0], ...issues.slice(3)])
  expect(await through()).toBeGreaterThan(end - 31 * DAY)
  await db.query('select console_start.count_rounds(1)')
  expect(await counted()).toEqual([...issues.slice(0, 2), ...issues.slice(3)])
  await countAllRounds(db, { atOnce: 1 })
  expect(await counted()).toEqual(issues)
  expect(await through()).toBeGreaterThan(end - 2 * DAY)
})

it('the day of deposits and withdrawals is the calendar day, also when the clocks change', async () => {
  const database = await createTestDatabase()
  const schedule = {
    ...{ timeZone: 'America/New_York', roundMs: 210_000, sealMs: 10_000 },
    ...{ opensMinute: 420, closesMinute: 1_380 },
  }
  const HOUR = 3_600_000
  // The clocks are put back on 1 November: that day has 25 hours.
  const begin = Date.UTC(2026, 10, 1, 4)
  await database.freezeClock(begin - 48 * HOUR)
  const player = await addPlayer(database, { u: 1 })
  const moments = [begin - 1, begin, begin + 25 * HOUR - 1, begin + 25 * HOUR]
  for (const [index, at] of moments.entries()) {
    await database.freezeClock(at)
    const row = `row(${player}, '2026-11-01', ${10 ** index}000000, 'x${index}')::wallet.movement`
    await database.owner.query(`select wallet.move('deposit', array[${row}])`)
  }
  await database.freezeClock(begin + 37 * HOUR)
  const { days } = await startFigures(database.db, schedule, begin + 37 * HOUR)
  expect(days[0]).toMatchObject({ day: '2026-11-02', deposits: 1_000_000_000n })
  expect(days[1]).toMatchObject({ day: '2026-11-01', deposits: 110_000_000n })
})

describe('the start page', () => {
  it('shows each role the pending tasks that it may see', async () => {
    const { owner } = app().database
    const finance = await addStaff(app(), 'finance')
    const editor = await addStaff(app(), 'editor')
    await owner.query(
      `insert into games.stop (scope, subject_id, reason, stopped_by, stopped_at)
       select 'room', 11, 'fault', min(id), app.now() - interval '2 hours' from staff.member`,
    )
    const reply = await app().call(startNeeds, {}, finance)
    expect(reply.data.needs).toEqual([
      { need: 'stops', yours: false, count: 1, since: expect.any(Number), hour: 1, day: 0 },
    ])
    const boss = await addStaff(app(), 'owner')
    expect((await app().call(startNeeds, {}, boss)).data.needs).toMatchObject([
      { need: 'stops', yours: true },
    ])
    expect((await app().call(startNeeds, {}, editor)).data.needs).toEqual([])
  })

  it('has a task while the clocks disagree, with the time since when betting is stopped', async () => {
    const database = await createTestDatabase()
    const HOUR = 3_600_000
    const begin = Date.UTC(2026, 10, 20, 10)
    const clocks = async () =>
      (await readNeeds(database.db)).filter(({ need }) => need === 'clocks_apart')
    await database.freezeClock(begin)
    expect(await clocks()).toEqual([])
    expect(await setClocksApart(database.db, true)).toBe(true)
    const task = { need: 'clocks_apart', count: 1, since: begin }
    expect(await clocks()).toEqual([{ ...task, hour: 0, day: 0 }])
    await database.freezeClock(begin + 2 * HOUR)
    expect(await clocks()).toEqual([{ ...task, hour: 1, day: 0 }])
    await database.freezeClock(begin + 25 * HOUR)
    expect(await clocks()).toEqual([{ ...task, hour: 1, day: 1 }])
    expect(await setClocksApart(database.db, false)).toBe(true)
    expect(await clocks()).toEqual([])
  })

  it('has no task of unchecked books before anybody works here', async () => {
    const database = await createTestDatabase()
    expect(await database.owner.query('select from staff.member')).toEqual([])
    const needs = (await readNeeds(database.db)).map(({ need }) => need)
    expect(needs).not.toContain('books_unchecked')
  })

  it('has three days and shows zeros for a day without bets', async () => {
    const auditor = await addStaff(app(), 'auditor')
    const { days, rooms } = (await app().call(figuresRoute, {}, auditor)).data
    expect(days).toHaveLength(3)
    expect(rooms).toEqual([])
    for (const { whole, players, robots } of days) {
      expect(whole).toMatchObject({ turnover: '0.00', payouts: '0.00', deviation: '0.00', bets: 0 })
      expect({ players, robots }).toEqual({ players: 0, robots: '0.00' })
    }
  })
})
