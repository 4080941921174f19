/**
 * Tests sign in some thousand times, so Argon2id works at the least cost in them, whatever cost is asked of it. Tests
 * of the hashing itself call {@link useRealArgon2}.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

// Each file of tests loads this again, in one process.
const globals = globalThis as { realArgon2?: typeof crypto.argon2 }
globals.realArgon2 ??= crypto.argon2
const real = globals.realArgon2

const cheap: typeof real = (algorithm, parameters, callback) =>
  real(algorithm, { ...parameters, memory: 8, passes: 1 }, callback)

let work = 0

/** How much work was asked of all hashes in this file of tests: their memory in KiB, times their passes. */
export function argon2Work(): number {
  return work
}

function use(argon2: typeof real): void {
  crypto.argon2 = (...given) => {
    const [, { memory, passes }] = given
    work += memory * passes
    return argon2(...given)
  }
  syncBuiltinESMExports()
}

use(cheap)

/** For all tests of a file. */
export function useRealArgon2(): void {
  beforeAll(() => use(real))
  afterAll(() => use(cheap))
}
