import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import {
  createTestDatabase,
  stopClock,
  type TestDatabase,
} from '#testing/database/test-database.ts'

const U = 1_000_000n

async function betsOf({ owner }: TestDatabase, playerId: number): Promise<number> {
  return (await owner.query('select from bets.bet where player_id = $1', [playerId])).length
}

describe('placing orders', () => {
  it('takes the stake on each selection, fixes the odds and names the order', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 1_000 })
    const ruleIds = [413, 1, 11]
    expect(await placeAll(database, [orderFor(player, round, { ruleIds, u: 100.25 })])).toEqual([
      null,
    ])
    expect(await cashOf(database, player)).toBe(1_000n * U - 300_750_000n)
    const [bet] = await database.owner.query<Record<string, unknown>>('select * from bets.bet')
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
    await expectAlwaysTrue(database.owner)
  })

  it('isolates a bad order from the others of its batch', async () => {
    const database = await createTestDatabase()
    await stopClock(database)
    const round = await openTestRound(database)
    const sealed = await openTestRound(database, { gameId: 2, secondsLeft: -1 })
    const players = await Promise.all(Array.from({ length: 9 }, () => addPlayer(database)))
    const [a, b, c, d, e, f, g, h, i] = players as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    await database.owner.query('update games.room set stopped = true where id = 12')
    const reasons = await placeAll(database, [
      orderFor(a, round),
      orderFor(b, { ...round, issue: '20261120999' }),
      orderFor(c, sealed),
      orderFor(d, round, { ruleIds: [1, 99] }),
      orderFor(e, round, { u: 99.99 }),
      orderFor(f, round, { u: 1_000.01 }),
      orderFor(g, { ...round, gameId: 3 }),
      orderFor(h, round, { room: 2, u: 500 }),
      orderFor(i, round, { ruleIds: [427] }),
    ])
    expect(reasons).toEqual([
      null,
      'round_wrong',
      'round_sealed',
      'rule_unknown',
      'below_minimum',
      'insufficient_balance',
      'round_closed',
      'room_stopped',
      null,
    ])
    for (const player of [b, c, d, e, f, g, h]) {
      expect(await betsOf(database, player)).toBe(0)
      expect(await cashOf(database, player)).toBe(1_000n * U)
    }
    await expectAlwaysTrue(database.owner)
  })

  it('counts the minimum over the whole order and not over a selection', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    const stake = async (u: number) =>
      placeAll(database, [orderFor(player, round, { ruleIds: [1, 3], u })])
    expect(await stake(49.99)).toEqual(['below_minimum'])
    expect(await stake(50)).toEqual([null])
  })

  it('refuses rooms of another game, unknown rooms, and amounts above the maximum', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 2_000_000 })
    const order = orderFor(player, round)
    expect(await placeAll(database, [{ ...order, room_id: 21 }])).toEqual(['not_found'])
    expect(await placeAll(database, [{ ...order, room_id: 999 }])).toEqual(['not_found'])
    expect(await placeAll(database, [orderFor(player, round, { u: 1_000_000.01 })])).toEqual([
      'above_maximum',
    ])
    expect(await betsOf(database, player)).toBe(0)
  })

  it('accepts no bet if the operator has stopped the game, or all games', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    await database.owner.query('update games.game set stopped = true where id = 1')
    expect(await placeAll(database, [orderFor(player, round)])).toEqual(['room_stopped'])
    await database.owner.query('update games.house set stopped = true')
    expect(await placeAll(database, [orderFor(player, round)])).toEqual(['games_stopped'])
  })

  it.each([
    [-50, null],
    [-1, null],
    [0, 'round_sealed'],
    [50, 'round_sealed'],
  ])('answers an order %i ms from the seal with %s', async (ms, reason) => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    await database.freezeClock(round.sealsAt + ms)
    expect(await placeAll(database, [orderFor(player, round)])).toEqual([reason])
    await expectAlwaysTrue(database.owner)
  })

  it('accepts none after the round is sealed, even if the clock goes back', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    await database.freezeClock(round.sealsAt)
    const [sealed] = await database.db.query('select bets.seal(1::smallint, $1) as done', [
      round.issue,
    ])
    expect(sealed).toEqual({ done: true })
    await database.freezeClock(round.sealsAt - 5_000)
    expect(await placeAll(database, [orderFor(player, round)])).toEqual(['round_sealed'])
  })

  it('makes the seal wait for a batch that is running, and has its bets in the book', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    const sealing = await database.db.transaction(async (tx) => {
      await tx.query('select * from bets.place($1::jsonb)', [
        JSON.stringify([{ ...orderFor(player, round), ord: 0 }]),
      ])
      await database.freezeClock(round.sealsAt + 1)
      const sealed = database.db.query('select bets.seal(1::smallint, $1) as done', [round.issue])
      await new Promise((later) => setTimeout(later, 200))
      const states = await database.owner.query('select state from rounds.round')
      expect(states).toEqual([{ state: 'open' }])
      return { sealed }
    })
    expect(await sealing.sealed).toEqual([{ done: true }])
    expect(await betsOf(database, player)).toBe(1)
    await expectAlwaysTrue(database.owner)
  })

  it('accepts exactly one of a hundred parallel bets on a balance for one', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 199 })
    const reasons = await Promise.all(
      Array.from({ length: 100 }, () => placeAll(database, [orderFor(player, round)])),
    )
    expect(reasons.flat().filter((reason) => reason === null)).toHaveLength(1)
    expect(reasons.flat().filter((reason) => reason === 'insufficient_balance')).toHaveLength(99)
    expect(await cashOf(database, player)).toBe(99n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('acts once on a key that several processes send at the same time', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    const reasons = await Promise.all(
      Array.from({ length: 20 }, () =>
        placeAll(database, [orderFor(player, round, { key: 'same' })]),
      ),
    )
    expect(reasons.flat().filter((reason) => reason === null)).toHaveLength(1)
    expect(reasons.flat().filter((reason) => reason === 'replay')).toHaveLength(19)
    expect(await betsOf(database, player)).toBe(1)
  })

  it('keeps parallel batches of many players apart and every book right', async () => {
    const database = await createTestDatabase()
    await stopClock(database)
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 2 })
    const players = await Promise.all(
      Array.from({ length: 30 }, () => addPlayer(database, { u: 1_000 })),
    )
    const batches = Array.from({ length: 20 }, (_, batch) =>
      placeAll(
        database,
        players.map((player, index) => orderFor(player, (index + batch) % 2 ? round : other)),
      ),
    )
    const reasons = (await Promise.all(batches)).flat()
    // Each has 1,000 u for ten of the twenty bets of 100 u.
    expect(reasons.filter((reason) => reason === null)).toHaveLength(300)
    for (const player of players) expect(await cashOf(database, player)).toBe(0n)
    await expectAlwaysTrue(database.owner)
  })

  it('numbers the bets of a round in the order of their acceptance', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const players = await Promise.all(Array.from({ length: 20 }, () => addPlayer(database)))
    await Promise.all(players.map((player) => placeAll(database, [orderFor(player, round)])))
    const rows = await database.owner.query<{ accepted_at: number }>(
      'select accepted_at from bets.bet order by id',
    )
    const times = rows.map(({ accepted_at }) => accepted_at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })
})
