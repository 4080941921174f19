import { randomInt } from 'node:crypto'

/**
 * Returns a whole number from 0 to below a bound. Robots use the system's randomness, which is independent of every
 * draw.
 */
export type Random = (below: number) => number

export const systemRandom: Random = (below) => randomInt(below)

/** A random element of a list that is not empty. */
export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('one of nothing was asked for')
  return item
}
