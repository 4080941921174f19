/** What a player's bets of a round could pay together, which spares most orders a look at each of the 28 sums. */
import { expect, it } from 'vitest'
import { writePayoutMax } from '#src/modules/games/payout-limit.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

const U = 1_000_000n

it('what a player’s bets could pay grows with each of them, and begins anew for each player and round', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(NOON)
  const { owner } = database
  const [ann, ben] = [await addPlayer(database), await addPlayer(database)]
  const round = await openTestRound(database)
  const place = async (...orders: Parameters<typeof orderFor>[]) =>
    placeAll(
      database,
      orders.map((order) => orderFor(...order)),
    )
  // At 1.92 for 1 each.
  expect(await place([ann, round, { ruleIds: [1, 2] }])).toEqual([null])
  expect(await place([ben, round])).toEqual([null])
  expect(await place([ann, round], [ben, round, { u: 200 }])).toEqual([null, null])
  expect(await place([ann, round])).toEqual([null])
  const next = await openTestRound(database, { secondsLeft: 120 })
  expect(await place([ann, next])).toEqual([null])
  const storedBets = await owner.query<{ player: number; could: bigint }>(
    'select player_id as player, could_pay as could from bets.bet order by id',
  )
  const of = (player: number) =>
    storedBets.filter((bet) => bet.player === player).map(({ could }) => could)
  expect(of(ann)).toEqual([384n * U, 576n * U, 768n * U, 192n * U])
  expect(of(ben)).toEqual([192n * U, 576n * U])
  await expectAlwaysTrue(owner)
})

it('an order that could pay too much with all of the earlier ones is refused, though not with the first alone', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(NOON)
  await writePayoutMax(database.owner, 575n * U)
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  const reasons: (string | null | undefined)[] = []
  for (let times = 0; times < 3; times += 1) {
    reasons.push(...(await placeAll(database, [orderFor(player, round)])))
  }
  expect(reasons).toEqual([null, null, 'above_maximum'])
})
