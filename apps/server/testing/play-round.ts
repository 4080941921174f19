/**
 * Time in a test's hands: the product's rounds are those of its true schedule, and the test moves the clock to their
 * seal and their draw. All four games run in step.
 */
import { expect } from 'vitest'
import { SECRET_KEY } from './secret-key.ts'
import { eventually, type TestApp } from './test-app.ts'

/** Twenty seconds after the first rounds of a game day opened in Singapore, for the product's start. */
export const FIRST_ROUND = Date.UTC(2026, 10, 20, 2, 0, 20)

/** The product's true schedule. */
export const TRUE_SCHEDULE = {
  GAME_TIMEZONE: 'Asia/Singapore',
  OPENING_HOURS: '10:00-02:00',
  ROUND_SECONDS: '210',
  SEAL_SECONDS: '30',
  // With it the beacon began long ago, and not when the product is started.
  SECRET_KEY,
}

/** A beacon value comes at most this long after the end of the round that waits for it, in milliseconds. */
const BEACON_MS = 3_000

type RoundTimes = { issue: string; state: string; sealsAt: number; drawsAt: number }

const TIMES = `select issue::text, state::text, extract(epoch from seals_at)::float8 * 1000 as "sealsAt",
  extract(epoch from draws_at)::float8 * 1000 as "drawsAt" from rounds.round`

/** The number of the round that is open in all games; waits until the engine has opened it. */
export async function openIssue({ database }: TestApp): Promise<string> {
  const { issue } = await openRounds(database)
  return issue
}

/** Moves the clock to the seal of the running rounds, and waits until their books are closed. */
export async function moveToSeal(test: TestApp): Promise<string> {
  const { issue, sealsAt } = await openRounds(test.database)
  await test.database.moveClock(sealsAt)
  await untilAll(test, issue, ['sealed'])
  return issue
}

/** Moves the clock past the draw of sealed rounds, and waits until they are settled. */
export async function moveToDraw(test: TestApp, issue: string): Promise<void> {
  const [round] = await test.database.owner.query<RoundTimes>(`${TIMES} where issue = $1`, [issue])
  await test.database.moveClock((round?.drawsAt ?? 0) + BEACON_MS)
  await untilAll(test, issue, ['settled'])
}

/**
 * Plays the open round of all games to its end.
 *
 * @param act what the test does before the seal: bets, mostly
 * @returns the round's number
 */
export async function playRound(
  test: TestApp,
  act: (issue: string) => unknown = () => {},
): Promise<string> {
  await act(await openIssue(test))
  const issue = await moveToSeal(test)
  await moveToDraw(test, issue)
  return issue
}

function openRounds(database: TestApp['database']): Promise<RoundTimes> {
  return eventually(async () => {
    const rounds = await database.owner.query<RoundTimes>(
      `${TIMES} where state = 'open' and app.now() >= opens_at and app.now() < seals_at`,
    )
    return rounds.length === 4 ? rounds[0] : undefined
  })
}

/** Waits until the round is in one of the states in all games. A void one fails the test. */
async function untilAll(
  { database }: TestApp,
  issue: string,
  states: readonly string[],
): Promise<void> {
  await eventually(async () => {
    const rounds = await database.owner.query<{ state: string; done: boolean }>(
      `select state::text, sealed_at is not null and (state <> 'voided') as done
       from rounds.round where issue = $1`,
      [issue],
    )
    expect(rounds.map(({ state }) => state)).not.toContain('voided')
    return rounds.every(({ state, done }) => done && states.includes(state)) || undefined
  })
}
