import { hash } from 'node:crypto'
import { SEED_CHAIN_LENGTH } from '../src/seed-chain.ts'
import type { Stretch, StretchResult } from './run-stretches.ts'
import { chainSecret, sampleRound } from './sample-rounds.ts'
import { GAMES } from './tally.ts'

const HASH_BYTES = 32
/** The block size of SHA-256, to which HMAC pads its key (RFC 2104). */
const HMAC_BLOCK_BYTES = 64
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c

/**
 * The first block of each draw of a stretch; the draw itself uses three bytes of it or a few more.
 * A test compares the bytes with those of the production function. They are made by Node's native
 * SHA-256 here, because dieharder reads more than a hundred gigabytes.
 */
export function rawStretch({ seed, index: stretch, rounds }: Stretch): StretchResult {
  const chains = Array.from({ length: GAMES }, (_, game) =>
    wholeChain(Buffer.from(chainSecret({ seed, stretch, game }), 'hex')),
  )
  const bytes = Buffer.alloc(rounds * GAMES * HASH_BYTES)
  let offset = 0
  for (let round = 0; round < rounds; round++) {
    const { issue, randomness } = sampleRound({ seed, stretch, round })
    const position = (SEED_CHAIN_LENGTH - 1 - round) * HASH_BYTES
    for (const [game, chain] of chains.entries()) {
      const key = chain.subarray(position, position + HASH_BYTES)
      hmac(key, `sum28/1|${game + 1}|${issue}|${randomness}|0`).copy(bytes, offset)
      offset += HASH_BYTES
    }
  }
  return { index: stretch, bytes }
}

/** s₀ to s_(N−1), one after the other. */
function wholeChain(secret: Buffer): Buffer {
  const seeds = Buffer.alloc(SEED_CHAIN_LENGTH * HASH_BYTES)
  let seed = secret
  for (let offset = 0; offset < seeds.length; offset += HASH_BYTES) {
    seed.copy(seeds, offset)
    seed = hash('sha256', seed, 'buffer')
  }
  return seeds
}

const inner = Buffer.alloc(512)
const outer = Buffer.alloc(HMAC_BLOCK_BYTES + HASH_BYTES, OUTER_PAD)

// Two one-shot hashes: creating a Hmac object costs several times as much as the hash itself.
function hmac(key: Buffer, message: string): Buffer {
  inner.fill(INNER_PAD, key.length, HMAC_BLOCK_BYTES)
  for (let i = 0; i < key.length; i++) {
    const byte = key[i] ?? 0
    inner[i] = byte ^ INNER_PAD
    outer[i] = byte ^ OUTER_PAD
  }
  const length = HMAC_BLOCK_BYTES + inner.write(message, HMAC_BLOCK_BYTES, 'latin1')
  hash('sha256', inner.subarray(0, length), 'buffer').copy(outer, HMAC_BLOCK_BYTES)
  return hash('sha256', outer, 'buffer')
}
