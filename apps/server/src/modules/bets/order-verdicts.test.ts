/** The verdict on each order of one batch, and on one order at each moment of its round. */
import { REASONS } from '@sum28/contract/envelope.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { betOrder } from '#testing/product/play-round.ts'
import type { Bet } from './bet-store.ts'
import { betPlacer, type OrderRow, placeOrders } from './place-bet.ts'
import { sealRound } from './round-bets.ts'

const { database, db, owner } = eachTestDatabase()

const U = 1_000_000n
/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)
const LARGE = 2_147_483_647

type Change = Partial<OrderRow> & { u?: number }
type Verdict = [why: string, cash: number, Change, reason: string | null, facts?: object]

/** Orders of players with so much cash, by default of 100 u on long, and what is said of each. */
function verdictsOn(entries: {
  before: string
  earlier: number
  here: number
  inOtherRoom: number
}): Verdict[] {
  const { before, earlier, here, inOtherRoom } = entries
  return [
    ['nothing is wrong', 1_000, {}, null],
    ['its room is not there', 1_000, { room_id: 999 }, 'not_found'],
    ['its room is of another game', 1_000, { room_id: 21 }, 'not_found'],
    ['its room is a large number', 1_000, { room_id: LARGE, issue: '99999999999999' }, 'not_found'],
    ['its game is not there', 1_000, { game_id: 9 }, 'not_found'],
    ['its game is a large number', 1_000, { game_id: LARGE }, 'not_found'],
    ['its round is over', 1_000, { issue: before }, 'round_wrong'],
    ['an outcome is not there', 1_000, { rule_ids: [1, 99] }, 'rule_unknown'],
    ['an outcome is a large number', 1_000, { rule_ids: [1, LARGE] }, 'rule_unknown'],
    ['its room has no odds for it', 1_000, { rule_ids: [427] }, 'rule_unknown'],
    ['the odds were shown', 1_000, { rules_version: 1 }, null],
    ['other odds were shown', 1_000, { rules_version: 2 }, 'odds_changed'],
    ['it follows one of its room and round', 1_000, { follow_id: here }, null],
    ['it follows one of another room', 1_000, { follow_id: inOtherRoom }, 'follow_unknown'],
    ['it follows one of another round', 1_000, { follow_id: earlier }, 'follow_unknown'],
    ['it follows nothing', 1_000, { follow_id: 999_999 }, 'follow_unknown'],
    ['it is the least', 1_000, { u: 50, rule_ids: [1, 3] }, null],
    [
      'it is less than the least, of one who has less than the room asks for',
      10,
      { u: 49.99, rule_ids: [1, 3] },
      'below_minimum',
      { minimum: String(100n * U) },
    ],
    ['it is the most', 2_000, { u: 1_000, rule_ids: [1, 2] }, null],
    [
      'it is more than the most, and could pay too much',
      9_000,
      { u: 1_000.01, rule_ids: [1, 400] },
      'above_maximum',
      { maximum: String(2_000n * U) },
    ],
    [
      'it could pay too much',
      9_000,
      { u: 1_600, rule_ids: [1] },
      'above_maximum',
      { payout_maximum: String(3_000n * U), payout_left: String(3_000n * U) },
    ],
    [
      'there is less than the room asks for',
      149.99,
      {},
      'below_entry',
      { minimum: String(150n * U) },
    ],
    ['there is just that', 150, {}, null],
    ['there is less than its stakes', 150, { u: 75.01, rule_ids: [1, 3] }, 'insufficient_balance'],
  ]
}

it('each order of a batch is judged by itself', async () => {
  await database.freezeClock(NOON)
  await owner.query('update games.room set stake_max = $1, entry_min = $2 where id = 11', [
    2_000n * U,
    150n * U,
  ])
  await owner.query('update games.house set payout_max = $1', [3_000n * U])
  await owner.query('delete from games.odds where room_id = 11 and rule_id = 427')
  const before = await openTestRound(database)
  const leader = await addPlayer(database, { u: 100_000 })
  const entry = async (...order: Parameters<typeof orderFor>) => {
    const [placed] = await placeOrders(db, [{ ...orderFor(...order), ord: 0 }])
    expect(placed?.reason).toBeNull()
    return Number(placed?.betId)
  }
  const earlier = await entry(leader, before)
  const round = await openTestRound(database, { secondsLeft: 120 })
  const here = await entry(leader, round)
  const inOtherRoom = await entry(leader, round, { room: 2, u: 200 })

  const verdicts = verdictsOn({ before: before.issue, earlier, here, inOtherRoom })
  const orders: OrderRow[] = []
  for (const [ord, [, cash, { u = 100, ...change }]] of verdicts.entries()) {
    const player = await addPlayer(database, { u: cash })
    orders.push({ ...orderFor(player, round, { u }), ...change, ord })
  }
  const frozen = await addPlayer(database)
  await owner.query(`update accounts.player set state = 'frozen' where id = $1`, [frozen])
  const placed = await placeOrders(db, [
    ...orders,
    { ...orderFor(frozen, round), ord: orders.length },
  ])
  expect(placed.map(({ reason, facts }, ord) => [verdicts[ord]?.[0], reason, facts])).toEqual([
    ...verdicts.map(([why, , , reason, facts]) => [why, reason, facts ?? null]),
    [undefined, 'account_locked', null],
  ])
  for (const [ord, [why, cash, , reason]] of verdicts.entries()) {
    const left = await cashOf(database, orders[ord]?.player_id ?? 0)
    if (reason !== null) expect(left, why).toBe(BigInt(Math.round(cash * 100)) * (U / 100n))
  }
  expect(await owner.query('select follow_id from bets.bet where follow_id is not null')).toEqual([
    { follow_id: BigInt(here) },
  ])
  await expectAlwaysTrue(owner)
})

/** How betting is stopped, how it goes on, and what is said meanwhile. */
const STOPS = [
  ['house set stopped = true', 'house set stopped = false', 'games_stopped'],
  [
    'house set clocks_apart_since = app.now()',
    'house set clocks_apart_since = null',
    'games_stopped',
  ],
  ['game set stopped = true where id = 1', 'game set stopped = false', 'room_stopped'],
  ['room set stopped = true where id = 11', 'room set stopped = false', 'room_stopped'],
] as const

it('an order is judged by the stops and the state of its round at that moment', async () => {
  await database.freezeClock(NOON)
  const round = await openTestRound(database)
  const player = await addPlayer(database, { u: 1_000 })
  const placedAt = async (at: number) => {
    await database.freezeClock(at)
    return (await placeAll(database, [orderFor(player, round)]))[0]
  }
  expect(await placedAt(round.opensAt - 1)).toBe('round_closed')
  expect(await placedAt(round.opensAt)).toBeNull()
  for (const [stop, go, reason] of STOPS) {
    await owner.query(`update games.${stop}`)
    expect(await placedAt(round.opensAt), stop).toBe(reason)
    await owner.query(`update games.${go}`)
  }
  expect(await placedAt(round.sealsAt - 1)).toBeNull()
  expect(await placedAt(round.sealsAt)).toBe('round_sealed')
  expect(await sealRound(database.db, round)).toBe(true)
  // The clock goes back.
  expect(await placedAt(round.sealsAt - 1)).toBe('round_sealed')
  expect(await placedAt(round.drawsAt - 1)).toBe('round_sealed')
  // Between two rounds the game is not closed.
  expect(await placedAt(round.drawsAt)).toBe('round_sealed')
  await openTestRound(database)
  expect(await placedAt(round.drawsAt)).toBe('round_wrong')
  await expectAlwaysTrue(owner)
})

it('a reality check tells the stakes of its session that are running, which its net counts as lost', async () => {
  const player = await addPlayer(database)
  const stuck = await openTestRound(database)
  expect(await placeAll(database, [orderFor(player, stuck)])).toEqual([null])
  await database.freezeClock(stuck.sealsAt + 60 * 60_000)
  const round = await openTestRound(database, { gameId: 2 })
  const order = () => orderFor(player, round)
  expect(await placeAll(database, [order()])).toEqual([null])
  await owner.query(`update protection.player set checked_at = checked_at - interval '1 day',
    session_paid_out = 30`)
  const [placed] = await placeOrders(db, [{ ...order(), ord: 0 }])
  expect(placed).toMatchObject({
    reason: 'reality_check_due',
    facts: { staked: String(100n * U), net: String(30n - 100n * U), running: String(100n * U) },
  })
})

it('every reason of the database is met here', async () => {
  const body = await owner.value<string>(
    `select string_agg(prosrc, '') as body from pg_proc where pronamespace = 'bets'::regnamespace`,
  )
  const reasons = [...body.matchAll(/then '([a-z_]+)'$/gm)].map(([, reason]) => reason)
  const inBatch = verdictsOn({ before: '', earlier: 0, here: 0, inOtherRoom: 0 })
  const met = [
    ...inBatch.flatMap(([, , , reason]) => reason ?? []),
    ...STOPS.map(([, , reason]) => reason),
    ...['account_locked', 'round_closed', 'round_sealed'],
    // used-key.test.ts has the orders whose key was used.
    'idempotency_conflict',
  ]
  expect(new Set(reasons)).toEqual(new Set(met))
  expect(REASONS).toEqual(expect.arrayContaining(met))
})

it('a batch with two orders of one player is refused as a whole, and takes no stake', async () => {
  const player = await addPlayer(database)
  const order = orderFor(player, await openTestRound(database))
  const nonce = 'ab'.repeat(16)
  for (const second of [
    { ...order, ord: 1, nonce },
    { ...order, ord: 1, nonce, key: 'another key' },
  ]) {
    await expect(placeOrders(database.db, [{ ...order, ord: 0 }, second])).rejects.toThrow(
      /at most one order of a player/,
    )
  }
  expect(await cashOf(database, player)).toBe(1_000n * U)
  expect(await database.owner.query('select from bets.bet')).toEqual([])
  await expectAlwaysTrue(database.owner)
})

it('an order that the database cannot read fails its batch, once, and not the next', async () => {
  const round = await openTestRound(database)
  const [ann, ben] = [await addPlayer(database), await addPlayer(database)]
  let sentAfresh = 0
  const counted: typeof db = {
    ...db,
    queryAfresh(text, values) {
      sentAfresh += 1
      return db.queryAfresh(text, values)
    },
  }
  const accepted: Bet[] = []
  const place = betPlacer({ db: counted, onAccepted: (bets) => accepted.push(...bets) })
  const unreadable = place(betOrder(ann, round, { issue: 'no number' }))
  const settled = await Promise.allSettled([unreadable, place(betOrder(ben, round))])
  const failed = { status: 'rejected', reason: expect.objectContaining({ code: '22P02' }) }
  expect(settled).toEqual([failed, failed])
  // Only an order without an answer is sent again: the database has answered.
  expect(sentAfresh).toBe(0)
  expect(accepted).toEqual([])
  expect(await place(betOrder(ben, round))).toMatchObject({ bet: { playerId: ben } })
  await expectAlwaysTrue(database.owner)
})
