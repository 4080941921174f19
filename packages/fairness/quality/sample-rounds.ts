import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { DrawInput } from '../src/draw-digits.ts'
import { fromHex, toHex } from '../src/hex.ts'
import {
  CHECKPOINT_SPACING,
  makeSeedChain,
  SEED_CHAIN_LENGTH,
  type SeedChain,
} from '../src/seed-chain.ts'
import { GAMES } from './tally.ts'

/** Rounds in a stretch: one whole chain of each game. */
export const STRETCH_ROUNDS = SEED_CHAIN_LENGTH

// 24 hours of rounds of 210 s; makes issue numbers look like real ones.
const ROUNDS_A_DAY = 411
const FIRST_DAY = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000

/**
 * The inputs of draws as the product makes them: issue after issue, each game with its own seed
 * chain, and one beacon value for the four games of a round. The chains' secrets are derived from
 * `seed`; SHA-256 of a counter replaces the beacon.
 * @param seed 32 bytes in hex: the sample depends on nothing else
 * @param stretch from 0; every stretch has chains and issues of its own
 * @param rounds how many of its rounds, from 1 to STRETCH_ROUNDS
 */
export function* sampleRounds(sample: {
  seed: string
  stretch: number
  rounds: number
}): Generator<readonly DrawInput[], void> {
  const { seed, stretch, rounds } = sample
  const chains = Array.from({ length: GAMES }, (_, game) =>
    seedsInPlayOrder(makeSeedChain(fromHex(chainSecret({ seed, stretch, game }), 32))),
  )
  for (let i = 0; i < rounds; i++) {
    const { issue, randomness } = sampleRound({ seed, stretch, round: i })
    yield chains.map((seeds, game) => {
      const { value } = seeds.next()
      if (value === undefined) throw new RangeError('a stretch ends with its chains')
      return { seed: value, gameId: game + 1, issue, randomness }
    })
  }
}

/** The seeds of a chain in hex, s_(N−1) first. Costs one hash a seed, because 256 are kept at a time. */
export function* seedsInPlayOrder(chain: SeedChain): Generator<string, void> {
  for (const [i, checkpoint] of [...chain.checkpoints.entries()].reverse()) {
    const count = Math.min(CHECKPOINT_SPACING, chain.length - i * CHECKPOINT_SPACING)
    const seeds = [checkpoint]
    while (seeds.length < count) seeds.push(sha256(seeds.at(-1) ?? checkpoint))
    for (const seed of seeds.reverse()) yield toHex(seed)
  }
}

/** s₀ of a stretch's chain, in hex. `game` counts from 0. */
export function chainSecret(chain: { seed: string; stretch: number; game: number }): string {
  return labelled(`sum28-rng|chain|${chain.seed}|${chain.game + 1}|${chain.stretch}`)
}

/** The inputs that the four games of a round share. `round` counts from 0 in each stretch. */
export function sampleRound(sample: { seed: string; stretch: number; round: number }): {
  issue: string
  randomness: string
} {
  const number = sample.stretch * STRETCH_ROUNDS + sample.round
  return {
    issue: issueOf(number),
    randomness: labelled(`sum28-rng|beacon|${sample.seed}|${number}`),
  }
}

function issueOf(number: number): string {
  const day = new Date(FIRST_DAY + Math.floor(number / ROUNDS_A_DAY) * DAY_MS)
  const ofDay = String((number % ROUNDS_A_DAY) + 1).padStart(3, '0')
  return day.toISOString().slice(0, 10).replaceAll('-', '') + ofDay
}

function labelled(text: string): string {
  return toHex(sha256(utf8ToBytes(text)))
}
