import { sha256 } from '@noble/hashes/sha2.js'
import {
  BEACON_SCHEME,
  type BeaconInfo,
  type BeaconValue,
  publicKeyOf,
  randomnessOf,
  signRound,
  timeOfRound,
} from '@sum28/fairness/beacon.ts'
import { deriveBeaconKey } from '@sum28/fairness/beacon-key.ts'
import { chainHashOf } from '@sum28/fairness/chain-hash.ts'
import { fromHex, toHex } from '@sum28/fairness/hex.ts'
import { LRUCache } from 'lru-cache'

/** The name of the beacon in drand's format. */
export const LOCAL_BEACON_ID = 'sum28-local'

const DEFAULT_PERIOD_SECONDS = 3

/** Of so many latest rounds, which draws use, the values are signed whenever they are asked for. */
const LATEST = 20

/** Signing takes some milliseconds, and pages request the same few rounds again and again. */
const VALUES_KEPT = 276

/**
 * A beacon of the operator's own, for demo and tests: drand's scheme, with one signer instead of many. It releases
 * values on time, but its operator could compute any value early; the pages say so.
 */
export interface LocalBeacon {
  readonly info: BeaconInfo
  /** 32 bytes in hex: part of the chain hash, drand's `groupHash`. */
  readonly genesisSeed: string
  /** The latest round whose time has come, or null before genesis. */
  latestRound(): number | null
  /** The value of a round, or null before its time. There is no other way to get a value. */
  releasedValue(round: number): BeaconValue | null
  /** Whether `releasedValue` can answer for this round without signing, or the round is one of the latest. */
  isAtHand(round: number): boolean
}

/**
 * @param options.secret 32 secret bytes. The same bytes give the same beacon again, so they must be kept.
 * @param options.genesisTime unix seconds of round 1; must be kept with the secret
 * @param options.now the clock, in milliseconds since 1970
 * @param options.period seconds between rounds
 */
export function createLocalBeacon(options: {
  readonly secret: Uint8Array
  readonly genesisTime: number
  readonly now: () => number
  readonly period?: number
}): LocalBeacon {
  const { secret, genesisTime, now, period = DEFAULT_PERIOD_SECONDS } = options
  if (secret.length !== 32) throw new RangeError('a local beacon’s secret has 32 bytes')
  if (!Number.isSafeInteger(genesisTime) || !Number.isSafeInteger(period) || period < 1) {
    throw new RangeError(
      'a local beacon begins at a whole second and has a period of whole seconds',
    )
  }
  const secretKey = deriveBeaconKey(secret)
  const publicKey = publicKeyOf(secretKey)
  // drand hashes the group of signers here; our group is the one key.
  const genesisSeed = toHex(sha256(fromHex(publicKey, 96)))
  const chainHash = chainHashOf({
    period,
    genesisTime,
    publicKey,
    genesisSeed,
    beaconId: LOCAL_BEACON_ID,
  })
  const info: BeaconInfo = {
    kind: 'local',
    chainHash,
    publicKey,
    scheme: BEACON_SCHEME,
    period,
    genesisTime,
  }
  const kept = new LRUCache<number, BeaconValue>({ max: VALUES_KEPT })

  function latestRound(): number | null {
    const sinceGenesisMs = now() - genesisTime * 1000
    return sinceGenesisMs < 0 ? null : Math.floor(sinceGenesisMs / (period * 1000)) + 1
  }

  function isAtHand(round: number): boolean {
    return (
      timeOfRound(info, round) > now() || round > (latestRound() ?? 0) - LATEST || kept.has(round)
    )
  }

  function releasedValue(round: number): BeaconValue | null {
    if (timeOfRound(info, round) > now()) return null
    const stored = kept.get(round)
    if (stored !== undefined) return stored
    const signature = signRound(secretKey, round)
    const value = { round, signature, randomness: randomnessOf(signature) }
    kept.set(round, value)
    return value
  }

  return { info, genesisSeed, latestRound, releasedValue, isAtHand }
}
