/** Each refusal of an order, separately: with this as the only reason, and without taking a stake. */
import { REASONS } from '@sum28/contract/envelope.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type OrderRow, placeOrders } from './bet-store.ts'

const U = 1_000_000n
type Scene = { database: TestDatabase; round: TestRound; player: number }
type Order = Omit<OrderRow, 'ord'>

const owner =
  (sql: string) =>
  ({ database }: Scene) =>
    database.owner.query(sql)

/** What is changed in a setting with a valid order, or in the order, and the resulting refusal. */
const SCENES: [
  reason: string,
  why: string,
  { change?: (scene: Scene) => Promise<unknown>; order?: (order: Order, scene: Scene) => Order },
][] = [
  ['not_found', 'no such room', { order: (order) => ({ ...order, room_id: 999 }) }],
  ['not_found', "another game's room", { order: (order) => ({ ...order, room_id: 21 }) }],
  ['not_found', 'no such game', { order: (order) => ({ ...order, game_id: 9 }) }],
  ['games_stopped', 'all is stopped', { change: owner('update games.house set stopped = true') }],
  [
    'games_stopped',
    'the clocks are apart',
    { change: owner('update games.house set clocks_apart_since = app.now()') },
  ],
  [
    'room_stopped',
    'the game is stopped',
    { change: owner('update games.game set stopped = true where id = 1') },
  ],
  [
    'room_stopped',
    'the room is stopped',
    { change: owner('update games.room set stopped = true where id = 11') },
  ],
  [
    'round_closed',
    'no round runs: it is over',
    { change: ({ database, round }) => database.freezeClock(round.drawsAt) },
  ],
  [
    'round_closed',
    'no round runs: it has not begun',
    { change: ({ database, round }) => database.freezeClock(round.opensAt - 1) },
  ],
  ['round_wrong', 'another round runs', { order: (order) => ({ ...order, issue: '20261120999' }) }],
  [
    'round_sealed',
    'its time is over',
    { change: ({ database, round }) => database.freezeClock(round.sealsAt) },
  ],
  ['rule_unknown', 'no such outcome', { order: (order) => ({ ...order, rule_ids: [1, 99] }) }],
  [
    'rule_unknown',
    'the room has no odds for it',
    { change: owner('delete from games.odds where room_id = 11 and rule_id = 1') },
  ],
  [
    'odds_changed',
    'the player was shown others',
    { order: (order) => ({ ...order, rules_version: 2 }) },
  ],
  [
    'odds_changed',
    'they changed after the player was shown them',
    {
      change: owner('update games.room set rules_version = 2 where id = 11'),
      order: (order) => ({ ...order, rules_version: 1 }),
    },
  ],
  [
    'follow_unknown',
    'what it follows is nothing',
    { order: (order) => ({ ...order, follow_id: 999_999 }) },
  ],
  ['below_minimum', 'a cent too little', { order: (order) => ({ ...order, stake: '99990000' }) }],
  [
    'above_maximum',
    'a cent too much',
    {
      change: owner('update games.room set stake_max = 100000000 where id = 11'),
      order: (order) => ({ ...order, stake: '100010000' }),
    },
  ],
  [
    'above_maximum',
    'it could pay too much',
    { change: owner('update games.house set payout_max = 191999999') },
  ],
  [
    'account_locked',
    'the account is frozen',
    { change: owner(`update accounts.player set state = 'frozen'`) },
  ],
  [
    'below_entry',
    'a micro-unit short of the room’s balance',
    { change: owner('update games.room set entry_min = 1000000001 where id = 11') },
  ],
  [
    'insufficient_balance',
    'a cent more than there is',
    { order: (order) => ({ ...order, stake: '1000010000' }) },
  ],
]

async function scene(): Promise<Scene & { order: Order }> {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  return { database, round, player, order: orderFor(player, round) }
}

it('without any of them the order is accepted, at each of the limits', async () => {
  const { database, round, player, order } = await scene()
  await database.owner.query(
    'update games.room set stake_max = 1000000000, entry_min = 1000000000 where id = 11',
  )
  await database.owner.query('update games.house set payout_max = 1920000000')
  await database.freezeClock(round.sealsAt - 1)
  expect(await placeAll(database, [{ ...order, stake: '1000000000' }])).toEqual([null])
  expect(await cashOf(database, player)).toBe(0n)
  await expectAlwaysTrue(database.owner)
})

it.each(SCENES)('%s: %s', async (reason, _why, { change, order: changed }) => {
  const { order, ...at } = await scene()
  await change?.(at)
  expect(REASONS).toContain(reason)
  expect(await placeAll(at.database, [changed?.(order, at) ?? order])).toEqual([reason])
  expect(await cashOf(at.database, at.player)).toBe(1_000n * U)
  expect(await at.database.owner.query('select from bets.bet')).toEqual([])
  await expectAlwaysTrue(at.database.owner)
})

it('every reason of the database is in this list', async () => {
  const { owner: asOwner } = await createTestDatabase()
  const [text] = await asOwner.query<{ body: string }>(
    `select string_agg(prosrc, '') as body from pg_proc where pronamespace = 'bets'::regnamespace`,
  )
  const reasons = [...(text?.body ?? '').matchAll(/then '([a-z_]+)'$/gm)].map(
    ([, reason]) => reason,
  )
  // order-key.test.ts has the orders whose key was used.
  const listed = [...SCENES.map(([reason]) => reason), 'idempotency_conflict']
  expect(new Set(reasons)).toEqual(new Set(listed))
})

it('a followed entry must be of this room and of this round', async () => {
  const { database, round, player, order } = await scene()
  const other = await openTestRound(database, { gameId: 2 })
  const rich = await addPlayer(database, { u: 10_000 })
  async function entry(of: TestRound, room: 1 | 2): Promise<number> {
    const [placed] = await placeOrders(database.db, [
      { ...orderFor(rich, of, { room, u: 200 }), ord: 0 },
    ])
    return Number(placed?.betId)
  }
  const here = await entry(round, 1)
  for (const elsewhere of [await entry(round, 2), await entry(other, 1)]) {
    expect(await placeAll(database, [{ ...order, follow_id: elsewhere }])).toEqual([
      'follow_unknown',
    ])
  }
  expect(await placeAll(database, [{ ...order, follow_id: here }])).toEqual([null])
  const next = await openTestRound(database, { secondsLeft: 120 })
  expect(await placeAll(database, [{ ...orderFor(player, next), follow_id: here }])).toEqual([
    'follow_unknown',
  ])
  expect(
    await database.owner.query('select follow_id from bets.bet where player_id = $1', [player]),
  ).toEqual([{ follow_id: BigInt(here) }])
  await expectAlwaysTrue(database.owner)
})

it('a batch with two orders of one player is refused as a whole, and takes no stake', async () => {
  const { database, player, order } = await scene()
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
