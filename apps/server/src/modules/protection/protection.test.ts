/** Limits at the edge of their periods, those of the house as they are configured, and a held transfer as it is shown. */
import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { transfersOf } from '#src/modules/deposits/deposit-store.ts'
import {
  addPlayer,
  openTestRound,
  orderFor,
  placeAll,
  takeDeposit,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import * as store from './protection-store.ts'
import { readHouseLimits, writeProtectionTerms } from './protection-terms.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 4)
const U = MICRO

async function stage({ timeZone = 'Asia/Singapore', at = NOON } = {}) {
  const database = await createTestDatabase()
  await database.freezeClock(at)
  const terms = { timeZone, sessionBreakMs: HOUR / 2, checkEveryMs: HOUR, limits: [] }
  await database.owner.transaction((tx) => writeProtectionTerms(tx, terms))
  const playerId = await addPlayer(database, { u: 100_000 })
  let orders = 0
  const order = async () => {
    // Each in another game, so that no earlier round is still running.
    orders += 1
    const round = await openTestRound(database, { secondsLeft: 60, gameId: 1 + (orders % 4) })
    const [reason] = await placeAll(database, [orderFor(playerId, round, { u: 100 })])
    return reason
  }
  return { database, db: database.db, playerId, order }
}

describe('a limit', () => {
  it.each([
    ['day', 'Asia/Singapore', Date.UTC(2026, 10, 20, 16)],
    ['week', 'Asia/Singapore', Date.UTC(2026, 10, 22, 16)],
    ['month', 'Asia/Singapore', Date.UTC(2026, 10, 30, 16)],
    // The night in which the clock goes back, in summer time until 2:00, and the one in which it goes on.
    ['day', 'America/New_York', Date.UTC(2026, 10, 1, 4)],
    ['day', 'America/New_York', Date.UTC(2026, 10, 2, 5)],
    ['week', 'Pacific/Auckland', Date.UTC(2026, 8, 27, 11)],
    ['month', 'America/New_York', Date.UTC(2026, 11, 1, 5)],
  ] as const)(
    'of a %s in %s begins anew at its end, and not 1 ms before',
    async (period, timeZone, end) => {
      const { database, db, playerId, order } = await stage({ timeZone, at: end - HOUR })
      await store.setLimit(db, { playerId, kind: 'stake', period, amount: 150n * U })
      expect(await order()).toBeNull()
      await database.freezeClock(end - 1)
      expect(await order()).toBe('limit_reached')
      await database.freezeClock(end)
      expect(await order()).toBeNull()
      await database.freezeClock(end + 1)
      expect(await order()).toBe('limit_reached')
    },
  )

  it.each([
    ['deposit day', /amount/],
    ['deposit year 5', /deposit, loss or stake, then day, week or month/],
    ['loss day 1.234', /amount/],
    ['loss day -5', /amount/],
    ['loss day 5 6', /deposit, loss or stake/],
    ['loss day 5, loss day 6', /twice/],
  ])('configured as ‘%s’ is refused with what is wrong', (text, fault) => {
    expect(() => readHouseLimits('law', text)).toThrow(fault)
  })
})

it('an exclusion shows a transfer that it holds as one that is not in the balance', async () => {
  const { database, db, playerId } = await stage()
  await store.exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
  const tx = 'ab'.repeat(32)
  await database.owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
       player_id, credited_at)
     values ($1, 0, 1, app.now(), 'from', 'to', 5000000, $2, app.now())`,
    [tx, playerId],
  )
  const deposit = { playerId, micro: 5_000_000n, reference: `usdt:${tx}:0`, from: 'from' }
  await takeDeposit(database.owner, deposit)
  expect(await transfersOf(db, playerId, 10)).toMatchObject([{ txId: tx, status: 'solid' }])
  await database.freezeClock(NOON + 24 * HOUR)
  await store.releaseDeposits(db, { onDay: '2026-11-21' })
  expect(await transfersOf(db, playerId, 10)).toMatchObject([{ txId: tx, status: 'credited' }])
})
