/**
 * Goal: what the list of past rounds shows is what was drawn, and a list that grows by the latest
 * rounds is the list that loading it anew would give.
 * Method: raw draws by chance, sent through the wire's form; the sums are added up here.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  byGameDay,
  LATEST_COUNT,
  type PastDraw,
  pastDrawFromWire,
  withLatest,
} from '#src/data/past-draw.ts'
import { type RawRound, rawRounds, wireResult } from '#src/testing/drawn-rounds.ts'

const newestFirst = (rounds: readonly RawRound[]): PastDraw[] =>
  rounds.map((round) => pastDrawFromWire(wireResult(round))).reverse()

describe('a past round', () => {
  it('shows the digits that were drawn, with the words of their sum, or that it was voided', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        for (const round of rounds) {
          const draw = pastDrawFromWire(wireResult(round))
          expect(draw.issue).toBe(round.issue)
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

  it('is listed once under its game day', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const draws = newestFirst(rounds)
        const groups = byGameDay(draws)
        expect(groups.flatMap((group) => group.draws)).toEqual(draws)
        for (const { day, draws: ofDay } of groups) {
          const date = day.replaceAll('-', '')
          expect(ofDay.every(({ issue }) => issue.startsWith(date))).toBe(true)
        }
        expect(new Set(groups.map(({ day }) => day)).size).toBe(groups.length)
      }),
    )
  })
})

describe('a list that grows by the latest rounds', () => {
  const cut = fc.tuple(rawRounds, fc.double({ min: 0, max: 1, noNaN: true }))

  it('is the list that loading it anew would give, or says that it must be loaded anew', () => {
    fc.assert(
      fc.property(cut, ([rounds, share]) => {
        const all = newestFirst(rounds)
        const known = newestFirst(rounds.slice(0, Math.floor(rounds.length * share)))
        const grown = withLatest(known, all.slice(0, LATEST_COUNT), null)
        const missed = all.length - known.length
        if (missed < LATEST_COUNT) expect(grown).toEqual(all)
        else if (grown !== null) expect(grown).toEqual(all)
        if (missed === 0) expect(grown).toBe(known)
        if (missed >= LATEST_COUNT && all.length > LATEST_COUNT) expect(grown).toBeNull()
      }),
    )
  })

  it('takes a day’s own rounds alone', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const latest = newestFirst(rounds).slice(0, LATEST_COUNT)
        const ofDay = newestFirst(rounds.filter(({ issue }) => issue.startsWith('20261201')))
        const grown = withLatest([], latest, '2026-12-01')
        expect(grown).toEqual(ofDay.length >= LATEST_COUNT ? null : ofDay)
      }),
    )
  })

  it('puts a round that was decided late into its place', () => {
    const rounds = ['20261121001', '20261121002', '20261121003'].map((issue) => ({
      issue,
      digits: [1, 2, 3],
    }))
    const all = newestFirst(rounds)
    const known = all.filter(({ issue }) => issue !== '20261121002')
    expect(withLatest(known, all, null)).toEqual(all)
  })
})
