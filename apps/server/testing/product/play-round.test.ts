import { expect, it } from 'vitest'
import { openIssueFor, timeOf } from './play-round.ts'
import { createTestApp } from './test-app.ts'

const ROUND_MS = 210_000

/** Seconds after a round's beginning: before its seal, at it, in the sealed time, and just before the next begins. */
it.each([20, 179, 185, 209])(
  'finds a round that stays open, though a test before has moved the clock %i s into a later one',
  async (seconds) => {
    const test = await createTestApp()
    const issue = await openIssueFor(test, 60)
    const openSince = (await timeOf(test)) - 20_000
    await test.database.moveClock(openSince + 5 * ROUND_MS + seconds * 1_000)
    const next = await openIssueFor(test, 60)
    expect(Number(next)).toBeGreaterThan(Number(issue))
    const rounds = await test.database.owner.query(
      `select from rounds.round
       where issue = $1 and state = 'open' and seals_at - app.now() > interval '59 seconds'`,
      [next],
    )
    expect(rounds).toHaveLength(4)
  },
)
