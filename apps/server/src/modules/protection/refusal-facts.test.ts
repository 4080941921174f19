/** What a player is told if his limits or the reality check refuse an order. */
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import { placeOrders } from '#src/modules/bets/place-bet.ts'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import { addPlayer, drawTestRound, openTestRound, orderFor } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { setLimit } from './protection-store.ts'
import { writeProtectionTerms } from './protection-terms.ts'

const U = MICRO
const HOUR = 3_600_000
/** Noon of 20 November 2026, a Friday, in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

/** A player at noon whose session lasts two hours without a bet, and who gets a reality check each hour. */
async function atNoon() {
  const database = await createTestDatabase()
  await database.freezeClock(NOON)
  const terms = { timeZone: 'Asia/Singapore', sessionBreakMs: 2 * HOUR, checkEveryMs: HOUR }
  await database.owner.transaction((tx) => writeProtectionTerms(tx, { ...terms, limits: [] }))
  const playerId = await addPlayer(database)
  return {
    database,
    db: database.db,
    playerId,
    async order(u: number) {
      const round = await openTestRound(database)
      const [placed] = await placeOrders(database.db, [
        { ...orderFor(playerId, round, { u }), ord: 0 },
      ])
      return { round, reason: placed?.reason, facts: placed?.facts }
    },
  }
}

it('of several limits that an order would pass the one with the least left is told', async () => {
  const { database, db, playerId, order } = await atNoon()
  await setLimit(db, { playerId, kind: 'stake', period: 'day', amount: 100n * U })
  await setLimit(db, { playerId, kind: 'stake', period: 'week', amount: 150n * U })
  expect(await order(100)).toMatchObject({ reason: null })
  // A new day has begun, but no new week.
  await database.freezeClock(NOON + 24 * HOUR)
  expect(await order(120)).toMatchObject({
    reason: 'limit_reached',
    facts: {
      ...{ limit: 'stake', period: 'week' },
      ...{ amount: String(150n * U), left: String(50n * U) },
    },
  })
})

it('a moment is told in seconds, rounded up from its milliseconds as in other replies', async () => {
  const { owner } = await createTestDatabase()
  const told = (fraction: string) =>
    owner.query(`select protection.seconds_of($1::timestamptz) as seconds`, [
      `2026-11-20T04:00:00${fraction}Z`,
    ])
  for (const [fraction, more] of [
    ['', 0],
    ['.000999', 0],
    ['.001', 1],
    ['.999999', 1],
  ] as const) {
    expect(await told(fraction)).toEqual([{ seconds: String(NOON / 1_000 + more) }])
  }
})

it('a reality check tells since when he plays, what he staked and won, and the difference', async () => {
  const { database, db, order } = await atNoon()
  const { round } = await order(100)
  await drawTestRound(database, round, [9, 9, 9])
  expect(await settleRound(db, round, '2026-11-20')).toBe(1)
  await database.freezeClock(NOON + HOUR)
  expect(await order(100)).toMatchObject({
    reason: 'reality_check_due',
    facts: {
      ...{ began_at: String(NOON / 1_000), elapsed_s: '3600' },
      ...{ staked: String(100n * U), won: String(192n * U), net: String(92n * U) },
    },
  })
})
