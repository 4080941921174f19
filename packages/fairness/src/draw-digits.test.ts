import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vectors from '../testing/vectors/fairness-vectors.json' with { type: 'json' }
import { digitsOf, drawBlocks, drawDigits } from './draw-digits.ts'
import { fromHex, toHex } from './hex.ts'

const inputs = vectors.draws.map((draw) => ({
  input: {
    gameId: draw.game_id,
    issue: draw.issue,
    seed: draw.seed,
    randomness: draw.randomness,
  },
  digits: draw.digits,
}))

const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)
const anyDraw = fc.record({
  seed: hex32,
  randomness: hex32,
  gameId: fc.integer({ min: 1, max: 4 }),
  issue: fc.bigInt({ min: 1n, max: 10n ** 12n }).map(String),
})

describe('the digits of a draw', () => {
  it.each(inputs)('are as published for game $input.gameId, round $input.issue', (draw) => {
    expect(drawDigits(draw.input)).toEqual(draw.digits)
  })

  it('skip the first two bytes when both are 250 or more', () => {
    const skipping = vectors.draws.findIndex((draw) => 'note' in draw)
    const draw = inputs[skipping]
    if (draw === undefined) throw new Error('the vectors lost their draw with skipped bytes')
    const { value: block } = drawBlocks(draw.input).next()
    expect(block[0]).toBeGreaterThanOrEqual(250)
    expect(block[1]).toBeGreaterThanOrEqual(250)
    expect(drawDigits(draw.input)).toEqual([...block.subarray(2, 5)].map((byte) => byte % 10))
  })

  it('are unbiased by construction: of the 256 bytes, 25 give each digit and 6 give none', () => {
    const counts = new Array<number>(10).fill(0)
    for (let byte = 0; byte < 250; byte++) {
      const digits = digitsOf([Uint8Array.of(byte, byte, byte)])
      expect(digits).toEqual([byte % 10, byte % 10, byte % 10])
      counts[byte % 10] = (counts[byte % 10] ?? 0) + 1
    }
    expect(counts).toEqual(new Array<number>(10).fill(25))
    for (let byte = 250; byte < 256; byte++) {
      expect(digitsOf([Uint8Array.of(byte, 1, byte, 2, byte, 3)])).toEqual([1, 2, 3])
    }
  })

  it('continue in the next block when a block is used up', () => {
    const spent = new Uint8Array(32).fill(255)
    spent[31] = 249
    expect(digitsOf([spent, new Uint8Array(32).fill(250), Uint8Array.of(251, 18, 27)])).toEqual([
      9, 8, 7,
    ])
    for (const short of [[], [new Uint8Array(0)], [spent], [Uint8Array.of(1, 2, 250)]])
      expect(() => digitsOf(short)).toThrow(RangeError)
  })

  it('are from 0 to 9, and always the same for a round', () => {
    fc.assert(
      fc.property(anyDraw, (input) => {
        const digits = drawDigits(input)
        expect(digits).toHaveLength(3)
        for (const digit of digits) {
          expect(Number.isInteger(digit) && digit >= 0 && digit <= 9).toBe(true)
        }
        expect(drawDigits({ ...input })).toEqual(digits)
      }),
    )
  })

  it('come from blocks that all differ, within a round and between rounds', () => {
    fc.assert(
      fc.property(anyDraw, (input) => {
        const first = take(drawBlocks(input), 4)
        const other = take(drawBlocks({ ...input, gameId: input.gameId + 1 }), 4)
        expect(new Set([...first, ...other].map(toHex)).size).toBe(8)
      }),
      { numRuns: 30 },
    )
  })

  it('are read from blocks that are numbered 0, 1, 2 and so on', () => {
    const [draw] = inputs
    if (draw === undefined) throw new Error('no vectors')
    const { seed, gameId, issue, randomness } = draw.input
    const expected = [0, 1, 2].map((block) =>
      hmac(
        sha256,
        fromHex(seed, 32),
        utf8ToBytes(`sum28/1|${gameId}|${issue}|${randomness}|${block}`),
      ),
    )
    expect(take(drawBlocks(draw.input), 3)).toEqual(expected)
  })

  it('are spread evenly over 60,000 draws', () => {
    const counts = [0, 1, 2].map(() => new Array<number>(10).fill(0))
    for (let i = 0; i < 60_000; i++) {
      const seed = toHex(sha256(Uint8Array.of(i & 255, (i >> 8) & 255, i >> 16)))
      const digits = drawDigits({ seed, gameId: 1, issue: String(i), randomness: seed })
      for (const [position, digit] of digits.entries()) {
        const row = counts[position] ?? []
        row[digit] = (row[digit] ?? 0) + 1
      }
    }
    // A chi-square with 9 degrees of freedom exceeds 27.9 once in a thousand; the inputs are fixed.
    for (const row of counts) {
      const chiSquare = row.reduce((sum, seen) => sum + (seen - 6000) ** 2 / 6000, 0)
      expect(chiSquare).toBeLessThan(27.9)
    }
  })

  it('are refused for an input that is not in its published form', () => {
    const good = inputs[0]?.input
    if (good === undefined) throw new Error('no vectors')
    const bad = [
      { ...good, seed: good.seed.toUpperCase() },
      { ...good, seed: good.seed.slice(2) },
      { ...good, randomness: '' },
      { ...good, gameId: 0 },
      { ...good, gameId: 1.5 },
      { ...good, seed: `${good.seed}00` },
      { ...good, randomness: good.randomness.slice(2) },
      { ...good, randomness: `${good.randomness}00` },
      { ...good, randomness: good.randomness.toUpperCase() },
      { ...good, gameId: -1 },
      { ...good, gameId: Number.NaN },
      { ...good, gameId: Number.POSITIVE_INFINITY },
      { ...good, gameId: 2 ** 53 },
      { ...good, issue: '' },
      { ...good, issue: '1|2' },
      { ...good, issue: ' 1' },
      { ...good, issue: '1\n' },
      { ...good, issue: '-1' },
      { ...good, issue: '1.5' },
      { ...good, issue: '1e3' },
      { ...good, issue: '１' },
      { ...good, issue: '1'.repeat(33) },
    ]
    for (const input of bad) expect(() => drawDigits(input)).toThrow(RangeError)
    expect(drawDigits({ ...good, issue: '1'.repeat(32) })).toHaveLength(3)
  })
})

function take(blocks: Iterator<Uint8Array>, count: number): Uint8Array[] {
  return Array.from({ length: count }, () => blocks.next().value)
}
