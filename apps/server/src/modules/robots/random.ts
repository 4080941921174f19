import { randomInt } from 'node:crypto'

/**
 * Gives a whole number from 0 up to, and not including, a bound. Robots draw on the system's
 * randomness, which has nothing to do with any draw's.
 */
export type Random = (below: number) => number

export const systemRandom: Random = (below) => randomInt(below)

/** One of a list that is not empty. */
export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('one of nothing was asked for')
  return item
}
