import {
  reportChoices,
  reportCsv,
  reportList,
  reportTotals,
} from '@sum28/contract/staff-reports-routes.ts'
import { describe, expect, it } from 'vitest'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
} from '#testing/database/fixtures.ts'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { addStaff } from '#testing/people/staff.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'

/** An API process alone: rounds are drawn and counted when a test says so, not by the engine or a job meanwhile. */
const app = shareTestApp({ ROLE: 'api', DATABASE_URL: 'postgres://unused', SEED_KEY: '' })

const RANGE = { begin_date: '2026-11-20', end_date: '2026-11-20' }

describe('the reports', () => {
  it('can be read by the auditor too, and as a file with a name and without formulas', async () => {
    const auditor = await addStaff(app(), 'auditor')
    // One bet of 100 u on long, which won 92 u; reports.test.ts shows how rounds are counted.
    await app().database.owner.query(
      `insert into console_start.day_figure values ('2026-11-20', 1, 11, false, 1, 100e6, 192e6, 96e6, 9216e12),
        ('2026-11-20', 1, 0, false, 1, 100e6, 192e6, 96e6, 9216e12)`,
    )
    await app().database.owner.query(`update games.room set title = '=1+1' where id = 11`)
    const ask = { by: 'room' as const, ...RANGE }
    const { data } = await app().call(reportList, ask, auditor)
    expect(data).toEqual({
      list: [
        {
          ...{ id: 11, day: null, game: expect.any(String), room: '=1+1', username: null },
          ...{ bets: 1, turnover: '100.00', payouts: '192.00', result: '-92.00' },
          ...{ expected: '96.00', deviation: '96.00' },
          ...{ deposits: null, withdrawals: null, adjustments: null },
        },
      ],
      next: null,
    })
    const { data: totals } = await app().call(reportTotals, ask, auditor)
    expect(totals).toMatchObject({ ...RANGE, rows: 1, bets: 1, turnover: '100.00' })

    const query = new URLSearchParams(ask)
    const file = await app().fetch(`${reportCsv.path}?${query}`, {
      headers: { Token: auditor.token },
    })
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="report-by-room-2026-11-20-2026-11-20.csv"',
    )
    const [headings, row, ...more] = parseCsv((await file.text()).replace('\uFEFF', ''))
    expect(headings?.slice(0, 4)).toEqual(['game', 'room', 'bets', 'turnover'])
    expect(row?.slice(1, 6)).toEqual(["'=1+1", '1', '100.00', '192.00', '-92.00'])
    expect(more).toEqual([])
  })

  it('are written in the audit log as files, with their filters and who took them, and not if they are refused', async () => {
    const { login, ...auditor } = await addStaff(app(), 'auditor')
    const take = (ask: Record<string, string>) =>
      app().fetch(`${reportCsv.path}?${new URLSearchParams(ask)}`, {
        headers: { Token: auditor.token },
      })
    await (await take({ by: 'player', who: 'players', ...RANGE })).text()
    expect((await take({ by: 'player', begin_date: '2025-01-01' })).status).toBe(400)
    const taken = (await loggedActions(app().database.owner)).filter(
      ({ staff }) => staff === login.name,
    )
    expect(taken.filter(({ action }) => action === 'list_exported')).toMatchObject([
      { subject: 'list:reports', details: { by: 'player', who: 'players', ...RANGE } },
    ])
  })

  it('include a round as soon as it is settled: in totals, file and list', async () => {
    const { database } = app()
    const auditor = await addStaff(app(), 'auditor')
    const ask = { by: 'day' as const, begin_date: '2026-11-18', end_date: '2026-11-19' }
    const player = await addPlayer(database, { u: 1_000 })
    const finish = async (gameDay: string) => {
      const round = await openTestRound(database, { gameDay })
      const order = orderFor(player, round, { ruleIds: [1], u: 200 })
      expect(await placeAll(database, [order])).toEqual([null])
      await drawTestRound(database, round, [7, 8, 0])
      await settleRound(database.db, round, gameDay)
    }
    await finish('2026-11-18')
    const { data: totals } = await app().call(reportTotals, ask, auditor)
    expect(totals).toMatchObject({ rows: 1, bets: 1, turnover: '200.00' })
    await finish('2026-11-19')
    const file = await app().fetch(`${reportCsv.path}?${new URLSearchParams(ask)}`, {
      headers: { Token: auditor.token },
    })
    const [, ...rows] = parseCsv((await file.text()).replace('\uFEFF', ''))
    expect(rows.map(([day]) => day).sort()).toEqual(['2026-11-18', '2026-11-19'])
  })

  it('refuse a period of more than a year, or with its end first, and name the field', async () => {
    const finance = await addStaff(app(), 'finance')
    for (const [begin_date, end_date] of [
      ['2025-01-01', '2026-11-20'],
      ['2026-11-20', '2026-11-19'],
    ]) {
      const reply = await app().call(reportList, { begin_date, end_date }, finance)
      expect(reply).toMatchObject({ http: 400, data: { reason: 'invalid_input' } })
      expect(reply.data).toHaveProperty('fields.end_date')
    }
  })

  it('can be filtered by each game and room', async () => {
    const support = await addStaff(app(), 'support')
    const { data } = await app().call(reportChoices, {}, support)
    expect(data.games.map(({ id }) => id)).toEqual([1, 2, 3, 4])
    expect(data.rooms).toHaveLength(16)
    expect(data.rooms.every(({ id, game_id }) => Math.floor(id / 10) === game_id)).toBe(true)
  })
})
