// One thread of a run: counts a stretch of draws, or hands over its raw bytes, at a time.
import { parentPort } from 'node:worker_threads'
import { drawBlocks, drawDigits } from '../src/draw-digits.ts'
import type { Stretch, StretchResult } from './run-stretches.ts'
import { sampleRounds } from './sample-rounds.ts'
import { GAMES, tallyRounds } from './tally.ts'

const BLOCK_BYTES = 32

function countStretch(stretch: Stretch): StretchResult {
  return { index: stretch.index, tally: tallyRounds(drawnRounds(stretch)) }
}

function* drawnRounds({ seed, index, rounds }: Stretch) {
  for (const round of sampleRounds({ seed, stretch: index, rounds })) yield round.map(drawDigits)
}

/** The first block of each draw, of which the draw itself uses three bytes or a few more. */
function rawStretch({ seed, index, rounds }: Stretch): StretchResult {
  const bytes = new Uint8Array(rounds * GAMES * BLOCK_BYTES)
  let offset = 0
  for (const round of sampleRounds({ seed, stretch: index, rounds })) {
    for (const input of round) {
      bytes.set(drawBlocks(input).next().value, offset)
      offset += BLOCK_BYTES
    }
  }
  return { index, bytes }
}

parentPort?.on('message', (stretch: Stretch) => {
  const result = stretch.raw ? rawStretch(stretch) : countStretch(stretch)
  parentPort?.postMessage(result, 'bytes' in result ? [result.bytes.buffer as ArrayBuffer] : [])
})
