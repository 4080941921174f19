import { expect, it } from 'vitest'
import { settleRound } from '#src/modules/bets/resolve-round.ts'
import { addPlayer, drawTestRound, openTestRound, orderFor, placeAll } from '#testing/fixtures.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { hitsOfRounds } from './bet-store.ts'

const LONG = 1
const SHORT = 2

it('a round is told of as won only if all bets in it came to more than was staked', async () => {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const [winner, mixed, loser] = [
    await addPlayer(database),
    await addPlayer(database),
    await addPlayer(database),
  ]
  const order = (player: number, rule: number, u: number) =>
    orderFor(player, round, { ruleIds: [rule], u })
  for (const orders of [
    [order(winner, LONG, 100), order(mixed, LONG, 100), order(loser, SHORT, 100)],
    [order(winner, LONG, 200), order(mixed, SHORT, 100)],
  ]) {
    expect(await placeAll(database, orders)).toEqual(orders.map(() => null))
  }
  await drawTestRound(database, round, [9, 9, 9])
  const asked = { gameId: 1, issues: [round.issue], playerIds: [winner, mixed, loser] }
  expect(await hitsOfRounds(database.db, asked)).toEqual([])
  await settleRound(database.db, round, '2026-11-20')
  // 300 at 1.92 for one; 100 at 1.92 against 200 staked for the other, which is no win.
  expect(await hitsOfRounds(database.db, asked)).toMatchObject([
    { playerId: winner, issue: round.issue, profit: 276_000_000n },
  ])
})
