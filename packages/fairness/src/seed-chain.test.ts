import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vectors from '../testing/vectors/fairness-vectors.json' with { type: 'json' }
import { fromHex, toHex } from './hex.ts'
import {
  CHECKPOINT_SPACING,
  hashSeed,
  makeSeedChain,
  SEED_CHAIN_LENGTH,
  seedForRound,
} from './seed-chain.ts'

const { secret, length, commitment, seeds_in_play_order: seeds } = vectors.chain

describe('a seed chain', () => {
  it('has the published commitment and seeds', () => {
    const chain = makeSeedChain(fromHex(secret, 32), length)
    expect(chain.commitment).toBe(commitment)
    expect(seeds.map((_, i) => seedForRound(chain, i + 1))).toEqual(seeds)
  })

  it('proves each revealed seed by the commitment and by the seed before', () => {
    for (const [i, revealed] of seeds.entries()) {
      expect(hashSeed(revealed, i + 1)).toBe(commitment)
      expect(hashSeed(revealed, 1)).toBe(seeds[i - 1] ?? commitment)
    }
  })

  it('gives its commitment by no seed that is altered, and by none of another round', () => {
    const revealed = seeds[2] ?? ''
    const altered = revealed.replace(/^./, (c) => (c === '0' ? '1' : '0'))
    expect(hashSeed(altered, 3)).not.toBe(commitment)
    for (const distance of [1, 2, 4]) expect(hashSeed(revealed, distance)).not.toBe(commitment)
    // At distance 0 the commitment would prove itself.
    expect(hashSeed(commitment, 0)).toBeNull()
  })

  const [, , third = ''] = seeds
  it.each<[string, number]>([
    ...['', 'zz', third.toUpperCase(), `${third}00`, `${'a'.repeat(63)}\n`].map(
      (seed): [string, number] => [seed, 3],
    ),
    ...[-1, 0, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 40].map(
      (distance): [string, number] => [third, distance],
    ),
  ])('has no value for the seed %j hashed %d times', (revealed, distance) => {
    expect(hashSeed(revealed, distance)).toBeNull()
  })

  it('gives every round the seed that plain hashing gives, for any length', () => {
    const s0s = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const lengths = fc.integer({ min: 1, max: 3 * CHECKPOINT_SPACING + 1 })
    fc.assert(
      fc.property(s0s, lengths, (s0, n) => {
        const chain = makeSeedChain(s0, n)
        let plain = Uint8Array.from(s0)
        for (let k = n; k >= 1; k--) {
          if (k === n || k === 1 || k % 97 === 0) expect(seedForRound(chain, k)).toBe(toHex(plain))
          plain = sha256(plain)
        }
        expect(chain.commitment).toBe(toHex(plain))
      }),
      { numRuns: 20 },
    )
  })

  it('keeps one checkpoint for every 256 seeds of a chain of full length', () => {
    const chain = makeSeedChain(new Uint8Array(32).fill(7))
    expect(chain.length).toBe(SEED_CHAIN_LENGTH)
    expect(chain.checkpoints).toHaveLength(512)
    const first = seedForRound(chain, 1)
    expect(hashSeed(first, 1)).toBe(chain.commitment)
    const last = seedForRound(chain, SEED_CHAIN_LENGTH)
    expect(last).toBe('07'.repeat(32))
    expect(hashSeed(last, SEED_CHAIN_LENGTH)).toBe(chain.commitment)
  })

  it('is not changed when the secret that it was made from is erased', () => {
    const s0 = fromHex(secret, 32)
    const chain = makeSeedChain(s0, length)
    s0.fill(0)
    expect(seedForRound(chain, length)).toBe(secret)
  })

  it('may have one seed only', () => {
    const chain = makeSeedChain(fromHex(secret, 32), 1)
    expect(seedForRound(chain, 1)).toBe(secret)
    expect(chain.commitment).toBe(hashSeed(secret, 1))
  })

  it('is hashed over 1,048,576 rounds at most', () => {
    expect(hashSeed(secret, 2 ** 20)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashSeed(secret, 2 ** 20 + 1)).toBeNull()
  })

  it('has no round outside its length, and needs a secret of 32 bytes', () => {
    const chain = makeSeedChain(fromHex(secret, 32), length)
    for (const index of [0, -1, 1.5, length + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => seedForRound(chain, index)).toThrow(RangeError)
    }
    for (const bytes of [0, 31, 33]) {
      expect(() => makeSeedChain(new Uint8Array(bytes), 8)).toThrow(RangeError)
    }
    for (const odd of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => makeSeedChain(new Uint8Array(32), odd)).toThrow(RangeError)
    }
  })

  it('gives no seed without its checkpoint', () => {
    const chain = { ...makeSeedChain(fromHex(secret, 32), length), checkpoints: [] }
    expect(() => seedForRound(chain, 1)).toThrow('lacks a checkpoint')
  })
})
