import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const at = (text: string) => {
  const instant = Date.parse(text)
  if (Number.isNaN(instant)) throw new Error(`${text} is no instant`)
  return instant
}

/** 10:00–02:00 in Singapore, 210 s a round, sealed for the last 30. */
const SINGAPORE: ScheduleRules = {
  timeZone: 'Asia/Singapore',
  opensMinute: 600,
  closesMinute: 1560,
  roundMs: 210_000,
  sealMs: 30_000,
}
const DEMO: ScheduleRules = { ...SINGAPORE, opensMinute: 0, closesMinute: 1440 }

const ZONES = [
  'Asia/Singapore',
  'UTC',
  'America/New_York',
  'Europe/London',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
  'America/Santiago',
  'America/Havana',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Apia',
] as const

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

/** 2000 to 2037, with many instants near changes of the clock. */
const anyInstant = fc.oneof(
  fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2037-01-01T00:00:00Z') }),
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-08T07:00:00Z', // New York, forward
        '2026-11-01T06:00:00Z', // New York, back
        '2026-03-29T01:00:00Z', // London, forward
        '2026-10-25T01:00:00Z', // London, back
        '2026-04-04T14:00:00Z', // Chatham, back
        '2026-09-26T14:00:00Z', // Chatham, forward
        '2026-04-04T15:00:00Z', // Lord Howe, back by half an hour
        '2026-10-03T15:30:00Z', // Lord Howe, forward by half an hour
        '2026-09-06T04:00:00Z', // Santiago, forward over midnight
        '2026-04-05T03:00:00Z', // Santiago, back over midnight
        '2010-11-07T02:31:00Z', // St John's, back over midnight by a minute more
        '2026-11-01T05:00:00Z', // Havana, back to midnight
        '2011-12-30T10:00:00Z', // Apia, a day left out
      ),
      fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }),
    )
    .map(([change, distance]) => at(change) + distance),
)

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

  it('has 274 rounds, 20261120001 to 20261120274, each opening where the one before was drawn', () => {
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
    for (let moment = from; moment < until; moment += 1_000) {
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

describe('rounds of 6 s', () => {
  const quick: ScheduleRules = { ...DEMO, roundMs: 6_000, sealMs: 2_000 }

  it('are 14,400 a day with no gap, and number on past 999', () => {
    expect(roundsInDay(quick, '2026-11-20')).toBe(14_400)
    expect(roundOf(quick, '2026-11-20', 7).issue).toBe('20261120007')
    expect(roundOf(quick, '2026-11-20', 999).issue).toBe('20261120999')
    expect(roundOf(quick, '2026-11-20', 1000).issue).toBe('202611201000')
    const last = roundAt(quick, at('2026-11-20T23:59:59.999+08:00'))
    expect(last?.issue).toBe('2026112014400')
    expect(nextRoundAfter(quick, at('2026-11-20T23:59:59.999+08:00')).issue).toBe('20261121001')
    expect(last?.drawsAt).toBe(at('2026-11-21T00:00:00+08:00'))
  })

  it('take bets for 4 s where the seal lasts 2 s', () => {
    const round = roundOf(quick, '2026-11-20', 1)
    expect(round.sealsAt - round.opensAt).toBe(4_000)
    expect(round.drawsAt - round.sealsAt).toBe(2_000)
  })
})

describe('rounds in any zone, with any hours', () => {
  it('hold the instant that they are found by, and belong to their game day', () => {
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

  it('tile the time: the same one until its draw, then at once the next, if the day has room', () => {
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

  it('are not missing: where none runs, no game day has one', () => {
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

  it('are of game days that never overlap', () => {
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

  it('are followed by a round that opens later, with none opening between', () => {
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

  it('do not follow where no day is long enough for one', () => {
    const rules: ScheduleRules = { ...SINGAPORE, opensMinute: 0, closesMinute: 1, roundMs: 90_000 }
    expect(roundAt(rules, at('2026-11-20T00:00:30+08:00'))).toBeNull()
    expect(() => nextRoundAfter(rules, at('2026-11-20T12:00:00Z'))).toThrow('no round follows')
  })
})

describe('days on which the clock is changed', () => {
  const newYork = (hours: string) => rulesOf('America/New_York', hours, 210_000)

  it('are an hour shorter or longer, with rounds for what there is', () => {
    const whole = newYork('00:00-24:00')
    const hoursOf = (day: string) => {
      const { opensAt, closesAt } = gameDaySpan(whole, day)
      return (closesAt - opensAt) / HOUR_MS
    }
    expect(hoursOf('2026-03-07')).toBe(24)
    expect(hoursOf('2026-03-08')).toBe(23)
    expect(hoursOf('2026-11-01')).toBe(25)
    expect(roundsInDay(whole, '2026-03-08')).toBe(394)
    expect(roundsInDay(whole, '2026-11-01')).toBe(428)
    const night = newYork('10:00-02:00')
    expect(roundsInDay(night, '2026-03-07')).toBe(274)
    expect(roundsInDay(night, '2026-10-31')).toBe(291)
    expect(gameDaySpan(night, '2026-03-07').closesAt).toBe(at('2026-03-08T07:00:00Z'))
    expect(gameDaySpan(night, '2026-10-31').closesAt).toBe(at('2026-11-01T07:00:00Z'))
  })

  it('move an hour that is left out to the instant at which the gap ends', () => {
    const gapEndsAt = at('2026-03-08T07:00:00Z')
    for (const hours of ['02:00-09:00', '02:01-09:00', '02:30-09:00', '02:59-09:00', '03:00-09:00'])
      expect(gameDaySpan(newYork(hours), '2026-03-08').opensAt).toBe(gapEndsAt)
    expect(gameDaySpan(newYork('01:59-09:00'), '2026-03-08').opensAt).toBe(gapEndsAt - 60_000)
    expect(gameDaySpan(newYork('03:01-09:00'), '2026-03-08').opensAt).toBe(gapEndsAt + 60_000)
    const late = rulesOf('Australia/Lord_Howe', '02:10-09:00', 210_000)
    expect(gameDaySpan(late, '2026-10-04').opensAt).toBe(at('2026-10-03T15:30:00Z'))
  })

  it('take the first of two for an hour that comes twice', () => {
    expect(gameDaySpan(newYork('01:30-09:00'), '2026-11-01').opensAt).toBe(
      at('2026-11-01T05:30:00Z'),
    )
    expect(gameDaySpan(newYork('02:00-09:00'), '2026-11-01').opensAt).toBe(
      at('2026-11-01T07:00:00Z'),
    )
  })

  it('do not let the end of one game day, in the gap, run into the next', () => {
    const rules = newYork('03:10-02:50')
    expect(gameDaySpan(rules, '2026-03-07').closesAt).toBe(at('2026-03-08T07:00:00Z'))
    expect(gameDaySpan(rules, '2026-03-08').opensAt).toBe(at('2026-03-08T07:10:00Z'))
    expect(roundAt(rules, at('2026-03-08T07:05:00Z'))).toBeNull()
  })

  it('keep the new day running where the clock went back across midnight', () => {
    const rules = rulesOf('America/St_Johns', '00:00-24:00', 210_000)
    const repeated = at('2010-11-07T03:00:00Z')
    expect(dayOf(rules.timeZone, repeated)).toBe('2010-11-06')
    expect(roundAt(rules, repeated)?.gameDay).toBe('2010-11-07')
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

  it('follows another as the calendar has it', () => {
    expect(addDays('2026-11-20', 0)).toBe('2026-11-20')
    expect(addDays('2026-11-30', 1)).toBe('2026-12-01')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2027-02-28', 1)).toBe('2027-03-01')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
    expect(addDays('2026-01-01', 365)).toBe('2027-01-01')
    expect(addDays('2999-12-31', 366)).toBe('3001-01-01')
  })

  it('comes back when as many days are taken away as were added', () => {
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

  it('holds every instant of it, and no other', () => {
    // In St John's the clock used to go back across midnight, and Apia left a day out.
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

  it('is told apart to the millisecond, before 1970 too', () => {
    expect(dayOf('UTC', -1)).toBe('1969-12-31')
    expect(dayOf('UTC', 0)).toBe('1970-01-01')
    expect(dayOf('Asia/Singapore', at('2026-11-20T15:59:59.999Z'))).toBe('2026-11-20')
    expect(dayOf('Asia/Singapore', at('2026-11-20T16:00:00.000Z'))).toBe('2026-11-21')
  })
})
