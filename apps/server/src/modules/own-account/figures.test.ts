/** A player's own figures. */
import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import { releaseHeldDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import {
  addPlayer,
  drawTestRound,
  moveMoney,
  openTestRound,
  orderFor,
  placeAll,
  takeDeposit,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { ownFigures } from './figures.ts'

const { database, db, owner } = eachTestDatabase()

const SINGAPORE = 'Asia/Singapore'
/** Noon in Singapore. */
const noon = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 4)
const U = MICRO

let movements = 0

/** Posts a movement of whole u at the time of the clock. */
async function move(playerId: number, kind: string, u: number): Promise<void> {
  movements += 1
  const movement = { playerId, micro: BigInt(u) * U, reference: `moved:${movements}` }
  await moveMoney(owner, kind, movement)
}

/** Bets on Long, in a round that is drawn with the given sum, or voided. */
async function play(
  playerId: number,
  { u, outcome }: { u: number; outcome: 'hit' | 'miss' | 'void' | 'runs' },
): Promise<void> {
  const now = await owner.value<number>('select app.now() as now')
  const day = new Date(now + 8 * 3_600_000).toISOString().slice(0, 10)
  movements += 1
  const number = day.replaceAll('-', '') + String(movements).padStart(3, '0')
  const round = await openTestRound(database, { issue: number, gameDay: day })
  expect(await placeAll(database, [orderFor(playerId, round, { u })])).toEqual([null])
  if (outcome === 'runs') return
  if (outcome === 'void') {
    await database.freezeClock(round.drawsAt + 1)
    const { gameId, issue } = round
    await db.query(`select rounds.void($1::smallint, $2, 'sealed_late')`, [gameId, issue])
  } else {
    await drawTestRound(database, round, outcome === 'hit' ? [9, 9, 9] : [0, 0, 0])
  }
  await settleRound(db, round, day)
  // The next round comes after this one.
  await database.freezeClock(round.drawsAt + 60_000)
}

async function stage() {
  await owner.query(`update protection.house set time_zone = $1`, [SINGAPORE])
  await database.freezeClock(noon(2026, 11, 22))
  const playerId = await addPlayer(database, { u: 0 })
  const read = () => ownFigures(db, { playerId, timeZone: SINGAPORE, now: noon(2026, 11, 22) })
  return { playerId, read }
}

describe('a player’s figures', () => {
  it('are summed up for each month, for twelve and for all', async () => {
    const { playerId, read } = await stage()
    for (const [year, month, day, u] of [
      [2025, 10, 31, 5_000],
      // The last day outside of the twelve months, and the first inside.
      [2025, 11, 30, 700],
      [2025, 12, 1, 900],
      [2026, 3, 29, 1_000],
      [2026, 11, 1, 300],
    ] as const) {
      await database.freezeClock(noon(year, month, day))
      await move(playerId, 'deposit', u)
      await play(playerId, { u: 100, outcome: 'hit' })
      await play(playerId, { u: 200, outcome: 'miss' })
      await play(playerId, { u: 300, outcome: 'void' })
      await move(playerId, 'withdrawal', u / 10)
      await move(playerId, 'withdrawal_paid', u / 10)
    }
    await database.freezeClock(noon(2026, 11, 22))
    const { lifetime, year, months } = await read()
    const names = months.map(({ month }) => month)
    expect(names).toHaveLength(12)
    expect([names[0], names[1], names[11]]).toEqual(['2025-12', '2026-01', '2026-11'])
    const nothing = { deposited: '0.00', withdrawn: '0.00', staked: '0.00', won: '0.00' }
    // In each month 100 u are won at 1.92, and 200 u lost.
    const bets = { staked: '300.00', won: '192.00', net: '-108.00' }
    const played = new Map([
      ['2025-12', { ...bets, deposited: '900.00', withdrawn: '90.00' }],
      ['2026-03', { ...bets, deposited: '1000.00', withdrawn: '100.00' }],
      ['2026-11', { ...bets, deposited: '300.00', withdrawn: '30.00' }],
    ])
    for (const month of months) {
      expect(month, month.month).toMatchObject(played.get(month.month) ?? nothing)
    }
    expect(year).toEqual({
      deposited: '2200.00',
      withdrawn: '220.00',
      net_deposited: '1980.00',
      staked: '900.00',
      won: '576.00',
      net: '-324.00',
    })
    expect(lifetime).toEqual({
      deposited: '7900.00',
      withdrawn: '790.00',
      net_deposited: '7110.00',
      staked: '1500.00',
      won: '960.00',
      net: '-540.00',
    })
  })

  it('do not count held, pending, rejected, running or refunded amounts', async () => {
    const { playerId, read } = await stage()
    await move(playerId, 'deposit', 1_000)
    await move(playerId, 'withdrawal', 100)
    await move(playerId, 'withdrawal_released', 100)
    await move(playerId, 'withdrawal', 100)
    await play(playerId, { u: 100, outcome: 'void' })
    await play(playerId, { u: 100, outcome: 'runs' })
    const { lifetime, year } = await read()
    const counted = { deposited: '1000.00', withdrawn: '0.00', staked: '0.00', won: '0.00' }
    for (const sums of [lifetime, year]) expect(sums).toMatchObject(counted)
  })

  it('count a held deposit when it is released, once', async () => {
    const { playerId, read } = await stage()
    await db.query(`select protection.set_limit($1, 'deposit', 'day', $2)`, [playerId, 100n * U])
    const deposit = { playerId, micro: 150n * U, reference: 'usdt:x:1', day: '2026-11-22' }
    await takeDeposit(owner, deposit)
    expect((await read()).lifetime.deposited).toBe('0.00')
    await db.query(`select protection.set_limit($1, 'deposit', 'day', null)`, [playerId])
    await database.freezeClock(noon(2026, 11, 23) + 1)
    await db.query(`select protection.confirm_raise($1, 'deposit', 'day')`, [playerId])
    await releaseHeldDeposits({ db, timeZone: SINGAPORE, now: () => noon(2026, 11, 23) })
    expect((await read()).lifetime.deposited).toBe('150.00')
  })

  it('count a withdrawal in the month of its approval, and subtract it in the month of its return', async () => {
    const { playerId, read } = await stage()
    await database.freezeClock(noon(2026, 8, 31))
    await move(playerId, 'deposit', 500)
    // The withdrawal's postings are all booked on the day of its request.
    for (const [month, day, kind] of [
      [8, 31, 'withdrawal'],
      [9, 1, 'withdrawal_paid'],
      [10, 1, 'withdrawal_reversed'],
    ] as const) {
      // Two hours after midnight in Singapore, and still the day before in UTC.
      await database.freezeClock(noon(2026, month, day) - 10 * 3_600_000)
      const movement = { playerId, micro: 100n * U, reference: 'withdrawal:1', day: '2026-08-31' }
      await moveMoney(owner, kind, movement)
    }
    const withdrawn = (await read()).months.slice(-4).map((each) => each.withdrawn)
    expect(withdrawn).toEqual(['0.00', '100.00', '-100.00', '0.00'])
  })
})
