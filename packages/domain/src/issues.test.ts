import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIssues, gameDayOfIssue, roundNumber } from './issues.ts'
import { roundOf, type ScheduleRules } from './schedule.ts'

/** Rounds of six seconds around the clock: 14,400 a day, with numbers of up to five digits. */
const RULES: ScheduleRules = {
  timeZone: 'Asia/Singapore',
  opensMinute: 0,
  closesMinute: 1_440,
  roundMs: 6_000,
  sealMs: 2_000,
}

const anyRound = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 14_400 }))
  .map(([day, number]) =>
    roundOf(RULES, new Date(Date.UTC(2026, 10, 20 + day)).toISOString().slice(0, 10), number),
  )

describe('the number of a round', () => {
  it('names its game day', () => {
    expect(gameDayOfIssue('20261120001')).toBe('2026-11-20')
    fc.assert(
      fc.property(anyRound, ({ issue, gameDay }) => {
        expect(gameDayOfIssue(issue)).toBe(gameDay)
      }),
    )
  })

  it('sorts in the order of time, however many digits it has', () => {
    expect(compareIssues('2026112014400', '20261121001')).toBeLessThan(0)
    expect(compareIssues('20261120999', '202611201000')).toBeLessThan(0)
    expect(compareIssues('', '20261120001')).toBeLessThan(0)
    expect(compareIssues('', '')).toBe(0)
    fc.assert(
      fc.property(anyRound, anyRound, (first, second) => {
        expect(Math.sign(compareIssues(first.issue, second.issue))).toBe(
          Math.sign(first.opensAt - second.opensAt),
        )
      }),
    )
  })

  it('is shown without its day', () => {
    expect(roundNumber('20261120138')).toBe('138')
    expect(roundNumber('2026112014400')).toBe('14400')
  })
})
