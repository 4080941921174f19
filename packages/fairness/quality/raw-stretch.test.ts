import { expect, it } from 'vitest'
import { drawBlocks } from '../src/draw-digits.ts'
import { rawStretch } from './raw-stretch.ts'
import { sampleRounds } from './sample-rounds.ts'

const SEED = 'a7'.repeat(32)

it.each([0, 3])(
  'gives the bytes of the production function, draw by draw, in stretch %i',
  (index) => {
    const rounds = 500
    const result = rawStretch({ seed: SEED, index, rounds, raw: true })
    const blocks = [...sampleRounds({ seed: SEED, stretch: index, rounds })]
      .flat()
      .map((input) => drawBlocks(input).next().value)
    expect('bytes' in result && Buffer.compare(result.bytes, Buffer.concat(blocks))).toBe(0)
  },
)
