import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { transfersOf } from '#src/modules/deposits/deposit-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { readHouseLimits } from './house-limits.ts'
import * as store from './protection-store.ts'
import { writeProtectionTerms } from './protection-terms.ts'

const HOUR = 3_600_000
/** Noon of 20 November 2026, a Friday, in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)
const U = MICRO

async function stage({ timeZone = 'Asia/Singapore', at = NOON } = {}) {
  const database = await createTestDatabase()
  await database.freezeClock(at)
  const terms = { timeZone, sessionBreakMs: HOUR / 2, checkEveryMs: HOUR, limits: [] }
  await database.owner.transaction((tx) => writeProtectionTerms(tx, terms))
  const playerId = await addPlayer(database, { u: 100_000 })
  let orders = 0
  const order = async (u = 100) => {
    // Each in another game, so that no earlier round is still running.
    orders += 1
    const round = await openTestRound(database, { secondsLeft: 60, gameId: 1 + (orders % 4) })
    const [reason] = await placeAll(database, [orderFor(playerId, round, { u })])
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

  it('is lower at once, and higher when it is confirmed, 24 hours later and not 1 ms before', async () => {
    const { database, db, playerId, order } = await stage()
    const limit = { playerId, kind: 'stake', period: 'month' } as const
    expect(await store.setLimit(db, { ...limit, amount: 300n * U })).toBe('lowered')
    expect(await store.setLimit(db, { ...limit, amount: 100n * U })).toBe('lowered')
    expect(await order(101)).toBe('limit_reached')
    expect(await store.setLimit(db, { ...limit, amount: null })).toBe('raise_asked')
    await database.freezeClock(NOON + 24 * HOUR - 1)
    expect(await store.confirmRaise(db, limit)).toBe('too_early')
    expect(await order(101)).toBe('limit_reached')
    await database.freezeClock(NOON + 24 * HOUR)
    // It is not higher by itself.
    expect(await order(101)).toBe('limit_reached')
    expect(await store.confirmRaise(db, limit)).toBe('raised')
    expect(await order(101)).toBeNull()
    expect(await store.confirmRaise(db, limit)).toBe('not_asked')
  })

  it('whose raise is not confirmed stays as it is: the request expires a week after it could be confirmed', async () => {
    const { database, db, playerId } = await stage()
    const limit = { playerId, kind: 'loss', period: 'day' } as const
    await store.setLimit(db, { ...limit, amount: 100n * U })
    await store.setLimit(db, { ...limit, amount: 200n * U })
    await database.freezeClock(NOON + 8 * 24 * HOUR)
    expect(await store.confirmRaise(db, limit)).toBe('not_asked')
  })

  it('of the law or the operator applies, whatever the player set', async () => {
    const { database, db, playerId, order } = await stage()
    const limits = [
      ...readHouseLimits('law', 'stake day 250'),
      ...readHouseLimits('operator', 'stake day 400'),
    ]
    const terms = { timeZone: 'UTC', sessionBreakMs: HOUR, checkEveryMs: HOUR, limits }
    await database.owner.transaction((tx) => writeProtectionTerms(tx, terms))
    await store.setLimit(db, { playerId, kind: 'stake', period: 'day', amount: 900n * U })
    expect(await order(251)).toBe('limit_reached')
    expect(await order(250)).toBeNull()
    expect(await order(100)).toBe('limit_reached')
  })

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

describe('a reality check', () => {
  it('is due an hour after the first bet and not 1 ms before, and holds until it is acknowledged', async () => {
    const { database, db, playerId, order } = await stage()
    for (const minutes of [0, 20, 40]) {
      await database.freezeClock(NOON + minutes * 60_000)
      expect(await order()).toBeNull()
    }
    await database.freezeClock(NOON + HOUR - 1)
    expect(await order()).toBeNull()
    await database.freezeClock(NOON + HOUR)
    expect(await order()).toBe('reality_check_due')
    expect(await store.setRealityCheck(db, { playerId, everyMinutes: 240 })).toBe(
      'reality_check_due',
    )
    expect(await store.acknowledgeRealityCheck(db, playerId)).toBe(true)
    expect(await store.acknowledgeRealityCheck(db, playerId)).toBe(false)
    expect(await order()).toBeNull()
  })

  it('is not due after a break of half an hour, which ends the session', async () => {
    const { database, order } = await stage()
    expect(await order()).toBeNull()
    await database.freezeClock(NOON + 29 * 60_000)
    expect(await order()).toBeNull()
    await database.freezeClock(NOON + 59 * 60_000)
    expect(await order()).toBeNull()
    await database.freezeClock(NOON + 61 * 60_000)
    expect(await order()).toBeNull()
  })
})

describe('an exclusion', () => {
  it('of a time-out ends by itself, and is never shortened', async () => {
    const { database, db, playerId, order } = await stage()
    const timeOut = { playerId, kind: 'time_out' } as const
    expect(await store.exclude(db, { ...timeOut, lasting: '48 hours' })).toBe('begun')
    expect(await store.exclude(db, { ...timeOut, lasting: '24 hours' })).toBe('already_excluded')
    await database.freezeClock(NOON + 48 * HOUR - 1)
    expect(await order()).toBe('excluded')
    await database.freezeClock(NOON + 48 * HOUR)
    expect(await order()).toBeNull()
  })

  it.each(['23 hours', '43 days'])('of a time-out lasts no %s', async (lasting) => {
    const { db, playerId } = await stage()
    await expect(store.exclude(db, { playerId, kind: 'time_out', lasting })).rejects.toThrow(
      'no time_out',
    )
  })

  it('by the player himself ends a day after he requests to return, and not before its time', async () => {
    const { database, db, playerId, order } = await stage()
    const own = { playerId, kind: 'self_exclusion', lasting: '6 months' } as const
    const end = Date.UTC(2027, 4, 20, 4)
    expect(await store.requestEnd(db, playerId)).toBe('not_excluded')
    expect(await store.exclude(db, own)).toBe('begun')
    await database.freezeClock(end - 1)
    expect(await store.requestEnd(db, playerId)).toBe('too_early')
    await database.freezeClock(end + HOUR)
    expect(await order()).toBe('excluded')
    expect(await store.requestEnd(db, playerId)).toBe('end_requested')
    expect(await store.requestEnd(db, playerId)).toBe('not_excluded')
    await database.freezeClock(end + 25 * HOUR - 1)
    expect(await order()).toBe('excluded')
    await database.freezeClock(end + 25 * HOUR)
    expect(await order()).toBeNull()
  })

  it('shows a transfer that it holds as one that is not in the balance', async () => {
    const { database, db, playerId } = await stage()
    await store.exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
    const tx = 'ab'.repeat(32)
    await database.owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
         player_id, credited_at)
       values ($1, 0, 1, app.now(), 'from', 'to', 5000000, $2, app.now())`,
      [tx, playerId],
    )
    await database.owner.query(
      `select from protection.credit_deposits(
         array[row($1, '2026-11-20', 5000000, $2)::wallet.movement], array['from'])`,
      [playerId, `usdt:${tx}:0`],
    )
    expect(await transfersOf(db, playerId, 10)).toMatchObject([{ txId: tx, held: true }])
    await database.freezeClock(NOON + 24 * HOUR)
    await store.releaseDeposits(db, { onDay: '2026-11-21' })
    expect(await transfersOf(db, playerId, 10)).toMatchObject([{ txId: tx, held: false }])
  })

  it('holds a deposit, which is released when it ends', async () => {
    const { database, db, playerId } = await stage()
    await store.exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
    await database.owner.query(
      `select from protection.credit_deposits(
         array[row($1, '2026-11-20', 5000000, 'test:7')::wallet.movement], array[null])`,
      [playerId],
    )
    const balance = async () =>
      (await db.query('select cash, held from ledger.balance where holder_id = $1', [playerId]))[0]
    expect(await balance()).toEqual({ cash: 100_000n * U, held: 5n * U })
    expect(await store.releaseDeposits(db, { onDay: '2026-11-21' })).toEqual([])
    await database.freezeClock(NOON + 24 * HOUR)
    expect(await store.releaseDeposits(db, { onDay: '2026-11-21' })).toEqual([
      { playerId, amount: 5n * U },
    ])
    expect(await balance()).toEqual({ cash: 100_005n * U, held: 0n })
    await expectAlwaysTrue(database.owner)
  })

  it('that holds deposits without an end stops the release of no other player’s', async () => {
    const { database, db, playerId } = await stage()
    const other = await addPlayer(database, { u: 0 })
    expect(other).toBeGreaterThan(playerId)
    await store.exclude(db, { playerId, kind: 'self_exclusion', lasting: '6 months' })
    await store.exclude(db, { playerId: other, kind: 'time_out', lasting: '24 hours' })
    for (const [at, holder] of [playerId, playerId, other].entries()) {
      await database.owner.query(
        `select from protection.credit_deposits(
           array[row($1, '2026-11-20', 5000000, $2)::wallet.movement], array[null])`,
        [holder, `test:${at}`],
      )
    }
    await database.freezeClock(NOON + 24 * HOUR)
    expect(await store.releaseDeposits(db, { onDay: '2026-11-21', max: 1 })).toEqual([
      { playerId: other, amount: 5n * U },
    ])
    await expectAlwaysTrue(database.owner)
  })
})
