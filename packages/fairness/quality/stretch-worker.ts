// One thread of a run: for each request, counts a stretch of draws or returns its raw bytes.
import { parentPort } from 'node:worker_threads'
import { drawDigits } from '../src/draw-digits.ts'
import { rawStretch } from './raw-stretch.ts'
import type { Stretch, StretchResult } from './run-stretches.ts'
import { sampleRounds } from './sample-rounds.ts'
import { tallyRounds } from './tally.ts'

function countStretch(stretch: Stretch): StretchResult {
  return { index: stretch.index, tally: tallyRounds(drawnRounds(stretch)) }
}

function* drawnRounds({ seed, index, rounds }: Stretch) {
  for (const round of sampleRounds({ seed, stretch: index, rounds })) yield round.map(drawDigits)
}

parentPort?.on('message', (stretch: Stretch) => {
  const result = stretch.raw ? rawStretch(stretch) : countStretch(stretch)
  parentPort?.postMessage(result, 'bytes' in result ? [result.bytes.buffer as ArrayBuffer] : [])
})
