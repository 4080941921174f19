import { type ChiSquare, fitTest, holmAdjusted, independenceTest } from './chi-square.ts'
import { GAME_PAIRS, GAMES, LAGS, type Tally } from './tally.ts'

/** The chance, over all tests together, of rejecting draws that are uniform. */
export const LEVEL = 0.01

/** With fewer draws some of the 1,000 triples have too small an expected count for chi-square. */
export const DRAWS_MIN = 10_000

export interface QualityTest extends ChiSquare {
  readonly name: string
  /** p after Holm's correction for the number of tests. */
  readonly adjusted: number
  readonly passed: boolean
}

/** All tests of docs/rng.md's "Quality of the numbers" on a tally of at least DRAWS_MIN draws. */
export function qualityTests(tally: Tally): QualityTest[] {
  const draws = tally.triples.reduce((sum, count) => sum + count, 0)
  if (draws < DRAWS_MIN) throw new RangeError(`${draws} draws are too few to test`)
  const tests = [
    ...[0, 1, 2].map((position) => ({
      name: `digit at position ${position + 1}`,
      ...fitTest(digitsAtPosition(tally, position), new Array(10).fill(0.1)),
    })),
    { name: 'all 1,000 triples', ...fitTest(tally.triples, new Array(1000).fill(0.001)) },
    { name: 'the 28 sums', ...fitTest(sumsOf(tally.triples), sumsOf(new Array(1000).fill(0.001))) },
    ...Array.from({ length: LAGS }, (_, i) => ({
      name: `serial pairs, lag ${i + 1}`,
      ...independenceTest(tally.serial.subarray(i * 100, i * 100 + 100), 10),
    })),
    ...GAME_PAIRS.map(([one, other], i) => ({
      name: `games ${one + 1} and ${other + 1}, same round`,
      ...independenceTest(tally.between.subarray(i * 100, i * 100 + 100), 10),
    })),
    { name: 'digits alike in the four games', ...independenceTest(digitsByGame(tally), 10) },
  ]
  const adjusted = holmAdjusted(tests.map((test) => test.p))
  return tests.map((test, i) => {
    const p = adjusted[i] ?? 0
    return { ...test, adjusted: p, passed: p >= LEVEL }
  })
}

function digitsAtPosition(tally: Tally, position: number): Float64Array {
  const counts = new Float64Array(10)
  for (let game = 0; game < GAMES; game++) {
    for (let digit = 0; digit < 10; digit++) {
      counts[digit] =
        (counts[digit] ?? 0) + (tally.positions[(game * 3 + position) * 10 + digit] ?? 0)
    }
  }
  return counts
}

function digitsByGame(tally: Tally): Float64Array {
  const counts = new Float64Array(GAMES * 10)
  for (const [i, count] of tally.positions.entries()) {
    const cell = Math.floor(i / 30) * 10 + (i % 10)
    counts[cell] = (counts[cell] ?? 0) + count
  }
  return counts
}

/** The counts of the sums 0 to 27, from the counts of the 1,000 triples. */
function sumsOf(triples: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(28)
  for (let triple = 0; triple < triples.length; triple++) {
    const sum = Math.floor(triple / 100) + (Math.floor(triple / 10) % 10) + (triple % 10)
    sums[sum] = (sums[sum] ?? 0) + (triples[triple] ?? 0)
  }
  return sums
}
