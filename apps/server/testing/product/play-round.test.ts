import { expect, it } from 'vitest'
import { openIssueFor } from './play-round.ts'
import { useWorkersApp } from './test-app.ts'

const ROUND_MS = 210_000

const test = useWorkersApp()

/** Seconds after a round's beginning: before its seal, at it, in the sealed time, and just before the next begins. */
it.each([20, 179, 185, 209])(
  'finds a round that stays open, though a test before has moved the clock %i s into a later one',
  async (seconds) => {
    const { owner, moveClock } = test.database
    const issue = await openIssueFor(test, 60)
    const [round] = await owner.query<{ opensAt: number }>(
      `select extract(epoch from opens_at)::float8 * 1000 as "opensAt" from rounds.round where issue = $1`,
      [issue],
    )
    await moveClock((round?.opensAt ?? 0) + 2 * ROUND_MS + seconds * 1_000)
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
