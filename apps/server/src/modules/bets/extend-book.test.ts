import { expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/fixtures.ts'
import { somebodyWaits } from '#testing/lock-wait.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { extendBook } from './book-store.ts'

it('a book that two extend at once has each bet once: the second continues after the first', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database)
  const players = [await addPlayer(database), await addPlayer(database), await addPlayer(database)]
  await placeAll(
    database,
    players.slice(0, 2).map((player) => orderFor(player, round)),
  )
  expect(await extendBook(db, round, 1)).toBe(1)
  const { second } = await db.transaction(async (tx) => {
    expect(await extendBook(tx, round, 100)).toBe(1)
    const second = extendBook(db, round, 1)
    await somebodyWaits(database)
    return { second }
  })
  expect(await second).toBe(0)
  expect(await owner.query('select size from bets.book')).toEqual([{ size: 2 }])
})
