import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { hitsOf } from './player-rounds-store.ts'
import { settleRound, settleSome } from './round-bets.ts'

const LONG = 1
const SHORT = 2

it('a winning bet is reported with the total of its round, after all bets in it are settled', async () => {
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
    await placeAccepted(database, orders)
  }
  await drawTestRound(database, round, [9, 9, 9])
  const rounds = [winner, mixed, loser].map((playerId) => ({ ...round, playerId }))
  const hits = async () => (await hitsOf(database.db, rounds)).flatMap((answer) => answer.hits)
  expect(await hits()).toEqual([])
  // Some of a player's bets may be settled before the others.
  for (let settled = 1; settled < 5; settled++) {
    await settleSome(database.db, round, { max: 1, onDay: '2026-11-20' })
    const waiting = await database.owner.query<{ player: number }>(
      `select player_id as player from bets.bet where status = 'accepted'`,
    )
    expect(waiting).toHaveLength(5 - settled)
    for (const { playerId } of await hits())
      expect(waiting.map(({ player }) => player)).not.toContain(playerId)
  }
  await settleRound(database.db, round, '2026-11-20')
  // 100 and 200 at 1.92 for one; 100 at 1.92 against 200 staked for the other.
  expect((await hitsOf(database.db, rounds)).map(({ final }) => final)).toEqual([true, true, true])
  const sorted = (await hits()).sort((a, b) => Number(a.betId - b.betId))
  expect(
    sorted.map(({ playerId, profit, roundProfit }) => [playerId, profit, roundProfit]),
  ).toEqual([
    [winner, 92_000_000n, 276_000_000n],
    [mixed, 92_000_000n, -8_000_000n],
    [winner, 184_000_000n, 276_000_000n],
  ])
  expect(new Set(sorted.map(({ betId }) => betId)).size).toBe(3)
  await expectAlwaysTrue(database.owner)
})
