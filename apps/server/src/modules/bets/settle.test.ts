import { RULES, winningRuleIds } from '@sum28/domain/outcomes.ts'
import { payoutOfBet } from '@sum28/domain/payout.ts'
import { startOdds } from '@sum28/domain/testing/outcome-table.ts'
import { describe, expect, it } from 'vitest'
import { statementOf } from '#src/modules/wallet/wallet-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  drawTestRound,
  giveMoney,
  openTestRound,
  orderFor,
  placeAccepted,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { settleRound } from './round-bets.ts'

const { database, db, owner } = eachTestDatabase()

const U = 1_000_000n
const TODAY = '2026-11-20'

describe('the rules in the database', () => {
  it('are those of the code: ids, outcomes, ways, and the outcomes that each sum hits', async () => {
    const rules = await owner.query('select id, outcome, ways from games.rule order by id')
    expect(rules).toEqual([...RULES].sort((a, b) => a.id - b.id))
    for (let sum = 0; sum <= 27; sum++) {
      const ids = await owner.value<number[]>('select games.winning_rules($1) as ids', [sum])
      expect(ids).toEqual(winningRuleIds(sum))
    }
  })

  it('refuse odds that return less than 0.75 or more than 1', async () => {
    const set = (milli: number) =>
      owner.query('update games.odds set odds_milli = $1 where room_id = 11 and rule_id = 1', [
        milli,
      ])
    await set(1_500)
    await set(2_000)
    for (const milli of [1_499, 2_001]) {
      await expect(set(milli)).rejects.toMatchObject({ constraint: 'odds_return' })
    }
  })
})

it('settling pays each of the 36 selections to the micro-unit, whatever the sum is', async () => {
  const odds = new Map(startOdds(0).map(({ ruleId, oddsMilli }) => [ruleId, oddsMilli]))
  const stake = 100_010_000n
  const players: number[] = []
  for (const _rule of RULES) players.push(await addPlayer(database, { u: 101 }))
  const expected = players.map(() => 101n * U)
  for (const sum of [0, 1, 13, 14, 26, 27]) {
    const round = await openTestRound(database)
    for (const playerId of players) await giveMoney(database.owner, { playerId, u: 100.01 })
    await placeAccepted(
      database,
      RULES.map(({ id }, at) => orderFor(players[at] ?? 0, round, { ruleIds: [id], u: 100.01 })),
    )
    const first = Math.min(9, sum)
    const second = Math.min(9, sum - first)
    await drawTestRound(database, round, [first, second, sum - first - second])
    expect(await settleRound(database.db, round, TODAY)).toBe(36)
    for (const [at, { id }] of RULES.entries()) {
      const selection = { ruleId: id, oddsMilli: odds.get(id) ?? 0 }
      expected[at] = (expected[at] ?? 0n) + payoutOfBet(stake, [selection], sum)
      expect(await cashOf(database, players[at] ?? 0), `${id} of ${sum}`).toBe(expected[at])
    }
  }
  await expectAlwaysTrue(database.owner)
})

it('a drawn round without winning rules is not settled: such bets would be refunded', async () => {
  const player = await addPlayer(database)
  const round = await openTestRound(database)
  await placeAccepted(database, [orderFor(player, round)])
  await drawTestRound(database, round, [9, 9, 2])
  await database.owner.query(
    'create or replace function games.winning_rules(total integer) returns smallint[] language sql return null::smallint[]',
  )
  await expect(settleRound(database.db, round, TODAY)).rejects.toThrow('has no winning rules')
  expect(await database.owner.column('select status from bets.bet')).toEqual(['accepted'])
})

it('the payout of a bet is listed with its whole stake, and no other movement has one', async () => {
  const player = await addPlayer(database)
  const round = await openTestRound(database)
  // Long and short: one of them is hit, and pays less than both cost.
  await placeAccepted(database, [orderFor(player, round, { ruleIds: [1, 2] })])
  await drawTestRound(database, round, [9, 9, 2])
  expect(await settleRound(db, round, TODAY)).toBe(1)
  const span = { from: round.opensAt, until: round.drawsAt + 60_000, limit: 10, offset: 0 }
  const kinds = ['stake', 'payout']
  const { rows } = await statementOf(db, { playerId: player, ...span, kinds })
  expect(rows).toMatchObject([
    { kind: 'payout', stake: 200n * U },
    { kind: 'stake', change: -200n * U, stake: null },
  ])
  expect(rows[0]?.change).toBeLessThan(200n * U)
})
