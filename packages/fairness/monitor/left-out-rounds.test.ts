import {
  addDays,
  gameDaySpan,
  parseOpeningHours,
  roundsInDay,
  type ScheduleRules,
} from '@sum28/domain/schedule.ts'
import { describe, expect, it } from 'vitest'
import { type Announced, leftOutRounds } from './left-out-rounds.ts'

const HOUSE = { hours: '10:00-02:00', timeZone: 'Asia/Singapore', seconds: 210 }

/** The rounds of some days, as an honest house announces them. */
function roundsOf(
  from: string,
  days: number,
  { hours, timeZone, seconds }: typeof HOUSE = HOUSE,
): Announced[] {
  const minutes = parseOpeningHours(hours)
  if (!minutes) throw new Error(`${hours} are no hours`)
  const rules: ScheduleRules = { timeZone, ...minutes, roundMs: seconds * 1_000, sealMs: 1_000 }
  return Array.from({ length: days }, (_, at) => addDays(from, at)).flatMap((day) => {
    const start = gameDaySpan(rules, day).opensAt / 1_000
    return Array.from({ length: roundsInDay(rules, day) }, (_, at): Announced => {
      const issue = day.replaceAll('-', '') + String(at + 1).padStart(3, '0')
      const opens = start + at * seconds
      return { game: '1', issue, opens, draws: opens + seconds }
    })
  })
}

function told(rounds: readonly Announced[]): string[] {
  const { add } = leftOutRounds()
  return rounds.flatMap(add)
}

const after = (rounds: readonly Announced[], day: string, number: number) =>
  rounds.filter(({ issue }) => !(issue.startsWith(day) && Number(issue.slice(8)) > number))

const longer = (from: string, to: string) =>
  `no round of game 1 was announced from ${from}.000Z to ${to}.000Z, longer than in the night before`

describe('the rounds of an honest house', () => {
  it.each([
    ['of the demo', HOUSE],
    ['that never closes', { ...HOUSE, hours: '00:00-24:00' }],
    [
      'whose clocks are put on and back while it is closed',
      { ...HOUSE, timeZone: 'Europe/Berlin' },
    ],
    ['… while it is open', { ...HOUSE, timeZone: 'Europe/Berlin', hours: '22:00-06:00' }],
    ['… and it never closes', { ...HOUSE, timeZone: 'America/New_York', hours: '00:00-24:00' }],
    [
      'of 500 seconds each',
      { ...HOUSE, seconds: 500, timeZone: 'Europe/Berlin', hours: '00:00-24:00' },
    ],
    ['of an hour each', { ...HOUSE, seconds: 3_600, hours: '09:15-23:00' }],
  ])('%s are never told to be left out', (_, house) => {
    for (const from of ['2026-03-05', '2026-03-25', '2026-10-22', '2026-10-29'])
      expect(told(roundsOf(from, 8, house))).toEqual([])
  })

  it('are not, when their length changes in the night', () => {
    for (const [one, other] of [
      [210, 3_500],
      [3_500, 210],
    ] as const) {
      const open = { ...HOUSE, hours: '00:00-24:00' }
      const rounds = [
        ...roundsOf('2026-11-18', 3, { ...open, seconds: one }),
        ...roundsOf('2026-11-21', 3, { ...open, seconds: other }),
      ]
      expect(told(rounds)).toEqual([])
    }
  })
})

describe('rounds that are left out', () => {
  const days = roundsOf('2026-11-19', 4)
  const open = roundsOf('2026-11-19', 4, { ...HOUSE, hours: '00:00-24:00' })

  it.each<[string, readonly Announced[], string[]]>([
    [
      'at the end of a day',
      after(days, '20261120', 200),
      [longer('2026-11-20T13:40:00', '2026-11-21T02:00:00')],
    ],
    [
      'as the last of a day',
      after(days, '20261120', 273),
      [longer('2026-11-20T17:55:30', '2026-11-21T02:00:00')],
    ],
    [
      'at the end of a day of a house that never closes',
      after(open, '20261120', 200),
      [longer('2026-11-20T03:40:00', '2026-11-20T16:00:00')],
    ],
    [
      'as days',
      days.filter(({ issue }) => !/^2026112[01]/.test(issue)),
      ['no round of game 1 was announced on the days between 20261119 and 20261122'],
    ],
    [
      'by later times of a day’s rounds',
      days.map((round) =>
        round.issue.startsWith('20261121')
          ? { ...round, opens: round.opens + 7_200, draws: round.draws + 7_200 }
          : round,
      ),
      [longer('2026-11-20T17:59:00', '2026-11-21T04:00:00')],
    ],
    [
      'in a day whose numbers follow',
      after(days, '20261120', 200).flatMap((round) =>
        round.issue === '20261120200'
          ? [
              round,
              {
                ...round,
                issue: '20261120201',
                opens: round.draws + 600,
                draws: round.draws + 810,
              },
            ]
          : round.issue > '2026112020'
            ? []
            : round,
      ),
      [
        'no round of game 1 was announced from 2026-11-20T13:40:00.000Z to 2026-11-20T13:50:00.000Z, although their numbers follow',
      ],
    ],
  ])('%s are told', (_, rounds, sentences) => {
    expect(told(rounds)).toEqual(sentences)
  })

  it('are told once when a house has other hours from a day on', () => {
    const shorter = roundsOf('2026-11-23', 4, { ...HOUSE, hours: '10:00-21:40' })
    expect(told([...days, ...shorter])).toEqual([
      longer('2026-11-23T13:40:00', '2026-11-24T02:00:00'),
    ])
  })
})

describe('a game that announces nothing more', () => {
  const [last, next, third, fourth, fifth] = roundsOf('2026-11-20', 1) as [
    ...[Announced, Announced, Announced],
    ...[Announced, Announced],
  ]
  const [morning] = roundsOf('2026-11-21', 1) as [Announced]
  const others = (...rounds: Announced[]) => rounds.map((round) => ({ ...round, game: '2' }))

  it.each<[string, readonly Announced[], boolean]>([
    ['after ten minutes of another', [last, ...others(last, next, third, fourth, fifth)], true],
    ['not before', [last, ...others(last, next, third, fourth)], false],
    ['not once it goes on', [last, ...others(next, third, fourth, fifth), fifth], false],
    ['not in the night', [last, ...others(last)], false],
    ['not if it begins a moment later in the morning', [last, ...others(last, morning)], false],
  ])('is told %s', (_, rounds, isTold) => {
    const { add, silent } = leftOutRounds()
    for (const round of rounds) add(round)
    const sentence = 'no round of game 1 was announced after 20261120001, and other games went on'
    expect(silent()).toEqual(isTold ? [sentence] : [])
  })
})
