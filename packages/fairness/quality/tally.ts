import type { DrawnDigits } from '../src/draw-digits.ts'

/** The number of games; all of them draw in every round. */
export const GAMES = 4

/** Lags in the sequence of a game's digits: 1 and 2 reach within a draw, 3 to 10 beyond it. */
export const LAGS = 10

/** Every pair of the four games. */
export const GAME_PAIRS: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
]

/** The counts that the tests need from the draws; tallies can be added. */
export interface Tally {
  /** [game][place][digit]. */
  readonly positions: Float64Array
  /** [100 × first + 10 × second + third], all games together. */
  readonly triples: Float64Array
  /** [lag − 1][digit][digit `lag` later in the same game], all games together. */
  readonly serial: Float64Array
  /** [pair of games][digit of one][digit of the other in the same round and place]. */
  readonly between: Float64Array
}

/** A tally of no draws. */
export function emptyTally(): Tally {
  return {
    positions: new Float64Array(GAMES * 3 * 10),
    triples: new Float64Array(1000),
    serial: new Float64Array(LAGS * 100),
    between: new Float64Array(GAME_PAIRS.length * 100),
  }
}

/**
 * Counts consecutive rounds.
 * @param rounds the digits of all four games, round by round
 */
export function tallyRounds(rounds: Iterable<readonly DrawnDigits[]>): Tally {
  const tally = emptyTally()
  const recent = Array.from({ length: GAMES }, (): number[] => [])
  for (const round of rounds) {
    if (round.length !== GAMES) throw new RangeError('a round has a draw of each game')
    for (const [game, digits] of round.entries()) countDraw(tally, game, digits, recent[game] ?? [])
    for (const [pair, [one, other]] of GAME_PAIRS.entries()) {
      const a = round[one]
      const b = round[other]
      for (let position = 0; position < 3; position++) {
        add(tally.between, pair * 100 + (a?.[position] ?? 0) * 10 + (b?.[position] ?? 0))
      }
    }
  }
  return tally
}

// `recent` holds the game's last digits, latest first.
function countDraw(tally: Tally, game: number, digits: DrawnDigits, recent: number[]): void {
  add(tally.triples, digits[0] * 100 + digits[1] * 10 + digits[2])
  for (let position = 0; position < 3; position++) {
    const digit = digits[position] ?? 0
    add(tally.positions, (game * 3 + position) * 10 + digit)
    for (let lag = 1; lag <= recent.length; lag++) {
      add(tally.serial, (lag - 1) * 100 + (recent[lag - 1] ?? 0) * 10 + digit)
    }
    recent.unshift(digit)
    if (recent.length > LAGS) recent.pop()
  }
}

/** The sum of two tallies. */
export function addTallies(a: Tally, b: Tally): Tally {
  return {
    positions: sumOf(a.positions, b.positions),
    triples: sumOf(a.triples, b.triples),
    serial: sumOf(a.serial, b.serial),
    between: sumOf(a.between, b.between),
  }
}

function sumOf(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((count, i) => count + (b[i] ?? 0))
}

function add(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1
}
