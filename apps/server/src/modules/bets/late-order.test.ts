/** An order that comes too late is refused at once, while its round is being drawn or settled. */
import { expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { sealRound } from './round-bets.ts'

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
