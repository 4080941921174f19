import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import { type DrawnDigits, drawDigits } from '../src/draw-digits.ts'
import { makeSeedChain, seedForRound } from '../src/seed-chain.ts'
import { qualityTests } from './quality-tests.ts'
import { sampleRounds, seedsInPlayOrder } from './sample-rounds.ts'
import { addTallies, emptyTally, GAMES, tallyRounds } from './tally.ts'

const SEED = '5c'.repeat(32)
const ROUNDS = 10_000

function drawnRounds(stretch = 0): DrawnDigits[][] {
  return [...sampleRounds({ seed: SEED, stretch, rounds: ROUNDS })].map((round) =>
    round.map(drawDigits),
  )
}

const good = drawnRounds()

/** The good draws with each digit changed by a fault. */
function faulty(
  fault: (digit: number, at: { i: number; game: number; position: number }) => number,
): string[] {
  const rounds = good.map((round, i) =>
    round.map((digits, game) => {
      const changed = digits.map((digit, position) => fault(digit, { i, game, position }))
      return changed as [number, number, number]
    }),
  )
  return qualityTests(tallyRounds(rounds))
    .filter((test) => !test.passed)
    .map((test) => test.name)
}

describe('the tests of the numbers', () => {
  it('are the required ones, with their degrees of freedom', () => {
    const tests = qualityTests(tallyRounds(good))
    expect(tests.map((test) => test.freedom)).toEqual([
      ...[9, 9, 9, 999, 27],
      ...new Array(10).fill(81),
      ...new Array(6).fill(81),
      27,
    ])
  })

  it('accept the production function with a fixed seed', () => {
    expect(qualityTests(tallyRounds(good)).filter((test) => !test.passed)).toEqual([])
  })

  it('reject bytes taken mod 10 when those of 250 and more are not skipped', () => {
    const byteAt = (i: number) => sha256(Uint8Array.of(i & 255, (i >> 8) & 255, i >> 16))
    const rounds = Array.from({ length: 40_000 }, (_, i) => {
      const bytes = byteAt(i)
      return Array.from({ length: GAMES }, (_, game): DrawnDigits => {
        const digit = (position: number) => (bytes[game * 3 + position] ?? 0) % 10
        return [digit(0), digit(1), digit(2)]
      })
    })
    const failed = qualityTests(tallyRounds(rounds)).filter((test) => !test.passed)
    expect(failed.map((test) => test.name)).toContain('digit at position 1')
  })

  it('reject a position that favours one digit', () => {
    const failed = faulty((digit, { i, position }) => (position === 1 && i % 20 === 0 ? 7 : digit))
    expect(failed).toContain('digit at position 2')
    expect(failed).toContain('all 1,000 triples')
    expect(failed).not.toContain('digit at position 1')
  })

  it('reject digits that are uniform but depend on the digits before', () => {
    const failed = faulty((_, { i, game, position }) => (i * 3 + position + game) % 10)
    expect(failed).toContain('serial pairs, lag 1')
    expect(failed).not.toContain('digit at position 1')
  })

  it('reject two games that draw the same', () => {
    const failed = faulty((digit, { i, game, position }) =>
      game === 2 && i % 10 === 0 ? (good[i]?.[0]?.[position] ?? digit) : digit,
    )
    expect(failed).toEqual(['games 1 and 3, same round'])
  })

  it('reject one game that differs from the others', () => {
    const failed = faulty((digit, { i, game }) => (game === 3 && i % 15 === 0 ? 0 : digit))
    expect(failed).toContain('digits alike in the four games')
  })

  it('refuse too few draws', () => {
    expect(() => qualityTests(emptyTally())).toThrow(RangeError)
  })
})

describe('the sample', () => {
  it('has the seeds that the engine would take, in play order, with checkpoints or without', () => {
    const chain = makeSeedChain(new Uint8Array(32).fill(3), 600)
    const seeds = [...seedsInPlayOrder(chain)]
    expect(seeds).toEqual(Array.from({ length: 600 }, (_, i) => seedForRound(chain, i + 1)))
  })

  it('has a chain for each game, one beacon value and issue for a round, and no repeated input', () => {
    const rounds = [...sampleRounds({ seed: SEED, stretch: 1, rounds: 500 })]
    expect(new Set(rounds.flat().map((input) => input.seed)).size).toBe(500 * GAMES)
    expect(new Set(rounds.flat().map((input) => input.randomness)).size).toBe(500)
    expect(new Set(rounds.flat().map((input) => input.issue)).size).toBe(500)
    expect(rounds[0]?.map((input) => input.gameId)).toEqual([1, 2, 3, 4])
    expect(rounds[0]?.[0]?.issue).toMatch(/^20[0-9]{9}$/)
  })

  it('gives the same counts in parts as in whole', () => {
    const twice = addTallies(tallyRounds(good), tallyRounds(good))
    expect(twice.triples).toEqual(tallyRounds(good).triples.map((count) => 2 * count))
    expect(tallyRounds(good).triples.reduce((sum, count) => sum + count)).toBe(ROUNDS * GAMES)
  })
})
