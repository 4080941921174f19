/**
 * Goal: the list of past rounds shows the real draws, and a list that grows by the latest rounds equals
 * a newly loaded one.
 * Method: random raw draws, converted to the wire's form; the test computes the sums.
 */
import type { IssueResult } from '@sum28/contract/replies.ts'
import { gameDayOfIssue } from '@sum28/domain/issues.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hasGap,
  LATEST_COUNT,
  latestRounds,
  type PastRound,
  pastRoundFromWire,
  roundsBefore,
  withAnswer,
  withLatest,
  withStreamed,
} from '#src/data/rounds/past-round.ts'
import { byDay } from '#src/i18n/days.ts'
import { type RawRound, rawRounds, wireResult } from '#src/testing/drawn-rounds.ts'

const newestFirst = (rounds: readonly RawRound[]): PastRound[] =>
  rounds.map((round) => pastRoundFromWire(wireResult(round))).reverse()

/** What the server answers for the latest of some rounds. */
const latestOf = (all: readonly PastRound[]) => latestRounds(all.slice(0, LATEST_COUNT))

const roundsTo = (count: number): RawRound[] =>
  Array.from({ length: count }, (_, at) => ({
    roundId: `20261121${String(at + 1).padStart(3, '0')}`,
    digits: [1, 2, 3],
  }))

describe('a past round', () => {
  it('has the drawn digits and the labels of their sum, or is voided', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        for (const round of rounds) {
          const draw = pastRoundFromWire(wireResult(round))
          expect(draw.roundId).toBe(round.roundId)
          expect(draw.digits).toEqual(round.digits)
          expect(draw.voided).toBe(round.digits === null)
          const sum = round.digits?.reduce((total, digit) => total + digit, 0)
          const words =
            sum === undefined
              ? []
              : [sum > 13.5 ? 'long' : 'short', [1, 3, 5, 7, 9].includes(sum % 10) ? 'odd' : 'even']
          expect(draw.labels).toEqual(words)
          expect(draw.drawnAt).toBe(1_795_000_000_000)
        }
      }),
    )
  })

  it.each([
    { base: ['', ''], join: '' },
    { base: null, join: null },
  ])('has no digits and no labels if it was voided, with labels on the wire as %j', (labels) => {
    const voided = wireResult({ roundId: '20261120138', digits: null })
    const round = pastRoundFromWire({ ...voided, ...labels } as IssueResult)
    expect(round).toMatchObject({ digits: null, labels: [], voided: true })
  })

  it('is listed once under its game day', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const all = newestFirst(rounds)
        const groups = byDay(all, ({ roundId }) => gameDayOfIssue(roundId))
        expect(groups.flatMap((group) => group.items)).toEqual(all)
        for (const { day, items: ofDay } of groups) {
          const date = day.replaceAll('-', '')
          expect(ofDay.every(({ roundId }) => roundId.startsWith(date))).toBe(true)
        }
        expect(new Set(groups.map(({ day }) => day)).size).toBe(groups.length)
      }),
    )
  })
})

describe('a list that grows by the latest rounds', () => {
  const cut = fc.tuple(rawRounds, fc.double({ min: 0, max: 1, noNaN: true }))

  it('equals a newly loaded list, or stays unchanged if rounds may be missing', () => {
    fc.assert(
      fc.property(cut, ([rounds, share]) => {
        const all = newestFirst(rounds)
        const earlier = newestFirst(rounds.slice(0, Math.floor(rounds.length * share)))
        const result = withLatest(earlier, latestOf(all), null)
        const missed = all.length - earlier.length
        const gap = missed >= LATEST_COUNT && all.length >= LATEST_COUNT
        expect(result).toEqual(gap ? earlier : all)
        if (missed === 0) expect(result).toBe(earlier)
      }),
    )
  })

  it('contains only the day’s own rounds', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const latest = latestOf(newestFirst(rounds))
        const ofDay = newestFirst(rounds.filter(({ roundId }) => roundId.startsWith('20261201')))
        // A day with as many rounds as requested may have more.
        const isWhole = ofDay.length < LATEST_COUNT
        expect(withLatest([], latest, '2026-12-01')).toEqual(isWhole ? ofDay : [])
      }),
    )
  })

  it('puts a round that was decided late into its place', () => {
    const all = newestFirst(roundsTo(3))
    const earlier = all.filter(({ roundId }) => roundId !== '20261121002')
    expect(withLatest(earlier, latestOf(all), null)).toEqual(all)
  })
})

describe('a signature of a witness that came in time and is known only after the draw', () => {
  const witnessed = newestFirst(roundsTo(3))
  const before = witnessed.map((round, at) => (at === 0 ? { ...round, witnessed: false } : round))

  it('mends what is known of the round', () => {
    expect(withAnswer(latestOf(before), latestOf(witnessed)).rounds).toEqual(witnessed)
    expect(withLatest(before, latestOf(witnessed), null)).toEqual(witnessed)
  })

  it('is not lost by an older answer', () => {
    expect(withAnswer(latestOf(witnessed), latestOf(before)).rounds).toEqual(witnessed)
  })
})

describe('the latest rounds', () => {
  it('are the same whichever of two answers comes first', () => {
    fc.assert(
      fc.property(rawRounds, fc.nat(LATEST_COUNT - 1), (rounds, news) => {
        const earlier = latestOf(newestFirst(rounds.slice(0, Math.max(0, rounds.length - news))))
        const later = latestOf(newestFirst(rounds))
        const both = withAnswer(earlier, later)
        expect(both.rounds.slice(0, later.rounds.length)).toEqual(later.rounds)
        expect(withAnswer(both, earlier)).toEqual(both)
      }),
    )
  })

  it('are replaced if rounds may be missing between them and an answer', () => {
    const earlier = latestOf(newestFirst(roundsTo(30)))
    const answer = latestOf(newestFirst(roundsTo(150)))
    expect(hasGap(earlier, answer)).toBe(true)
    expect(withAnswer(earlier, answer)).toBe(answer)
  })

  it('keep no more than the latest thousand', () => {
    const all = newestFirst(roundsTo(1_200))
    const latest = withStreamed(latestOf(newestFirst(roundsTo(40))), all)
    expect(latest).toEqual({ rounds: all.slice(0, 1_000), fromFirst: false })
  })

  it('include the four that a room shows before its last one', () => {
    const latest = latestOf(newestFirst(roundsTo(9)))
    const roundIds = roundsBefore(latest, '20261121008').map(({ roundId }) => roundId)
    expect(roundIds).toEqual(['20261121007', '20261121006', '20261121005', '20261121004'])
  })
})
