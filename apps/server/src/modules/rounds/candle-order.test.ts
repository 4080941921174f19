/** The candles that draws make: of their own game and day, in the order of the rounds, whatever order they are drawn in. */
import { describe, expect, it } from 'vitest'
import { addPastRounds, issueOf, sealedRounds } from '#testing/database/past-rounds.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'

const DAY = '2026-11-18'
const NEXT_DAY = '2026-11-19'
/** Their candles rise by 13.5, and fall by as much. */
const HIGHEST = [9, 9, 9] as const
const LOWEST = [0, 0, 0] as const

/** Where each candle opened, in halves, in the order of the rounds. */
async function openings({ owner }: TestDatabase): Promise<Record<string, number>> {
  const rows = await owner.query<{ name: string; opened: number }>(
    `select concat(game_id, ', ', game_day, ', ', issue % 1000) as name, opened from rounds.candle
     order by game_id, issue`,
  )
  return Object.fromEntries(rows.map(({ name, opened }) => [name, opened]))
}

const past = (
  database: TestDatabase,
  gameDay: string,
  rounds: Record<number, readonly [number, number, number]>,
  gameId = 1,
) =>
  addPastRounds(
    database,
    { gameId, gameDay },
    Object.entries(rounds).map(([number, digits]) => ({ number: Number(number), digits })),
  )

describe('a candle', () => {
  it('opens at zero on each day and in each game, and then where the one before it closed', async () => {
    const database = await createTestDatabase()
    await past(database, DAY, { 1: HIGHEST, 2: HIGHEST, 3: LOWEST })
    await past(database, NEXT_DAY, { 1: LOWEST, 2: HIGHEST })
    await past(database, DAY, { 1: LOWEST, 2: LOWEST }, 2)
    expect(await openings(database)).toEqual({
      [`1, ${DAY}, 1`]: 0,
      [`1, ${DAY}, 2`]: 27,
      [`1, ${DAY}, 3`]: 54,
      [`1, ${NEXT_DAY}, 1`]: 0,
      [`1, ${NEXT_DAY}, 2`]: -27,
      [`2, ${DAY}, 1`]: 0,
      [`2, ${DAY}, 2`]: -27,
    })
  })

  it('of a round that is drawn late moves the later ones of its day and game, and no other', async () => {
    const database = await createTestDatabase()
    await past(database, DAY, { 1: HIGHEST, 3: HIGHEST, 4: HIGHEST })
    await past(database, NEXT_DAY, { 1: HIGHEST, 2: HIGHEST })
    await past(database, DAY, { 1: HIGHEST, 3: HIGHEST }, 2)
    await past(database, DAY, { 2: LOWEST })
    expect(await openings(database)).toEqual({
      [`1, ${DAY}, 1`]: 0,
      [`1, ${DAY}, 2`]: 27,
      [`1, ${DAY}, 3`]: 0,
      [`1, ${DAY}, 4`]: 27,
      [`1, ${NEXT_DAY}, 1`]: 0,
      [`1, ${NEXT_DAY}, 2`]: 27,
      [`2, ${DAY}, 1`]: 0,
      [`2, ${DAY}, 3`]: 27,
    })
  })

  it('waits for a draw of its game that is not committed yet, and follows it', async () => {
    const database = await createTestDatabase()
    const { owner } = database
    const numbers = [{ number: 1 }, { number: 2 }]
    await sealedRounds(database, { gameDay: DAY }, numbers)
    await sealedRounds(database, { gameId: 2, gameDay: DAY }, numbers)
    const draw = (who: Pick<TestDatabase['owner'], 'query'>, gameId: number, number: number) =>
      who.query(
        `insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
         values ($1, $2, sha256('seed'), 'signature', sha256('beacon'), 9, 9, 9)`,
        [gameId, issueOf(DAY, number)],
      )
    await answerAfter(database, {
      async first(tx) {
        await draw(tx, 1, 1)
        // Another game's draw does not wait.
        await draw(owner, 2, 2)
      },
      second: () => draw(owner, 1, 2),
    })
    expect(await openings(database)).toEqual({
      [`1, ${DAY}, 1`]: 0,
      [`1, ${DAY}, 2`]: 27,
      [`2, ${DAY}, 2`]: 0,
    })
  })
})
