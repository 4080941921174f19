import { startFigures as figuresRoute, startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { describe, expect, it } from 'vitest'
import { setClocksApart } from '#src/modules/games/catalog.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addStaff } from '#testing/people/staff.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { readNeeds } from './needs-store.ts'
import { startFigures } from './start-routes.ts'

const app = shareTestApp()

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
