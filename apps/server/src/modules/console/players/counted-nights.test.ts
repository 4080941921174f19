/** Which nights a search for signs counts: the last fourteen at first, and later those since the search before. */
import { expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { findSignsUntil } from './signs-store.ts'

const HOUR = 3_600_000

/** A moment of a day of November 2026 in Singapore. */
const at = (date: number, hour: number) => Date.UTC(2026, 10, date) + (hour - 8) * HOUR
const dayOf = (date: number) => `2026-11-${String(date).padStart(2, '0')}`

it('a search counts each night once, and none before the last fourteen', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  await owner.query(`update protection.house set time_zone = 'Asia/Singapore'`)
  const playerId = await addPlayer(database)
  let gameId = 0
  /** Bets in the night of a day; each time in another game. */
  async function bet(date: number) {
    await database.freezeClock(at(date, 1))
    gameId += 1
    const round = await openTestRound(database, { gameId, gameDay: dayOf(date) })
    expect(await placeAll(database, [orderFor(playerId, round)])).toEqual([null])
  }
  async function search(date: number) {
    await database.freezeClock(at(date + 1, 2))
    await findSignsUntil(db, dayOf(date))
    const rows = await owner.query<{ day: string }>(
      'select day::text from console_players.night order by day',
    )
    return rows.map(({ day }) => day)
  }
  for (const date of [8, 9, 22]) await bet(date)
  expect(await search(22)).toEqual([dayOf(9), dayOf(22)])
  // The nights until the first search are not counted again.
  await owner.query('delete from console_players.night')
  await bet(23)
  expect(await search(23)).toEqual([dayOf(23)])
})
