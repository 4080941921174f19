/** A step of a round's life is judged by that round's own data and time, and concerns no other round. */
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealRound } from '#src/modules/bets/round-bets.ts'
import { openTestRound, type TestRound } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import {
  createTestDatabase,
  stopClock,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { type DrawInputs, storeDraw, storeValue, voidRound } from './round-store.ts'

/** How long a round waits that announced no deadline. */
const WAITS_MS = 600_000

function someDraw(): DrawInputs {
  const signature = randomBytes(48)
  const randomness = createHash('sha256').update(signature).digest()
  return { seed: randomBytes(32), signature, randomness, digits: [1, 2, 3] }
}

/** Two rounds of a game, and one of another game with the number of the first. */
async function threeRounds(database: TestDatabase): Promise<[TestRound, TestRound, TestRound]> {
  await stopClock(database)
  const first = await openTestRound(database)
  const second = await openTestRound(database)
  const namesake = await openTestRound(database, { gameId: 2, issue: first.issue })
  return [first, second, namesake]
}

async function seal(database: TestDatabase, rounds: readonly TestRound[]): Promise<void> {
  await database.freezeClock(Math.max(...rounds.map(({ sealsAt }) => sealsAt)))
  for (const round of rounds) expect(await sealRound(database.db, round)).toBe(true)
}

async function stateOf(
  { owner }: TestDatabase,
  { gameId, issue }: TestRound,
): Promise<string | undefined> {
  const [row] = await owner.query<{ state: string }>(
    'select state from rounds.round where game_id = $1 and issue = $2',
    [gameId, issue],
  )
  return row?.state
}

const statesOf = (database: TestDatabase, rounds: readonly TestRound[]) =>
  Promise.all(rounds.map((round) => stateOf(database, round)))

const end = (rounds: readonly TestRound[]) => Math.max(...rounds.map(({ drawsAt }) => drawsAt))

describe('a draw', () => {
  it('uses the stored value of its own round alone, and draws that round alone', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const rounds = await threeRounds(database)
    const [first, second, namesake] = rounds
    await seal(database, rounds)
    await database.freezeClock(end(rounds))
    const [ofFirst, ofSecond, ofNamesake] = [someDraw(), someDraw(), someDraw()]
    expect(await storeValue(db, first, ofFirst)).toBe(true)
    expect(await storeDraw(db, second, ofSecond)).toBe(true)
    expect(await statesOf(database, rounds)).toEqual(['sealed', 'drawn', 'sealed'])
    expect(await storeDraw(db, namesake, ofNamesake)).toBe(true)
    expect(await storeDraw(db, first, ofFirst)).toBe(true)
    const values = await database.owner.query(
      `select game_id, issue::text, value.beacon_signature = draw.beacon_signature as drawn
       from rounds.value join rounds.draw using (game_id, issue) order by game_id, issue`,
    )
    expect(values).toEqual([
      { game_id: 1, issue: first.issue, drawn: true },
      { game_id: 1, issue: second.issue, drawn: true },
      { game_id: 2, issue: first.issue, drawn: true },
    ])
  })

  it('is stored if the round ended before its lock was had', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    await seal(database, [round])
    await database.freezeClock(round.drawsAt - 1)
    const { drawing } = await database.owner.transaction(async (tx) => {
      await tx.query('select from rounds.round where issue = $1 for no key update', [round.issue])
      const drawing = storeDraw(database.db, round, someDraw())
      await somebodyWaits(database)
      await database.freezeClock(round.drawsAt)
      return { drawing }
    })
    expect(await drawing).toBe(true)
  })

  it('is not stored if the clock jumped back before the end, although the value is known', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const round = await openTestRound(database)
    await seal(database, [round])
    const draw = someDraw()
    await database.freezeClock(round.drawsAt)
    expect(await storeValue(db, round, draw)).toBe(true)
    for (const at of [round.sealsAt, round.drawsAt - 1]) {
      await database.freezeClock(at)
      expect(await storeDraw(db, round, draw)).toBe(false)
    }
    await database.freezeClock(round.drawsAt)
    expect(await storeDraw(db, round, draw)).toBe(true)
  })
})

describe('a void', () => {
  it('of one round voids no other that could be voided too', async () => {
    const database = await createTestDatabase()
    const rounds = await threeRounds(database)
    await database.freezeClock(end(rounds))
    expect(await voidRound(database.db, rounds[0], 'sealed_late')).toBe(true)
    expect(await statesOf(database, rounds)).toEqual(['voided', 'open', 'open'])
  })

  it('is not prevented by the value of another round', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const rounds = await threeRounds(database)
    const [first, second, namesake] = rounds
    await seal(database, rounds)
    await database.freezeClock(end(rounds))
    expect(await storeValue(db, second, someDraw())).toBe(true)
    expect(await storeValue(db, namesake, someDraw())).toBe(true)
    await database.freezeClock(end(rounds) + WAITS_MS)
    expect(await voidRound(db, first, 'beacon_late')).toBe(true)
    expect(await voidRound(db, second, 'beacon_late')).toBe(false)
  })

  it('is made of no round that there is not', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    await database.freezeClock(round.drawsAt)
    for (const nowhere of [
      { gameId: 2, issue: round.issue },
      { gameId: 1, issue: '1' },
    ]) {
      expect(await voidRound(database.db, nowhere, 'sealed_late')).toBe(false)
    }
    expect(await stateOf(database, round)).toBe('open')
  })
})
