import { formatAmount } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { winnersReader } from './module.ts'

const DAY_MS = 86_400_000

async function shownIn({ db }: TestDatabase): Promise<string[]> {
  const winners = await winnersReader(db)()
  return winners.map(({ username, gameName, profit }) => {
    return `${username} ${formatAmount(profit)} in ${gameName}`
  })
}

it('the winners are people’s settled wins of 24 hours above their stakes, largest first', async () => {
  const database = await createTestDatabase()
  const player = (name: string, robot = false) => addPlayer(database, { name, robot, u: 100_000 })
  const round = await openTestRound(database)
  const orders = [
    // Wins 92 of 100, 460 of 500, and as a robot much more.
    orderFor(await player('small_winner'), round, { ruleIds: [1] }),
    orderFor(await player('big_winner'), round, { ruleIds: [1], u: 500 }),
    orderFor(await player('robot_winner', true), round, { ruleIds: [427], u: 900 }),
    // 192 are returned for 200: a payout, but no win above the stake.
    orderFor(await player('both_sides'), round, { ruleIds: [1, 2] }),
    orderFor(await player('loser'), round, { ruleIds: [2] }),
  ]
  expect(await placeAll(database, orders)).toEqual([null, null, null, null, null])
  const pending = await openTestRound(database, { gameId: 2, secondsLeft: 3_000 })
  await placeAll(database, [orderFor(await player('waits'), pending, { ruleIds: [1], u: 900 })])

  const shown = () => shownIn(database)
  expect(await shown()).toEqual([])
  await drawTestRound(database, round, [9, 9, 9])
  await settleRound(database.db, round, '2026-11-20')
  const both = ['big_winner 460.00 in DOT', 'small_winner 92.00 in DOT']
  expect(await shown()).toEqual(both)
  const settledAt = await database.owner.value<number>(
    'select settled_at from rounds.round where settled_at is not null',
  )
  await database.freezeClock(settledAt + DAY_MS - 1)
  expect(await shown()).toEqual(both)
  await database.freezeClock(settledAt + DAY_MS)
  expect(await shown()).toEqual([])
})

it('of a settlement’s wins the fifty largest of people are kept', async () => {
  const { owner } = await createTestDatabase()
  const ids = await owner.value<number[]>(`with made as (
       insert into accounts.player (username, email, email_key, group_id, kind)
       select 'member' || n, n || '@example.org', n || '@example.org', 1, case when n % 4 = 0 then 'robot' else 'person' end
       from generate_series(1, 80) n returning id
     )
     select array_agg(id order by id) as ids from made`)
  // Each wins one more than the one before: the ten people who won least are left out.
  await owner.query(
    `select bets.note_winners(1, 1, '2026-11-20', $1::integer[], $1::integer[]::bigint[], array_fill(100::bigint, array[80]),
       array(select 100 + n from generate_series(1, 80) n)::bigint[])`,
    [ids],
  )
  const kept = await owner.query<{ player: number; profit: bigint }>(
    'select player_id as player, profit from bets.winner order by profit',
  )
  const people = ids.map((player, index) => ({ player, profit: BigInt(index + 1) }))
  expect(kept).toEqual(people.filter(({ profit }) => profit % 4n !== 0n).slice(10))
})

it.each([1, 2, 5_000])(
  'a win is one of all bets of the round, settled %i at a time',
  async (max) => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const hedger = await addPlayer(database, { name: 'both_sides', u: 100_000 })
    const winner = await addPlayer(database, { name: 'winner', u: 100_000 })
    const order = (playerId: number, ruleId: number, u: number) =>
      orderFor(playerId, round, { ruleIds: [ruleId], u })
    for (const orders of [
      // 1,920 for 2,000; and 384 for 300.
      [order(hedger, 1, 1_000), order(winner, 1, 200)],
      [order(hedger, 2, 1_000), order(winner, 2, 100)],
    ]) {
      expect(await placeAll(database, orders)).toEqual([null, null])
    }
    await drawTestRound(database, round, [9, 9, 9])
    for (let done = max; done === max; ) {
      done = await database.owner.value<number>(
        `select bets.settle($1, $2, $3, '2026-11-20') as done`,
        [round.gameId, round.issue, max],
      )
    }
    expect(await shownIn(database)).toEqual(['winner 84.00 in DOT'])
  },
)
