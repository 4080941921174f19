/** A draw, its sum, and the names of that: apart from the rules of bets, which the app's first screen does without. */

/** A draw, in the order in which its digits were drawn; each 0–9. */
export type Digits = readonly [number, number, number]

/** 0 to 27. */
export function sumOfDigits([first, second, third]: Digits): number {
  return first + second + third
}

/** The named outcomes, in the order of the bet panel. */
export const NAMED_OUTCOMES = [
  'long',
  'short',
  'odd',
  'even',
  'long-odd',
  'long-even',
  'short-odd',
  'short-even',
] as const

/** A size and a parity together. */
export type JointOutcome = 'long-odd' | 'long-even' | 'short-odd' | 'short-even'

/** The named outcomes of a sum: long or short, odd or even, and the two together. */
export function labelsOfSum(sum: number): {
  base: ['long' | 'short', 'odd' | 'even']
  join: JointOutcome
} {
  const size = sum >= 14 ? 'long' : 'short'
  const parity = sum % 2 === 1 ? 'odd' : 'even'
  return { base: [size, parity], join: `${size}-${parity}` }
}
