import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex, isHex, toHex } from './hex.ts'

/** Seeds in a chain of the product: more than a year of rounds of one game. */
export const SEED_CHAIN_LENGTH = 131_072

/** Hashes between two checkpoints, and so the highest cost of one seed. */
export const CHECKPOINT_SPACING = 256

// Limits the work that a forged receipt can cause in a verifier (some seconds in a browser).
const MAX_DISTANCE = 8 * SEED_CHAIN_LENGTH

const SEED_BYTES = 32

/**
 * A chain of seeds, s₀ … s_N with sᵢ₊₁ = SHA-256(sᵢ), held by the operator.
 * Only `commitment` is public. A checkpoint is as secret as s₀, because every seed after it follows
 * from it.
 */
export interface SeedChain {
  /** N, the number of rounds that the chain serves. */
  readonly length: number
  /** C = s_N in hex, published before the chain's first round. */
  readonly commitment: string
  /** s₀, s₂₅₆, s₅₁₂ …: one every CHECKPOINT_SPACING seeds. Secret. */
  readonly checkpoints: readonly Uint8Array[]
}

/**
 * Computes a whole chain once from its secret s₀ (about a tenth of a second for 131,072 seeds).
 * @param s0 32 bytes from the operating system's generator; copied, not kept
 * @param length N, 1 or more
 */
export function makeSeedChain(s0: Uint8Array, length: number = SEED_CHAIN_LENGTH): SeedChain {
  assertSeedBytes(s0)
  if (!Number.isSafeInteger(length) || length < 1) {
    throw new RangeError('a chain has at least one seed')
  }
  const checkpoints: Uint8Array[] = []
  let seed = Uint8Array.from(s0)
  for (let i = 0; i < length; i++) {
    if (i % CHECKPOINT_SPACING === 0) checkpoints.push(seed)
    seed = sha256(seed)
  }
  return { length, commitment: toHex(seed), checkpoints }
}

/**
 * The seed of the chain's k-th round, s_(N−k), in hex. Costs at most CHECKPOINT_SPACING hashes.
 * @param index k from 1 to N; voided rounds count, because they use up their seed
 */
export function seedForRound(chain: SeedChain, index: number): string {
  if (!Number.isSafeInteger(index) || index < 1 || index > chain.length) {
    throw new RangeError(`round ${index} is not of a chain of ${chain.length}`)
  }
  const position = chain.length - index
  const checkpoint = chain.checkpoints[Math.floor(position / CHECKPOINT_SPACING)]
  if (checkpoint === undefined) throw new RangeError('the chain lacks a checkpoint')
  return toHex(hashTimes(checkpoint, position % CHECKPOINT_SPACING))
}

/**
 * A revealed seed hashed `distance` times by SHA-256, in hex.
 * @returns null when the seed is not 32 bytes of hex, or the distance not a whole number from 1 to
 * 1,048,576
 */
export function hashSeed(revealed: string, distance: number): string | null {
  if (!isHex(revealed, SEED_BYTES) || !Number.isSafeInteger(distance)) return null
  if (distance < 1 || distance > MAX_DISTANCE) return null
  return toHex(hashTimes(fromHex(revealed, SEED_BYTES), distance))
}

function hashTimes(seed: Uint8Array, times: number): Uint8Array {
  let hashed = seed
  for (let i = 0; i < times; i++) hashed = sha256(hashed)
  return hashed
}

function assertSeedBytes(seed: Uint8Array): void {
  if (seed.length !== SEED_BYTES) throw new RangeError('a seed has 32 bytes')
}
