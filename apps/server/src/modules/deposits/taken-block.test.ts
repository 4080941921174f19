/** Blocks are taken once and in order, and a transfer of nothing is no deposit. */
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, giveAddress, takeBlock } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { beginWatching, watcherHeight } from './deposit-store.ts'

/** A member with the address T1, and a chain that is watched after block 10. */
async function watched() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const player = await addPlayer(database, { u: 0 })
  await giveAddress(owner, player, 'T1')
  await beginWatching(db, 'test', 10)
  return {
    database,
    player,
    /** Takes a block with one transaction, which has a transfer to the member for each amount. */
    take: (
      number: number,
      amounts: number[],
      {
        by = db,
        again = false,
        from = 'T0',
      }: { by?: Queryable; again?: boolean; from?: string } = {},
    ) =>
      takeBlock(by, {
        chain: 'test',
        block: number,
        transfers: amounts.map((amount, log) => ({
          tx: 'ab'.repeat(32),
          log,
          from,
          to: 'T1',
          amount: BigInt(amount),
        })),
        again,
      }),
    height: () => watcherHeight(db, 'test'),
    recorded: async () =>
      await owner.value<number>('select count(*)::integer as count from deposits.transfer'),
  }
}

it('a block is taken only if it is the one after the last', async () => {
  const { database, player, take, height, recorded } = await watched()
  for (const wrong of [9, 10, 12]) {
    await expect(take(wrong, [5]), String(wrong)).rejects.toThrow('the height is 10')
  }
  expect([await height(), await recorded(), await cashOf(database, player)]).toEqual([10, 0, 0n])
  expect(await take(11, [5])).toHaveLength(1)
  await expect(take(11, [5])).rejects.toThrow('the height is 11')
  expect([await height(), await recorded(), await cashOf(database, player)]).toEqual([11, 1, 5n])
  await expectAlwaysTrue(database.owner)
})

it('a block up to the last is taken again for what a node hid, which moves no height', async () => {
  const { database, player, take, height, recorded } = await watched()
  const again = { again: true }
  await take(11, [5])
  await take(12, [])
  expect(await take(11, [5, 6], again)).toMatchObject([{ amount: 6n }])
  expect(await height()).toBe(12)
  expect(await take(12, [5, 6, 7], again)).toMatchObject([{ amount: 7n }])
  await expect(take(14, [8], again)).rejects.toThrow('the height is 12')
  expect([await height(), await recorded(), await cashOf(database, player)]).toEqual([12, 3, 18n])
  await expectAlwaysTrue(database.owner)
})

it('of two that take a block at once the second waits, and is refused', async () => {
  const { database, player, take, height } = await watched()
  const second = await answerAfter(database, {
    first: (tx) => take(11, [5], { by: tx }),
    second: () => take(11, [5]).catch((error: Error) => error.message),
  })
  expect(second).toContain('the height is 11')
  expect([await height(), await cashOf(database, player)]).toEqual([11, 5n])
})

it('a transfer of nothing is not recorded, and one of a micro-unit is credited, to a frozen player too', async () => {
  const { database, player, take, recorded } = await watched()
  await changePlayer(database, player, `state = 'frozen'`)
  expect(await take(11, [0, 1])).toMatchObject([{ playerId: player, amount: 1n }])
  expect([await recorded(), await cashOf(database, player)]).toEqual([1, 1n])
})

it('a transfer from before the address was the member’s is not credited to him', async () => {
  const { database, player, take, recorded } = await watched()
  await database.freezeClock(Date.UTC(2026, 10, 20))
  const given = (minutes: number) =>
    database.owner.query(
      `update deposits.address set given_at = app.now() + $1 * interval '1 minute'`,
      [minutes],
    )
  // The clocks of the chain and of the database may differ by ten minutes.
  await given(11)
  expect(await take(11, [5])).toEqual([])
  expect([await recorded(), await cashOf(database, player)]).toEqual([1, 0n])
  await given(10)
  expect(await take(12, [0, 5])).toMatchObject([{ playerId: player, amount: 5n }])
  expect([await recorded(), await cashOf(database, player)]).toEqual([2, 5n])
  await expectAlwaysTrue(database.owner)
})

it('a transfer from an address of ours is the house’s own: it is unmatched, and credited to nobody', async () => {
  const { database, player, take, recorded } = await watched()
  const { db, owner } = database
  await owner.query(
    `insert into deposits.spare_address (account, derivation_index, address) values ('a', 9, 'T2')`,
  )
  expect(await take(11, [5], { from: 'T2' })).toEqual([])
  expect([await recorded(), await cashOf(database, player)]).toEqual([1, 0n])
  const unmatched = await db.query('select state, from_address from deposits.unmatched_transfer')
  expect(unmatched).toEqual([{ state: 'waiting', from_address: 'T2' }])
  // Staff, who find a member by the address that it went to, are told that it is none of his.
  const answer = await db.value(
    `select proposed.answer from deposits.unmatched_transfer
     cross join staff.propose('assignment', deposits.subject_of(tx_id, log_index),
       jsonb_build_object('player_id', $1::integer, 'amount', amount::text), 'his address', $2) proposed`,
    [player, await staffToken(database)],
  )
  expect(answer).toBe('not_found')
  await expectAlwaysTrue(owner)
})

it('a chain that is awaited is late until a block is known: to be asked for again is no news of it', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  await beginWatching(db, 'test', null)
  await database.shiftClock(3_600_000)
  await beginWatching(db, 'test', null)
  const isLate = `select moved_at <= app.now() - interval '1 hour' as late from deposits.watcher_height`
  expect(await owner.value(isLate)).toBe(true)
  await beginWatching(db, 'test', 10)
  expect(await owner.value(isLate)).toBe(false)
})
