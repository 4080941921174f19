import { expect, it } from 'vitest'
import { openIssueFor, playRound } from './play-round.ts'
import { useWorkersApp } from './test-app.ts'

const ROUND_MS = 210_000
const OPEN_MS = 180_000

const test = useWorkersApp()

/** When a round is sealed, in milliseconds since 1970. */
const sealOf = (issue: string) =>
  test.database.owner.value<number>(
    `select extract(epoch from seals_at)::float8 * 1000 as at from rounds.round
     where issue = $1 and game_id = 1`,
    [issue],
  )

it('plays the round that it gave to the test, also if it was sealed meanwhile', async () => {
  let given = ''
  const played = await playRound(test, async (issue) => {
    given = issue
    await test.database.moveClock((await sealOf(issue)) + 1_000)
  })
  expect(played).toBe(given)
})

/** Seconds after a round's beginning: before its seal, at it, in the sealed time, and just before the next begins. */
it.each([20, 179, 185, 209])(
  'finds a round that stays open, though a test before has moved the clock %i s into a later one',
  async (seconds) => {
    const { owner, moveClock } = test.database
    const issue = await openIssueFor(test, 60)
    const opensAt = (await sealOf(issue)) - OPEN_MS
    await moveClock(opensAt + 2 * ROUND_MS + seconds * 1_000)
    const next = await openIssueFor(test, 60)
    expect(Number(next)).toBeGreaterThan(Number(issue))
    const rounds = await owner.query(
      `select from rounds.round
       where issue = $1 and state = 'open' and seals_at - app.now() > interval '59 seconds'`,
      [next],
    )
    expect(rounds).toHaveLength(4)
  },
)
