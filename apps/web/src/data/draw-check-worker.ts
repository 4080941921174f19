/**
 * Checks a draw in a worker thread: a hundred thousand hashes and a signature on a curve take some
 * seconds on an old phone. Loaded only when something is checked.
 */
import { verifyRound } from '@sum28/fairness/verify-round.ts'
import type { CheckAnswer, CheckQuestion } from '#src/data/draw-check.ts'
import { logSteps, verifyInput } from '#src/data/verify-input.ts'

addEventListener('message', ({ data: { id, input } }: MessageEvent<CheckQuestion>) => {
  const steps = [...verifyRound(verifyInput(input)), ...logSteps(input)]
  postMessage({ id, steps } satisfies CheckAnswer)
})
