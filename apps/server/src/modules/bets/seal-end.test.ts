/** A seal whose book takes until the end of the round: it is too late then, and nothing of it stays. */
import { expect, it } from 'vitest'
import { voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { extendBook, refundSome, sealRound } from './round-bets.ts'

/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

it.each([
  ['a millisecond before the end', -1, true],
  ['at the end', 0, false],
])('a seal that has its book together %s answers so', async (_when, ms, done) => {
  const database = await createTestDatabase()
  await database.freezeClock(NOON)
  const { db, owner } = database
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
  expect(await extendBook(db, round, 1)).toBe(1)
  await database.freezeClock(round.sealsAt)
  const { sealing } = await owner.transaction(async (tx) => {
    // The seal holds the round, has read the time, and waits for the book.
    await tx.query('select from bets.book for update')
    const sealing = sealRound(db, round)
    await somebodyWaits(database)
    await database.freezeClock(round.drawsAt + ms)
    return { sealing }
  })
  expect(await sealing).toBe(done)
  const sealedAt = done ? round.drawsAt + ms : null
  expect(
    await owner.query(`select state, sealed_at as "sealedAt", book_size as size from rounds.round`),
  ).toEqual([{ state: done ? 'sealed' : 'open', sealedAt, size: done ? 1 : null }])
  await database.freezeClock(round.drawsAt)
  expect(await voidRound(db, round, 'sealed_late')).toBe(!done)
  expect(await refundSome(db, round, { max: 10 })).toBe(done ? 0 : 1)
  expect(await cashOf(database, player)).toBe(done ? 900_000_000n : 1_000_000_000n)
  await expectAlwaysTrue(owner)
})

it('an order for a round that is not open any more does not wait for whoever holds the round', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  await database.freezeClock(round.sealsAt)
  expect(await sealRound(db, round)).toBe(true)
  await owner.transaction(async (tx) => {
    await tx.query('select from rounds.round for no key update')
    const waits = somebodyWaits(database).then(() => 'it waits')
    const placing = placeAll(database, [orderFor(player, round)])
    expect(await Promise.race([placing, waits])).toEqual(['round_sealed'])
  })
})
