/** An order that follows another, and two orders of one player in a batch. */
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
import { createTestDatabase } from '#testing/database/test-database.ts'
import { placeOrders } from './bet-store.ts'

const U = 1_000_000n

async function scene() {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  return { database, round, player, order: orderFor(player, round) }
}

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
