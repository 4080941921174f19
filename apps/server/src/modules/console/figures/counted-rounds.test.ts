/** Which finished rounds are counted, and when; their figures: reports.test.ts. */
import { describe, expect, it } from 'vitest'
import {
  addPastRounds,
  issueOf,
  type PastRound,
  sealedRounds,
  voidSealedRounds,
} from '#testing/database/past-rounds.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'

const { database } = eachTestDatabase()

// Round n of a game day seals n x 6 s + 4 s after midnight and draws 2 s later.
const NOW = Date.UTC(2026, 10, 20, 12)
const DAY = 24 * 3_600_000
/** The round of a day that draws at noon. */
const NOON = 7_199

/** Rounds without bets, settled a second after their draw. */
function settled(numbers: number[]): PastRound[] {
  return numbers.map((number) => ({ number, digits: [7, 8, 0] }))
}

async function count({ db }: TestDatabase, max = 25) {
  return db.value<number>('select console_start.count_rounds($1) as done', [max])
}

/** Each with its game. */
async function countedRounds({ owner }: TestDatabase): Promise<string[]> {
  return owner.column<string>(`select concat(game_id, ' ', issue) as of from console_start.round_figure
     where room_id = 0 and not robots order by game_id, ended_at`)
}

/** Up to when all rounds are counted, by game. */
async function noted({ owner }: TestDatabase): Promise<string[]> {
  return owner.column<string>(`select concat(game_id, ' ', to_char(through at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')) as at
     from console_start.counted order by game_id`)
}

describe('the count of all rounds', () => {
  it('is of each game the oldest first, and waits at the first one that is not settled', async () => {
    await database.freezeClock(NOW)
    const gameDay = '2026-11-10'
    await addPastRounds(database, { gameDay }, settled([1, 2, 4]))
    await sealedRounds(database, { gameDay }, [{ number: 3 }])
    await addPastRounds(database, { gameId: 2, gameDay }, settled([1, 2]))
    expect(await count(database, 1)).toBe(2)
    expect(await countedRounds(database)).toEqual(['1 20261110001', '2 20261110001'])
    // The last instant before the second round ends.
    expect(await noted(database)).toEqual([
      '1 2026-11-10 00:00:17.999999',
      '2 2026-11-10 00:00:17.999999',
      '3 2026-11-19 12:00:00.000000',
      '4 2026-11-19 12:00:00.000000',
    ])

    expect(await count(database)).toBe(3)
    const counted = [
      ...['1 20261110001', '1 20261110002', '1 20261110004'],
      ...['2 20261110001', '2 20261110002'],
    ]
    expect(await countedRounds(database)).toEqual(counted)
    const waiting = ['1 2026-11-10 00:00:23.999999', '2 2026-11-19 12:00:00.000000']
    expect((await noted(database)).slice(0, 2)).toEqual(waiting)
    expect(await count(database)).toBe(0)
    expect((await noted(database)).slice(0, 2)).toEqual(waiting)

    await voidSealedRounds(database, { issues: [issueOf(gameDay, 3)] })
    expect(await count(database)).toBe(1)
    expect(await countedRounds(database)).toEqual([...counted, '1 20261110003'].sort())
    expect((await noted(database))[0]).toBe('1 2026-11-19 12:00:00.000000')
  })

  it('is by one process, which checks the last day each time for a round that was opened late, and no earlier one', async () => {
    await database.freezeClock(NOW)
    // While one process counts, another counts nothing and does not wait.
    await database.owner.transaction(async (tx) => {
      await tx.query('select console_start.count_rounds(25)')
      await addPastRounds(database, { gameDay: '2026-11-20' }, settled([1]))
      expect(await count(database)).toBe(0)
    })
    expect(await count(database)).toBe(1)
    const gameDay = '2026-11-19'
    await addPastRounds(database, { gameDay }, settled([NOON + 1]))
    expect(await count(database)).toBe(1)
    expect((await noted(database))[0]).toBe('1 2026-11-19 12:00:00.000000')
    // Nor is it held up by rounds up to the noted instant.
    await addPastRounds(database, { gameDay }, settled([1, NOON]))
    await database.freezeClock(NOW + DAY)
    expect(await count(database)).toBe(0)
    expect(await countedRounds(database)).toEqual(['1 202611197200', '1 20261120001'])
    expect((await noted(database))[0]).toBe('1 2026-11-20 12:00:00.000000')
  })
})
