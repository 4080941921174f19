/**
 * Goal: the known state of a running round only goes forward, in any order of stream events and beats.
 * Method: random reports, each with its instant, one after another.
 */
import { compareIssues } from '@sum28/domain/issues.ts'
import { endOf } from '@sum28/ui/countdown.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  laterRound,
  type RunningRound,
  runningRoundFromWire,
} from '#src/data/live/running-round.ts'

type Report = { issue?: string; asOf?: number; seconds?: number; receivedAt?: number }

function reportOf(
  sealed: boolean,
  { issue = '20261120138', asOf = 1_000, seconds = 0, receivedAt = asOf }: Report = {},
): RunningRound {
  const wire = { issue, openTime1: seconds, whether_close: sealed, book_root: null }
  return runningRoundFromWire(wire, { asOf, receivedAt })
}

const anyReport = fc
  .record({
    sealed: fc.boolean(),
    issue: fc.constantFrom('20261120410', '20261120411', '20261121001'),
    asOf: fc.nat(20).map((steps) => steps * 1_000),
    seconds: fc.nat(20),
    delayMs: fc.nat(5_000),
  })
  .map(({ sealed, asOf, delayMs, ...rest }) =>
    reportOf(sealed, { asOf, receivedAt: asOf + delayMs, ...rest }),
  )

describe('a running round', () => {
  it('is not reopened by a beat that was sent before the seal and answered after it', () => {
    const sealed = laterRound(reportOf(false), reportOf(true, { asOf: 5_000 }))
    const late = reportOf(false, { asOf: 4_000, receivedAt: 6_000, seconds: 3 })
    expect(laterRound(sealed, late)).toBe(sealed)
  })

  it('is not reopened by a beat that was sent after the seal to a server that was behind', () => {
    const sealed = laterRound(reportOf(false), reportOf(true, { asOf: 5_000 }))
    expect(laterRound(sealed, reportOf(false, { asOf: 6_000, seconds: 2 })).sealed).toBe(true)
  })

  it('does not go back to an earlier round, whenever that was requested', () => {
    const next = reportOf(false, { issue: '20261121001' })
    expect(laterRound(next, reportOf(true, { issue: '20261120411', asOf: 9_000 }))).toBe(next)
  })

  it('opens if it was reported as sealed only because it had not begun', () => {
    const waiting = reportOf(true)
    expect(laterRound(waiting, reportOf(false, { asOf: 2_000 })).sealed).toBe(false)
  })

  it('only goes forward, for any reports in any order', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 30 }), (reports) => {
        let round: RunningRound | null = null
        for (const each of reports) {
          const before: RunningRound | null = round
          round = laterRound<RunningRound>(round, each)
          if (!before || round === before) continue
          expect(round.asOf).toBeGreaterThanOrEqual(before.asOf)
          const order = compareIssues(round.issue, before.issue)
          expect(order).toBeGreaterThanOrEqual(0)
          if (order > 0 || !before.opened) continue
          expect(round.opened).toBe(true)
          expect(round.sealed).toBe(before.sealed || each.sealed)
          expect(endOf(round.clock)).toBeLessThanOrEqual(endOf(before.clock))
        }
      }),
    )
  })
})
