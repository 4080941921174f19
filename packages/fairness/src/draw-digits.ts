import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { fromHex, isHex } from './hex.ts'

/** site_1, site_2, site_3: each 0 to 9. */
export type DrawnDigits = readonly [number, number, number]

/** The whole input of a draw. It contains no bet, so no bet can influence the draw. */
export interface DrawInput {
  /** The round's revealed seed, 32 bytes in hex. */
  readonly seed: string
  readonly gameId: number
  /** The round's number as published: `20261120001`. */
  readonly issue: string
  /** SHA-256 of the beacon's signature, 32 bytes in hex. */
  readonly randomness: string
}

// 250 is the largest multiple of 10 in a byte: using every byte would favour the digits 0 to 5.
const BYTES_USED_BELOW = 250

/**
 * The three digits of a round, by the rules of the draw ("sum28/1").
 * @throws RangeError when an input is not in its published form
 */
export function drawDigits(input: DrawInput): DrawnDigits {
  return digitsOf(drawBlocks(input))
}

/**
 * The endless stream of bytes of a draw, 32 at a time; statistical tests read it raw.
 * @throws RangeError when an input is not in its published form
 */
export function* drawBlocks(input: DrawInput): Generator<Uint8Array, never> {
  assertDrawInput(input)
  const key = fromHex(input.seed, 32)
  const round = `sum28/1|${input.gameId}|${input.issue}|${input.randomness}`
  for (let block = 0; ; block++) {
    yield hmac(sha256, key, utf8ToBytes(`${round}|${block}`))
  }
}

/**
 * The first three digits of a stream: a byte of 250 or more is skipped, any other gives byte mod
 * 10.
 * @throws RangeError when the stream ends before the third digit
 */
export function digitsOf(blocks: Iterable<Uint8Array>): DrawnDigits {
  const digits: number[] = []
  for (const block of blocks) {
    for (const byte of block) {
      if (byte >= BYTES_USED_BELOW) continue
      digits.push(byte % 10)
      const [first, second, third] = digits
      if (first !== undefined && second !== undefined && third !== undefined) {
        return [first, second, third]
      }
    }
  }
  throw new RangeError('the stream ended before three digits were found')
}

// A separator inside a field would give two rounds the same message.
function assertDrawInput(input: DrawInput): void {
  if (!isHex(input.seed, 32)) throw new RangeError('seed is not 32 bytes of hex')
  if (!isHex(input.randomness, 32)) throw new RangeError('randomness is not 32 bytes of hex')
  if (!Number.isSafeInteger(input.gameId) || input.gameId < 1) {
    throw new RangeError('game id is not a positive whole number')
  }
  if (!/^[0-9]{1,32}$/.test(input.issue)) throw new RangeError('issue is not a number')
}
