/** The greatest payout of a player and round: the worst of the 28 sums, over all his bets of it. */

import { MICRO } from '@sum28/domain/money.ts'
import { RULES, winningRuleIds } from '@sum28/domain/outcomes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writePayoutMax } from '#src/modules/games/payout-limit.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase, stopClock, type TestDatabase } from '#testing/database/test-database.ts'
import { placeOrders } from './place-bet.ts'

const { database } = eachTestDatabase()

type Choice = { ruleIds: number[]; u: number; room?: 1 | 2 | 3 | 4 }

/** Places one order and returns its reason with the amounts. */
async function place(
  { db }: TestDatabase,
  player: number,
  round: TestRound,
  choice: Choice,
): Promise<{ reason: string | null; facts: Record<string, string> | null }> {
  const [placed] = await placeOrders(db, [{ ...orderFor(player, round, choice), ord: 0 }])
  return { reason: placed?.reason ?? null, facts: placed?.facts ?? null }
}

const FITS = { reason: null, facts: null }
const tooMuch = (left: bigint, of = 1_000_000n) => ({
  reason: 'above_maximum',
  facts: { payout_maximum: String(of * MICRO), payout_left: String(left) },
})

describe("what a player's bets of a round may pay", () => {
  it('is a million u at most, with earlier bets of the round in all its rooms, by the sums that they share', async () => {
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 900_000 })
    // The sum 0 pays 960 for 1.
    const zero = (u: number) => place(database, player, round, { ruleIds: [400], u })
    expect(await zero(1_041.67)).toEqual(tooMuch(1_000_000n * MICRO))
    expect(await zero(1_000)).toEqual(FITS)
    // Another room of the game; short pays at the sum 0 as well: 40,000 u are left.
    const short = (u: number) => place(database, player, round, { ruleIds: [2], u, room: 2 })
    expect(await short(21_000)).toEqual(tooMuch(40_000n * MICRO))
    // At 1.93 for 1.
    expect(await short(20_725.38)).toEqual(FITS)
    expect(await short(200)).toEqual(tooMuch(40_000n * MICRO - 39_999_983_400n))
    // Long and short share no sum: nothing of it is used.
    expect(await place(database, player, round, { ruleIds: [1], u: 520_000 })).toEqual(FITS)
    await expectAlwaysTrue(database.owner)
  })

  it('is each player’s own, each round’s and each game’s', async () => {
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 2 })
    const player = await addPlayer(database, { u: 5_000 })
    const stranger = await addPlayer(database, { u: 5_000 })
    const choice = { ruleIds: [400], u: 1_000 }
    expect(await place(database, player, round, choice)).toEqual(FITS)
    expect(await place(database, player, round, choice)).toEqual(tooMuch(40_000n * MICRO))
    expect(await place(database, stranger, round, choice)).toEqual(FITS)
    expect(await place(database, player, other, choice)).toEqual(FITS)
    const next = await openTestRound(database, { secondsLeft: 120 })
    expect(await place(database, player, next, choice)).toEqual(FITS)
  })

  it('is set by the operator, from the next order on, and may be reached exactly', async () => {
    const round = await openTestRound(database)
    const [player, other] = [await addPlayer(database), await addPlayer(database)]
    const [long, short] = [
      { ruleIds: [1], u: 100 },
      { ruleIds: [2], u: 100 },
    ]
    await writePayoutMax(database.owner, 192n * MICRO)
    expect(await place(database, player, round, long)).toEqual(FITS)
    // Both together could pay more than that, if they shared a sum.
    expect(await place(database, player, round, short)).toEqual(FITS)
    expect(await place(database, player, round, short)).toEqual(tooMuch(0n, 192n))
    expect(await place(database, other, round, long)).toEqual(FITS)
    await writePayoutMax(database.owner, 100n * MICRO)
    // The limit is exceeded already, and the rest is zero; other sums have all of it.
    expect(await place(database, other, round, long)).toEqual(tooMuch(0n, 100n))
    expect(await place(database, other, round, { ruleIds: [13], u: 100 })).toEqual(
      tooMuch(100n * MICRO, 100n),
    )
    await expect(database.db.query('update games.house set payout_max = 1')).rejects.toThrow(
      'permission denied',
    )
    await expectAlwaysTrue(database.owner)
  })

  it('accepts only as many of twenty simultaneous orders as fit', async () => {
    await stopClock(database)
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 100_000 })
    await writePayoutMax(database.owner, 1_000n * MICRO)
    const reasons = await Promise.all(
      Array.from({ length: 20 }, () => placeAll(database, [orderFor(player, round)])),
    )
    // Each could pay 192 u.
    expect(reasons.flat().filter((reason) => reason === null)).toHaveLength(5)
    await expectAlwaysTrue(database.owner)
  })

  it('is judged by the 28 sums, whatever is bet before', async () => {
    const round = await openTestRound(database, { secondsLeft: 3_600 })
    await writePayoutMax(database.owner, 3_000n * MICRO)
    const odds = new Map(
      (
        await database.owner.query<{ ruleId: number; oddsMilli: number }>(
          'select rule_id as "ruleId", odds_milli as "oddsMilli" from games.odds where room_id = $1',
          [round.gameId * 10 + 1],
        )
      ).map(({ ruleId, oddsMilli }) => [ruleId, BigInt(oddsMilli)]),
    )
    const choice = fc.record({
      ruleIds: fc.uniqueArray(fc.constantFrom(...RULES.map(({ id }) => id)), {
        minLength: 1,
        maxLength: 5,
      }),
      u: fc.integer({ min: 100, max: 400 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 6 }), async (choices) => {
        const player = await addPlayer(database, { u: 100_000 })
        const owed = Array.from({ length: 28 }, () => 0n)
        for (const { ruleIds, u } of choices) {
          const pays = owed.map((_, sum) =>
            ruleIds
              .filter((id) => winningRuleIds(sum).includes(id))
              .reduce((all, id) => all + BigInt(u) * 1_000n * (odds.get(id) ?? 0n), 0n),
          )
          const fits = pays.every(
            (more, sum) => more === 0n || (owed[sum] ?? 0n) + more <= 3_000n * MICRO,
          )
          const left =
            pays
              .flatMap((more, sum) => (more > 0n ? [3_000n * MICRO - (owed[sum] ?? 0n)] : []))
              .sort((a, b) => Number(a - b))[0] ?? 0n
          expect(await place(database, player, round, { ruleIds, u })).toEqual(
            fits ? FITS : tooMuch(left, 3_000n),
          )
          if (fits) for (const [sum, more] of pays.entries()) owed[sum] = (owed[sum] ?? 0n) + more
        }
      }),
      { numRuns: 25 },
    )
    await expectAlwaysTrue(database.owner)
  })
})
