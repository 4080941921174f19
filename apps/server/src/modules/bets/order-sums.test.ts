/** Which sums an order is judged by: all of its stakes, free balance alone, and open stakes each once. */
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

const U = 1_000_000n

/** A running round whose first room takes 100 to 200 u from everybody, and whose second asks for 1,000 u. */
async function twoRooms() {
  const database = await createTestDatabase()
  await database.freezeClock(NOON)
  const { owner } = database
  await owner.query('update games.room set stake_max = $1, entry_min = 0 where id = 11', [200n * U])
  await owner.query('update games.room set stake_min = $1, entry_min = $2 where id = 12', [
    100n * U,
    1_000n * U,
  ])
  return { database, owner, round: await openTestRound(database) }
}

describe('an order on two outcomes', () => {
  it('counts with both stakes against the least, the most, and the balance', async () => {
    const { database, owner, round } = await twoRooms()
    const player = await addPlayer(database, { u: 399 })
    const place = (u: number) =>
      placeAll(database, [orderFor(player, round, { ruleIds: [1, 3], u })])
    expect(await place(49.99)).toEqual(['below_minimum'])
    expect(await place(100.01)).toEqual(['above_maximum'])
    expect(await place(100)).toEqual([null])
    // 199 u are left.
    expect(await place(100)).toEqual(['insufficient_balance'])
    expect(await place(99.5)).toEqual([null])
    await expectAlwaysTrue(owner)
  })

  it('counts with both stakes for the balance that a room asks for', async () => {
    const { database, round } = await twoRooms()
    const player = await addPlayer(database)
    const order = orderFor(player, round, { ruleIds: [1, 3] })
    expect(await placeAll(database, [order])).toEqual([null])
    expect(await placeAll(database, [orderFor(player, round, { room: 2 })])).toEqual([null])
  })
})

describe('what is set aside for a withdrawal', () => {
  it('counts neither as balance for a room nor as money to bet with', async () => {
    const { database, owner, round } = await twoRooms()
    const player = await addPlayer(database, { u: 2_150 })
    await owner.query(
      `select wallet.move('withdrawal', array[row($1, '2026-11-20', $2, 'test')::wallet.movement])`,
      [player, 2_000n * U],
    )
    expect(await placeAll(database, [orderFor(player, round, { room: 2 })])).toEqual([
      'below_entry',
    ])
    expect(await placeAll(database, [orderFor(player, round, { u: 150.01 })])).toEqual([
      'insufficient_balance',
    ])
    expect(await placeAll(database, [orderFor(player, round, { u: 150 })])).toEqual([null])
  })
})

describe('the balance that a room asks for', () => {
  it('counts an open stake once, however many rounds of its game are not settled', async () => {
    const { database, round } = await twoRooms()
    const player = await addPlayer(database, { u: 999 })
    expect(await placeAll(database, [orderFor(player, round, { u: 200 })])).toEqual([null])
    const next = await openTestRound(database, { secondsLeft: 120 })
    expect(await placeAll(database, [orderFor(player, next, { room: 2 })])).toEqual(['below_entry'])
  })
})
