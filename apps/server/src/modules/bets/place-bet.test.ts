import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addPlayers,
  cashOf,
  openTestRound,
  orderFor,
  placeAccepted,
  placeAll,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'

const { database, owner } = eachTestDatabase()

const U = 1_000_000n

describe('placing orders', () => {
  it('takes the stake on each selection, fixes the odds and names the order', async () => {
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 1_000 })
    const ruleIds = [413, 1, 11]
    await placeAccepted(database, [orderFor(player, round, { ruleIds, u: 100.25 })])
    expect(await cashOf(database, player)).toBe(1_000n * U - 300_750_000n)
    const [bet] = await owner.query<Record<string, unknown>>('select * from bets.bet')
    expect(bet).toMatchObject({
      rule_ids: ruleIds,
      // 0.96 x 1,000 / ways, cut to three decimals: 75, 500 and 231 ways.
      odds_milli: [12_800, 1_920, 4_155],
      stake: 100_250_000n,
      total: 300_750_000n,
      cash_after: 699_250_000n,
      status: 'accepted',
      order_no: expect.stringMatching(/^20261120\d{8}$/),
    })
    await expectAlwaysTrue(owner)
  })

  it('accepts exactly one of a hundred parallel bets on a balance for one', async () => {
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 199 })
    const reasons = await Promise.all(
      Array.from({ length: 100 }, () => placeAll(database, [orderFor(player, round)])),
    )
    expect(reasons.flat().filter((reason) => reason === null)).toHaveLength(1)
    expect(reasons.flat().filter((reason) => reason === 'insufficient_balance')).toHaveLength(99)
    expect(await cashOf(database, player)).toBe(99n * U)
    await expectAlwaysTrue(owner)
  })

  it('keeps parallel batches of many players apart and every book right', async () => {
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 2 })
    const players = await addPlayers(database, 10, { u: 300 })
    const batches = Array.from({ length: 6 }, (_, batch) =>
      placeAll(
        database,
        players.map((player, index) => orderFor(player, (index + batch) % 2 ? round : other)),
      ),
    )
    const reasons = (await Promise.all(batches)).flat()
    // Each has 300 u for three of the six bets of 100 u.
    expect(reasons.filter((reason) => reason === null)).toHaveLength(30)
    for (const player of players) expect(await cashOf(database, player)).toBe(0n)
    // The bets of a round are numbered in the order of their acceptance.
    const disordered = `select from (select accepted_at, max(accepted_at) over (partition by game_id order by id) as latest
      from bets.bet) as numbered where accepted_at < latest`
    expect(await owner.query(disordered)).toEqual([])
    await expectAlwaysTrue(owner)
  })
})
