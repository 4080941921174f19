import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex, isHex, toHex } from './hex.ts'

/** drand's name for: unchained, signatures on G1, public key on G2, hash to curve by RFC 9380. */
export const BEACON_SCHEME = 'bls-unchained-g1-rfc9380'

/** The domain separation tag of that scheme (RFC 9380; draft-irtf-cfrg-bls-signature, basic scheme on G1). */
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

const SIGNATURE_BYTES = 48
const PUBLIC_KEY_BYTES = 96
const SECRET_KEY_BYTES = 32

const bls = bls12_381.shortSignatures

/**
 * drand: a public network outside the operator's control. local: the operator's own, who could know
 * results early.
 */
export type BeaconKind = 'drand' | 'local'

/** When a beacon's rounds are published; both in whole seconds, as drand states them. */
export interface BeaconClock {
  readonly period: number
  /** Unix seconds of round 1. */
  readonly genesisTime: number
}

/** A beacon's constants, in drand's words. Byte strings in lower-case hex. */
export interface BeaconInfo extends BeaconClock {
  readonly kind: BeaconKind
  /** 32 bytes; names the chain in URLs. */
  readonly chainHash: string
  /** 96 bytes: a compressed point of G2. */
  readonly publicKey: string
  readonly scheme: typeof BEACON_SCHEME
}

/** A round's value, verified. */
export interface BeaconValue {
  readonly round: number
  /** 48 bytes: a compressed point of G1. */
  readonly signature: string
  /** 32 bytes: SHA-256 of the signature. */
  readonly randomness: string
}

/**
 * The first beacon round whose time is at or after an instant: ⌈(t − genesis) / period⌉ + 1.
 * @param at milliseconds since 1970, not before the beacon's genesis
 * @throws RangeError before genesis, where there is no value to wait for
 */
export function beaconRoundAt(clock: BeaconClock, at: number): number {
  const sinceGenesisMs = at - clock.genesisTime * 1000
  if (!(sinceGenesisMs >= 0)) throw new RangeError('the instant is before the beacon began')
  return Math.ceil(sinceGenesisMs / (clock.period * 1000)) + 1
}

/**
 * The instant of a round in milliseconds since 1970. Its value exists from then on, never before.
 * @param round 1 or more
 */
export function timeOfRound(clock: BeaconClock, round: number): number {
  assertRound(round)
  return (clock.genesisTime + (round - 1) * clock.period) * 1000
}

/** The latest verdicts by their claims: the four games of a round have one value, and each is checked more than once. */
const verdicts = new Map<string, boolean>()
const VERDICTS_KEPT = 64

/**
 * Whether `signature` is the beacon's only valid signature of `round`. Takes some 20 ms the first time.
 * Never throws: a malformed point, or one off the curve or outside the subgroup, gives false.
 */
export function verifySignature(claim: {
  publicKey: string
  round: number
  signature: string
}): boolean {
  if (!isRound(claim.round)) return false
  if (!isHex(claim.signature, SIGNATURE_BYTES)) return false
  if (!isHex(claim.publicKey, PUBLIC_KEY_BYTES)) return false
  const key = `${claim.publicKey} ${claim.round} ${claim.signature}`
  const known = verdicts.get(key)
  if (known !== undefined) return known
  if (verdicts.size >= VERDICTS_KEPT) verdicts.clear()
  const verdict = pairs(claim)
  verdicts.set(key, verdict)
  return verdict
}

function pairs(claim: { publicKey: string; round: number; signature: string }): boolean {
  try {
    // Decoding refuses a second encoding of a point: its other hash would allow a choice of draws.
    const signature = bls.Signature.fromHex(claim.signature)
    const publicKey = fromHex(claim.publicKey, PUBLIC_KEY_BYTES)
    return bls.verify(signature, messagePoint(claim.round), publicKey)
  } catch {
    return false
  }
}

/**
 * A round's public randomness: SHA-256 of its signature, in hex.
 * Does not verify the signature: call verifySignature first.
 */
export function randomnessOf(signature: string): string {
  return toHex(sha256(fromHex(signature, SIGNATURE_BYTES)))
}

/**
 * Signs a round as a beacon does.
 * @param secretKey 32 bytes, a scalar as deriveBeaconKey makes it
 * @returns the signature in hex; the same key and round always give the same
 */
export function signRound(secretKey: Uint8Array, round: number): string {
  assertRound(round)
  assertSecretKey(secretKey)
  return bls.Signature.toHex(bls.sign(messagePoint(round), secretKey))
}

/** The public key of a beacon's secret key, 96 bytes in hex. */
export function publicKeyOf(secretKey: Uint8Array): string {
  assertSecretKey(secretKey)
  // A copy of the base point, for which the library makes no table of multiples: a process that works
  // out one key would take eight times as long to make that table.
  const { Point } = bls12_381.G2
  return Point.fromAffine(Point.BASE.toAffine()).multiply(bytesToNumberBE(secretKey)).toHex(true)
}

/** Whether `round` is a valid beacon round: a whole number from 1. */
export function isRound(round: unknown): round is number {
  return typeof round === 'number' && Number.isSafeInteger(round) && round >= 1
}

// The signed message of drand's unchained schemes: SHA-256 of the round as 8 bytes, highest first.
function messagePoint(round: number) {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round))
  return bls.hash(sha256(bytes), DOMAIN)
}

function assertRound(round: number): void {
  if (!isRound(round)) throw new RangeError('a beacon round is a whole number from 1')
}

function assertSecretKey(secretKey: Uint8Array): void {
  if (secretKey.length !== SECRET_KEY_BYTES) throw new RangeError('a beacon key has 32 bytes')
}
