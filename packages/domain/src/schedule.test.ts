import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyInstant, at, ZONES } from '../testing/instants.ts'
import {
  addDays,
  dayOf,
  gameDaySpan,
  isDay,
  nextRoundAfter,
  parseOpeningHours,
  roundAt,
  roundOf,
  roundsInDay,
  type ScheduleRules,
  startOfDay,
} from './schedule.ts'

/** 10:00–02:00 in Singapore, rounds of 210 s, sealed for the last 30 s. */
const SINGAPORE: ScheduleRules = {
  timeZone: 'Asia/Singapore',
  opensMinute: 600,
  closesMinute: 1560,
  roundMs: 210_000,
  sealMs: 30_000,
}
const DEMO: ScheduleRules = { ...SINGAPORE, opensMinute: 0, closesMinute: 1440 }

describe('opening hours', () => {
  it.each([
    ['10:00-02:00', 600, 1560],
    ['00:00-24:00', 0, 1440],
    ['00:00-00:00', 0, 1440],
    ['10:00-10:00', 600, 2040],
    ['10:00-24:00', 600, 1440],
    ['10:00-00:00', 600, 1440],
    ['23:59-23:58', 1439, 2878],
    ['23:59-23:59', 1439, 2879],
    ['00:00-00:01', 0, 1],
    ['09:15-17:45', 555, 1065],
    [' 10:00-02:00\n', 600, 1560],
  ])('%j are read', (text, opensMinute, closesMinute) => {
    expect(parseOpeningHours(text)).toEqual({ opensMinute, closesMinute })
  })

  it.each([
    '',
    '10:00',
    '10-02',
    '10:00 - 02:00',
    '10:00–02:00',
    '1:00-2:00',
    '10:00-02:00-03:00',
    '24:00-02:00',
    '25:00-02:00',
    '10:60-02:00',
    '10:00-02:60',
    '10:00-24:01',
    '10:00-25:00',
    '-1:00-02:00',
    '10:00-02:00 UTC',
    'always',
  ])('%j are not', (text) => {
    expect(parseOpeningHours(text)).toBeNull()
  })
})

describe('the game day of 10:00 to 02:00 in Singapore', () => {
  const opensAt = at('2026-11-20T10:00:00+08:00')

  it('runs sixteen hours', () => {
    expect(gameDaySpan(SINGAPORE, '2026-11-20')).toEqual({
      opensAt,
      closesAt: at('2026-11-21T02:00:00+08:00'),
    })
  })

  it('has 274 rounds, 20261120001 to 20261120274, each opening at the draw of the one before', () => {
    expect(roundsInDay(SINGAPORE, '2026-11-20')).toBe(274)
    for (let number = 1; number <= 274; number++) {
      const opened = opensAt + (number - 1) * 210_000
      const expected = {
        issue: String(20261120000 + number),
        gameDay: '2026-11-20',
        number,
        opensAt: opened,
        sealsAt: opened + 180_000,
        drawsAt: opened + 210_000,
      }
      expect(roundOf(SINGAPORE, '2026-11-20', number)).toEqual(expected)
      for (const moment of [opened, opened + 1, opened + 180_000, opened + 209_999])
        expect(roundAt(SINGAPORE, moment)).toEqual(expected)
    }
  })

  it('begins with 20261120001 at 10:00 and ends with 20261120274 at 01:59', () => {
    expect(roundAt(SINGAPORE, opensAt)?.issue).toBe('20261120001')
    const last = roundAt(SINGAPORE, at('2026-11-21T01:58:59.999+08:00'))
    expect(last?.issue).toBe('20261120274')
    expect(last?.opensAt).toBe(at('2026-11-21T01:55:30+08:00'))
    expect(last?.sealsAt).toBe(at('2026-11-21T01:58:30+08:00'))
    expect(last?.drawsAt).toBe(at('2026-11-21T01:59:00+08:00'))
  })

  it('keeps its date for its rounds after midnight', () => {
    const across = roundAt(SINGAPORE, at('2026-11-21T00:00:00+08:00'))
    expect(across).toMatchObject({ issue: '20261120241', gameDay: '2026-11-20', number: 241 })
    expect(across?.opensAt).toBe(at('2026-11-21T00:00:00+08:00'))
    const before = roundAt(SINGAPORE, at('2026-11-20T23:59:59.999+08:00'))
    expect(before).toMatchObject({ issue: '20261120240', gameDay: '2026-11-20' })
    expect(dayOf(SINGAPORE.timeZone, at('2026-11-21T00:00:00+08:00'))).toBe('2026-11-21')
  })

  it('keeps its date across the end of a month, a year and a leap day', () => {
    expect(roundAt(SINGAPORE, at('2026-12-01T01:00:00+08:00'))?.issue).toBe('20261130258')
    expect(roundAt(SINGAPORE, at('2027-01-01T00:30:00+08:00'))?.issue).toBe('20261231249')
    expect(roundAt(SINGAPORE, at('2028-03-01T00:30:00+08:00'))?.issue).toBe('20280229249')
  })

  it('is closed from 01:59 to 10:00', () => {
    const from = at('2026-11-21T01:59:00+08:00')
    const until = at('2026-11-21T10:00:00+08:00')
    for (let moment = from; moment < until; moment += 5_000) {
      if (roundAt(SINGAPORE, moment))
        expect.fail(`a round runs at ${new Date(moment).toISOString()}`)
    }
    expect(roundAt(SINGAPORE, until - 1)).toBeNull()
    expect(roundAt(SINGAPORE, until)?.issue).toBe('20261121001')
  })

  it.each([
    ['before it opens', '2026-11-20T09:59:59.999+08:00', '20261120001'],
    ['as the first round opens', '2026-11-20T10:00:00+08:00', '20261120002'],
    ['within a round', '2026-11-20T10:03:29.999+08:00', '20261120002'],
    ['as a round is drawn', '2026-11-20T10:03:30+08:00', '20261120003'],
    ['before midnight', '2026-11-20T23:59:59+08:00', '20261120241'],
    ['within the last round', '2026-11-21T01:58:00+08:00', '20261121001'],
    ['in the last minute', '2026-11-21T01:59:30+08:00', '20261121001'],
    ['at night', '2026-11-21T05:00:00+08:00', '20261121001'],
  ])('is followed, %s, by the right round', (_, moment, issue) => {
    expect(nextRoundAfter(SINGAPORE, at(moment)).issue).toBe(issue)
  })
})

describe('the demo day of 00:00 to 24:00', () => {
  it('has 411 rounds and a gap of 90 s before the next', () => {
    expect(roundsInDay(DEMO, '2026-11-20')).toBe(411)
    const last = roundOf(DEMO, '2026-11-20', 411)
    expect(last.issue).toBe('20261120411')
    expect(last.drawsAt).toBe(at('2026-11-20T23:58:30+08:00'))
    expect(roundAt(DEMO, last.drawsAt - 1)).toEqual(last)
    expect(roundAt(DEMO, last.drawsAt)).toBeNull()
    expect(roundAt(DEMO, at('2026-11-20T23:59:59.999+08:00'))).toBeNull()
    expect(nextRoundAfter(DEMO, last.drawsAt).issue).toBe('20261121001')
    expect(roundAt(DEMO, at('2026-11-21T00:00:00+08:00'))?.issue).toBe('20261121001')
  })
})

describe('a day with room for one round', () => {
  const single: ScheduleRules = { ...DEMO, roundMs: 13 * 3_600_000 }

  it('is followed by the next day, from any instant', () => {
    expect(roundsInDay(single, '2026-11-20')).toBe(1)
    for (const time of ['00:00:00', '06:00:00', '13:00:00', '23:59:59.999'])
      expect(nextRoundAfter(single, at(`2026-11-20T${time}+08:00`)).issue).toBe('20261121001')
  })
})

describe('rounds of 6 s', () => {
  const quick: ScheduleRules = { ...DEMO, roundMs: 6_000, sealMs: 2_000 }

  it('are 14,400 a day without a gap, with numbers beyond 999', () => {
    expect(roundsInDay(quick, '2026-11-20')).toBe(14_400)
    expect(roundOf(quick, '2026-11-20', 7).issue).toBe('20261120007')
    expect(roundOf(quick, '2026-11-20', 999).issue).toBe('20261120999')
    expect(roundOf(quick, '2026-11-20', 1000).issue).toBe('202611201000')
    const last = roundAt(quick, at('2026-11-20T23:59:59.999+08:00'))
    expect(last?.issue).toBe('2026112014400')
    expect(nextRoundAfter(quick, at('2026-11-20T23:59:59.999+08:00')).issue).toBe('20261121001')
    expect(last?.drawsAt).toBe(at('2026-11-21T00:00:00+08:00'))
  })

  it('take bets for 4 s when the seal lasts 2 s', () => {
    const round = roundOf(quick, '2026-11-20', 1)
    expect(round.sealsAt - round.opensAt).toBe(4_000)
    expect(round.drawsAt - round.sealsAt).toBe(2_000)
  })
})

describe('a calendar day', () => {
  it.each(['1970-01-01', '2018-01-01', '2024-02-29', '2026-11-20', '2026-12-31', '2999-12-31'])(
    'is %s',
    (text) => expect(isDay(text)).toBe(true),
  )

  it.each([
    '',
    '2026',
    '2026-11',
    '2026-1-2',
    '20261120',
    '2026/11/20',
    '20-11-2026',
    '2026-02-29',
    '2100-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '0050-06-01',
    '1969-12-31',
    '3000-01-01',
    '9999-12-31',
    '+010000-01-01',
    '-2026-01-01',
    ' 2026-11-20',
    '2026-11-20\n',
    '2026-11-20T00:00:00Z',
    '２０２６-11-20',
    'today',
  ])('is not %j', (text) => expect(isDay(text)).toBe(false))

  it('is followed by the next day of the calendar', () => {
    expect(addDays('2026-11-20', 0)).toBe('2026-11-20')
    expect(addDays('2026-11-30', 1)).toBe('2026-12-01')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2027-02-28', 1)).toBe('2027-03-01')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
    expect(addDays('2026-01-01', 365)).toBe('2027-01-01')
    expect(addDays('2999-12-31', 366)).toBe('3001-01-01')
  })

  it('is the same again when as many days are subtracted as were added', () => {
    const days = fc.integer({ min: 0, max: 376_000 }).map((n) => addDays('1970-01-01', n))
    fc.assert(
      fc.property(days, fc.integer({ min: -4000, max: 4000 }), (day, distance) => {
        expect(isDay(day)).toBe(true)
        const moved = addDays(day, distance)
        expect(addDays(moved, -distance)).toBe(day)
        expect(Math.sign(distance)).toBe(moved === day ? 0 : moved > day ? 1 : -1)
      }),
    )
  })

  it.each([
    ['Asia/Singapore', '2026-11-20', '2026-11-19T16:00:00Z'],
    ['UTC', '2026-11-20', '2026-11-20T00:00:00Z'],
    ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00Z'],
    ['Pacific/Chatham', '2026-07-01', '2026-06-30T11:15:00Z'],
    ['Pacific/Chatham', '2026-12-01', '2026-11-30T10:15:00Z'],
    ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T10:00:00Z'],
    ['Pacific/Pago_Pago', '2026-11-20', '2026-11-20T11:00:00Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
  ])('begins in %s, on %s, at %s', (timeZone, day, instant) => {
    expect(new Date(startOfDay(timeZone, day)).toISOString()).toBe(new Date(instant).toISOString())
    expect(dayOf(timeZone, at(instant))).toBe(day)
    expect(dayOf(timeZone, at(instant) - 1)).toBe(addDays(day, -1))
  })

  it('contains every instant of it, and no other', () => {
    // In St John's the clock used to go back across midnight, and Apia skipped a day.
    const zones = fc.constantFrom(
      ...ZONES.filter((zone) => zone !== 'America/St_Johns' && zone !== 'Pacific/Apia'),
    )
    fc.assert(
      fc.property(zones, anyInstant, (timeZone, moment) => {
        const day = dayOf(timeZone, moment)
        expect(startOfDay(timeZone, day)).toBeLessThanOrEqual(moment)
        expect(startOfDay(timeZone, addDays(day, 1))).toBeGreaterThan(moment)
      }),
      { numRuns: 1500 },
    )
  })

  it('is exact to the millisecond, also before 1970', () => {
    expect(dayOf('UTC', -1)).toBe('1969-12-31')
    expect(dayOf('UTC', 0)).toBe('1970-01-01')
    expect(dayOf('Asia/Singapore', at('2026-11-20T15:59:59.999Z'))).toBe('2026-11-20')
    expect(dayOf('Asia/Singapore', at('2026-11-20T16:00:00.000Z'))).toBe('2026-11-21')
  })
})
