import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import quicknet from '../testing/vectors/drand-quicknet.json' with { type: 'json' }
import {
  beaconRoundAt,
  isRound,
  publicKeyOf,
  randomnessOf,
  signRound,
  timeOfRound,
  verifySignature,
} from './beacon.ts'
import { deriveBeaconKey } from './beacon-key.ts'
import { chainHashOf } from './chain-hash.ts'
import { fromHex, toHex } from './hex.ts'
import { QUICKNET, QUICKNET_HOSTS } from './quicknet.ts'

const { publicKey } = QUICKNET
const [first, second] = quicknet.rounds
if (first === undefined || second === undefined) throw new Error('no vectors')

// A point on the curve whose order is not the group's: the last step of the pairing would cancel
// it.
function torsionPoint() {
  const { Fp, Fr } = bls12_381.fields
  const { Point } = bls12_381.G1
  for (let x = 1n; x < 100n; x++) {
    const ySquared = Fp.add(Fp.pow(x, 3n), 4n)
    if (!Fp.eql(Fp.pow(ySquared, (Fp.ORDER - 1n) / 2n), Fp.ONE)) continue
    const onCurve = Point.fromAffine({ x, y: Fp.sqrt(ySquared) })
    const torsion = onCurve.multiplyUnsafe(Fr.ORDER - 1n).add(onCurve)
    if (!torsion.is0()) return torsion
  }
  throw new Error('no point outside the subgroup was found')
}

// The library refuses to encode such a point, so the test encodes it: x, and the sign of y in the
// top bits.
function compress(point: { x: bigint; y: bigint }): string {
  const { Fp } = bls12_381.fields
  const bytes = fromHex(point.x.toString(16).padStart(96, '0'), 48)
  bytes[0] = (bytes[0] ?? 0) | (point.y * 2n > Fp.ORDER ? 0xa0 : 0x80)
  return toHex(bytes)
}

describe("quicknet's constants", () => {
  it('equal those of the published chain', () => {
    expect(QUICKNET).toEqual({
      kind: 'drand',
      chainHash: quicknet.chain_hash,
      publicKey: quicknet.public_key,
      scheme: quicknet.scheme,
      period: quicknet.period,
      genesisTime: quicknet.genesis_time,
    })
    expect(QUICKNET_HOSTS).toEqual(quicknet.hosts)
  })

  it('give the chain hash that drand computes from them', () => {
    const chain = {
      ...QUICKNET,
      genesisSeed: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
      beaconId: 'quicknet',
    }
    expect(chainHashOf(chain)).toBe(QUICKNET.chainHash)
    expect(chainHashOf({ ...chain, period: 4 })).not.toBe(QUICKNET.chainHash)
    expect(chainHashOf({ ...chain, beaconId: 'default' })).toBe(
      chainHashOf({ ...chain, beaconId: '' }),
    )
  })
})

describe("a beacon's signature", () => {
  it.each(quicknet.rounds)(
    "is true for quicknet's round $round",
    ({ round, signature, randomness }) => {
      expect(verifySignature({ publicKey, round, signature })).toBe(true)
      expect(randomnessOf(signature)).toBe(randomness)
    },
  )

  it('is refused for another round and for no round', () => {
    const { signature } = first
    for (const round of [second.round, first.round + 1, 0, -1, 1.5, Number.NaN, 2 ** 60]) {
      expect(verifySignature({ publicKey, round, signature })).toBe(false)
    }
  })

  it('is refused under another key', () => {
    const other = publicKeyOf(deriveBeaconKey(new Uint8Array(32).fill(1)))
    expect(verifySignature({ ...first, publicKey: other })).toBe(false)
  })

  it('is refused when forged: with one’s own key, or with any bit changed', () => {
    const { round } = first
    const own = signRound(deriveBeaconKey(new Uint8Array(32).fill(2)), round)
    expect(verifySignature({ publicKey, round, signature: own })).toBe(false)
    fc.assert(
      fc.property(fc.nat(48 * 8 - 1), (bit) => {
        const bytes = fromHex(first.signature, 48)
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(verifySignature({ publicKey, round, signature: toHex(bytes) })).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  it('is refused with a point from outside the subgroup added', () => {
    const { Point } = bls12_381.G1
    const moved = Point.fromHex(first.signature).add(torsionPoint())
    expect(verifySignature({ ...first, publicKey, signature: compress(moved) })).toBe(false)
    // The true point passes in the same encoding, so the encoding is not the reason.
    expect(compress(Point.fromHex(first.signature))).toBe(first.signature)
  })

  it('is refused in a second encoding of the same point, whose hash would differ', () => {
    const key = deriveBeaconKey(new Uint8Array(32).fill(3))
    const { Fp } = bls12_381.fields
    // In about every fourth signature, x plus the field's modulus still fits.
    for (let round = 1; round < 200; round++) {
      const signature = signRound(key, round)
      const encoded = BigInt(`0x${signature}`)
      const flags = encoded >> 381n
      const moved = (encoded & ((1n << 381n) - 1n)) + Fp.ORDER
      if (moved >> 381n !== 0n) continue
      const second = ((flags << 381n) | moved).toString(16)
      expect(second).toHaveLength(96)
      const claim = { publicKey: publicKeyOf(key), round }
      expect(verifySignature({ ...claim, signature })).toBe(true)
      expect(verifySignature({ ...claim, signature: second })).toBe(false)
      return
    }
    throw new Error('no signature with a second encoding was found')
  })

  it('is refused for the point at infinity, which satisfies the equation for a key at infinity', () => {
    const signature = `c0${'00'.repeat(47)}`
    const noKey = `c0${'00'.repeat(95)}`
    expect(verifySignature({ publicKey, round: 1, signature })).toBe(false)
    expect(verifySignature({ publicKey: noKey, round: 1, signature })).toBe(false)
  })

  it('is refused, without an exception, when malformed', () => {
    for (const signature of [
      '',
      'ff',
      'ff'.repeat(48),
      '00'.repeat(48),
      first.signature.toUpperCase(),
    ]) {
      expect(verifySignature({ publicKey, round: first.round, signature })).toBe(false)
    }
    for (const key of ['', 'ff'.repeat(96), publicKey.slice(2)]) {
      expect(verifySignature({ ...first, publicKey: key })).toBe(false)
    }
  })

  it.each<[string, object]>([
    ['a signature of 47 bytes', { signature: first.signature.slice(2) }],
    ['a signature of 49 bytes', { signature: `${first.signature}00` }],
    ['a signature that is a key', { signature: publicKey }],
    ['a key in capitals', { publicKey: publicKey.toUpperCase() }],
    ['a key of 97 bytes', { publicKey: `${publicKey}00` }],
    ['a key that is a signature', { publicKey: first.signature }],
    ['a round without end', { round: Number.POSITIVE_INFINITY }],
  ])('is refused, without an exception, with %s', (_what, odd) => {
    expect(verifySignature({ ...first, publicKey, ...odd })).toBe(false)
  })

  it.each([
    '',
    'zz'.repeat(48),
    first.signature.slice(2),
    `${first.signature}00`,
    first.signature.toUpperCase(),
  ])('that is %j gives no randomness', (odd) => {
    expect(() => randomnessOf(odd)).toThrow(RangeError)
  })
})

describe('a local beacon', () => {
  it('signs what its public key verifies, always with the same signature', () => {
    const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const anyRound = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(anySecret, anyRound, (secret, round) => {
        const key = deriveBeaconKey(secret)
        const signature = signRound(key, round)
        expect(signRound(key, round)).toBe(signature)
        expect(verifySignature({ publicKey: publicKeyOf(key), round, signature })).toBe(true)
      }),
      { numRuns: 10 },
    )
  })

  it('derives its key by the published key generation (EIP-2333, test case 0)', () => {
    const seed = fromHex(
      'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
      64,
    )
    const master = 6083874454709270928345386274498605044986640685124978867557563392430687146096n
    expect(BigInt(`0x${toHex(deriveBeaconKey(seed))}`)).toBe(master)
    expect(() => deriveBeaconKey(new Uint8Array(31))).toThrow(RangeError)
  })

  it.each([0, 31, 33])('has no key of %s bytes', (length) => {
    const key = new Uint8Array(length).fill(1)
    expect(() => signRound(key, 1)).toThrow('a beacon key has 32 bytes')
    expect(() => publicKeyOf(key)).toThrow('a beacon key has 32 bytes')
  })

  it('does not sign a round before the first', () => {
    const key = deriveBeaconKey(new Uint8Array(32))
    for (const round of [0, -1, 1.5, Number.NaN, 2 ** 53])
      expect(() => signRound(key, round)).toThrow(RangeError)
  })

  it('has no key that is zero', () => {
    expect(() => signRound(new Uint8Array(32), 1)).toThrow()
    expect(() => publicKeyOf(new Uint8Array(32))).toThrow()
  })
})

describe("a beacon's rounds", () => {
  const genesis = QUICKNET.genesisTime * 1000

  it('are found by an instant: the first at or after it', () => {
    expect(beaconRoundAt(QUICKNET, genesis)).toBe(1)
    expect(beaconRoundAt(QUICKNET, genesis + 1)).toBe(2)
    expect(beaconRoundAt(QUICKNET, genesis + 3000)).toBe(2)
    expect(beaconRoundAt(QUICKNET, genesis + 3001)).toBe(3)
    expect(timeOfRound(QUICKNET, 1)).toBe(genesis)
    expect(timeOfRound(QUICKNET, 1000)).toBe(1_692_806_364_000)
  })

  it('are never before the instant, and never a whole period after it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 13 }),
        fc.integer({ min: 1, max: 60 }),
        (ms, period) => {
          const clock = { period, genesisTime: QUICKNET.genesisTime }
          const waitMs = timeOfRound(clock, beaconRoundAt(clock, genesis + ms)) - (genesis + ms)
          expect(waitMs).toBeGreaterThanOrEqual(0)
          expect(waitMs).toBeLessThan(period * 1000)
        },
      ),
    )
  })

  it('number 70 in a round of 210 seconds', () => {
    const endsAt = Date.UTC(2026, 10, 20, 2, 3, 30)
    expect(beaconRoundAt(QUICKNET, endsAt + 210_000) - beaconRoundAt(QUICKNET, endsAt)).toBe(70)
  })

  it('do not exist before genesis', () => {
    expect(() => beaconRoundAt(QUICKNET, genesis - 1)).toThrow(RangeError)
    expect(() => beaconRoundAt(QUICKNET, Number.NaN)).toThrow(RangeError)
    expect(() => beaconRoundAt({ ...QUICKNET, genesisTime: Number.NaN }, genesis)).toThrow(
      RangeError,
    )
    expect(() => timeOfRound(QUICKNET, 0)).toThrow(RangeError)
  })

  it.each([1.5, Number.NaN, 2 ** 60, Number.POSITIVE_INFINITY])('have not the number %s', (odd) => {
    expect(isRound(odd)).toBe(false)
    expect(() => timeOfRound(QUICKNET, odd)).toThrow(RangeError)
  })

  it.each(['5', null, undefined, 5n])('are not numbered by %s, which is no number', (odd) => {
    expect(isRound(odd)).toBe(false)
  })
})
