/** Randomness for tests: the same numbers in each run, so that no test fails by chance. */
import { createHash } from 'node:crypto'
import type { Random } from '#src/modules/robots/plan-round.ts'

/** Returns whole numbers from 0 to below a bound: the hashes of a seed and a count. */
export function seededRandom(seed: string): Random {
  let count = 0
  return (below) => {
    count += 1
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() % below
  }
}
