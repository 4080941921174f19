/** The schedule of rounds in any time zone, including days on which the clock changes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyInstant, at, HOUR_MS, ZONES } from '../testing/instants.ts'
import {
  addDays,
  dayOf,
  gameDaySpan,
  nextRoundAfter,
  parseOpeningHours,
  roundAt,
  roundOf,
  roundsInDay,
  type ScheduleRules,
  startOfDay,
} from './schedule.ts'

const HOURS = [
  '10:00-02:00',
  '00:00-24:00',
  '02:30-02:15',
  '03:10-02:50',
  '23:45-00:15',
  '09:00-17:30',
]

function rulesOf(timeZone: string, hours: string, roundMs: number): ScheduleRules {
  const parsed = parseOpeningHours(hours)
  if (!parsed) throw new Error(`${hours} was not read`)
  return { timeZone, ...parsed, roundMs, sealMs: Math.floor(roundMs / 7) }
}

const anyRules = fc
  .tuple(
    fc.constantFrom(...ZONES),
    fc.constantFrom(...HOURS),
    fc.constantFrom(6_000, 7_001, 210_000, 1_500_000),
  )
  .map(([timeZone, hours, roundMs]) => rulesOf(timeZone, hours, roundMs))

describe('rounds in any zone, with any hours', () => {
  it('contain the instant by which they were found, and lie within their game day', () => {
    fc.assert(
      fc.property(anyRules, anyInstant, (rules, moment) => {
        const round = roundAt(rules, moment)
        if (!round) return
        expect(round.opensAt <= moment && moment < round.drawsAt).toBe(true)
        expect(round.opensAt < round.sealsAt && round.sealsAt < round.drawsAt).toBe(true)
        const { opensAt, closesAt } = gameDaySpan(rules, round.gameDay)
        expect(opensAt <= round.opensAt && round.drawsAt <= closesAt).toBe(true)
        expect(round.number).toBeLessThanOrEqual(roundsInDay(rules, round.gameDay))
        expect(round).toEqual(roundOf(rules, round.gameDay, round.number))
      }),
      { numRuns: 1500 },
    )
  })

  it('leave no gap: the same round runs until its draw, then the next, if the day has room', () => {
    fc.assert(
      fc.property(anyRules, anyInstant, (rules, moment) => {
        const round = roundAt(rules, moment)
        if (!round) return
        expect(roundAt(rules, round.opensAt)).toEqual(round)
        expect(roundAt(rules, round.drawsAt - 1)).toEqual(round)
        const next = roundAt(rules, round.drawsAt)
        const { closesAt } = gameDaySpan(rules, round.gameDay)
        if (closesAt - round.drawsAt >= rules.roundMs)
          expect(next).toEqual(roundOf(rules, round.gameDay, round.number + 1))
        else if (next) expect(next).toMatchObject({ number: 1, opensAt: round.drawsAt })
      }),
      { numRuns: 1500 },
    )
  })

  it('are never missing: when none runs, no game day has one at that instant', () => {
    fc.assert(
      fc.property(anyRules, anyInstant, (rules, moment) => {
        if (roundAt(rules, moment)) return
        const today = dayOf(rules.timeZone, moment)
        for (const day of [-2, -1, 0, 1, 2].map((days) => addDays(today, days))) {
          const { opensAt } = gameDaySpan(rules, day)
          const drawnAt = opensAt + roundsInDay(rules, day) * rules.roundMs
          expect(opensAt <= moment && moment < drawnAt).toBe(false)
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('belong to game days that never overlap', () => {
    fc.assert(
      fc.property(anyRules, anyInstant, (rules, moment) => {
        const day = dayOf(rules.timeZone, moment)
        for (const first of [addDays(day, -1), day]) {
          const { opensAt, closesAt } = gameDaySpan(rules, first)
          expect(closesAt).toBeGreaterThanOrEqual(opensAt)
          expect(gameDaySpan(rules, addDays(first, 1)).opensAt).toBeGreaterThanOrEqual(closesAt)
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('are followed by a round that opens later, and no other opens between', () => {
    fc.assert(
      fc.property(anyRules, anyInstant, (rules, moment) => {
        const next = nextRoundAfter(rules, moment)
        expect(next.opensAt).toBeGreaterThan(moment)
        expect(roundAt(rules, next.opensAt)).toEqual(next)
        const current = roundAt(rules, moment)
        const before = roundAt(rules, next.opensAt - 1)
        if (before) expect(before).toEqual(current)
        if (next.opensAt - moment > 1) {
          const middle = Math.floor((moment + next.opensAt) / 2)
          const between = roundAt(rules, middle)
          if (between) expect(between).toEqual(current)
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('have no next round when no day is long enough for one', () => {
    const rules: ScheduleRules = rulesOf('Asia/Singapore', '00:00-00:01', 90_000)
    expect(roundAt(rules, at('2026-11-20T00:00:30+08:00'))).toBeNull()
    expect(() => nextRoundAfter(rules, at('2026-11-20T12:00:00Z'))).toThrow('no round follows')
  })
})

describe('days on which the clock changes', () => {
  const newYork = (hours: string) => rulesOf('America/New_York', hours, 210_000)

  it('are an hour shorter or longer, with rounds for the hours that they have', () => {
    const schedule = newYork('00:00-24:00')
    const hoursOf = (day: string) => {
      const { opensAt, closesAt } = gameDaySpan(schedule, day)
      return (closesAt - opensAt) / HOUR_MS
    }
    expect(hoursOf('2026-03-07')).toBe(24)
    expect(hoursOf('2026-03-08')).toBe(23)
    expect(hoursOf('2026-11-01')).toBe(25)
    expect(roundsInDay(schedule, '2026-03-08')).toBe(394)
    expect(roundsInDay(schedule, '2026-11-01')).toBe(428)
    const night = newYork('10:00-02:00')
    expect(roundsInDay(night, '2026-03-07')).toBe(274)
    expect(roundsInDay(night, '2026-10-31')).toBe(291)
    expect(gameDaySpan(night, '2026-03-07').closesAt).toBe(at('2026-03-08T07:00:00Z'))
    expect(gameDaySpan(night, '2026-10-31').closesAt).toBe(at('2026-11-01T07:00:00Z'))
  })

  it('move a time that the clock skips to the instant at which the gap ends', () => {
    const gapEndsAt = at('2026-03-08T07:00:00Z')
    for (const hours of ['02:00-09:00', '02:01-09:00', '02:30-09:00', '02:59-09:00', '03:00-09:00'])
      expect(gameDaySpan(newYork(hours), '2026-03-08').opensAt).toBe(gapEndsAt)
    expect(gameDaySpan(newYork('01:59-09:00'), '2026-03-08').opensAt).toBe(gapEndsAt - 60_000)
    expect(gameDaySpan(newYork('03:01-09:00'), '2026-03-08').opensAt).toBe(gapEndsAt + 60_000)
    const late = rulesOf('Australia/Lord_Howe', '02:10-09:00', 210_000)
    expect(gameDaySpan(late, '2026-10-04').opensAt).toBe(at('2026-10-03T15:30:00Z'))
  })

  it('use the first of the two instants of an hour that occurs twice', () => {
    expect(gameDaySpan(newYork('01:30-09:00'), '2026-11-01').opensAt).toBe(
      at('2026-11-01T05:30:00Z'),
    )
    expect(gameDaySpan(newYork('02:00-09:00'), '2026-11-01').opensAt).toBe(
      at('2026-11-01T07:00:00Z'),
    )
  })

  it('count the seconds by which a zone differs from UTC', () => {
    // Liberia was 44 minutes and 30 seconds behind UTC until 1972.
    expect(startOfDay('Africa/Monrovia', '1971-06-01')).toBe(at('1971-06-01T00:44:30Z'))
  })

  it('never let a game day that ends in the gap run into the next', () => {
    const rules = newYork('03:10-02:50')
    expect(gameDaySpan(rules, '2026-03-07').closesAt).toBe(at('2026-03-08T07:00:00Z'))
    expect(gameDaySpan(rules, '2026-03-08').opensAt).toBe(at('2026-03-08T07:10:00Z'))
    expect(roundAt(rules, at('2026-03-08T07:05:00Z'))).toBeNull()
  })

  it('keep the new day running when the clock goes back across midnight', () => {
    const rules = rulesOf('America/St_Johns', '00:00-24:00', 210_000)
    const repeated = at('2010-11-07T03:00:00Z')
    expect(dayOf(rules.timeZone, repeated)).toBe('2010-11-06')
    expect(roundAt(rules, repeated)?.gameDay).toBe('2010-11-07')
  })
})
