/**
 * Checks a draw in a worker thread: a hundred thousand hashes and a signature on a curve take some
 * seconds on an old phone. Loaded only when something is checked.
 */
import type { CheckAnswer, CheckQuestion } from '#src/data/check-worker.ts'
import { ownCheck } from '#src/data/verify-input.ts'

addEventListener('message', ({ data: { id, input } }: MessageEvent<CheckQuestion>) => {
  postMessage({ id, ...ownCheck(input) } satisfies CheckAnswer)
})
