import type { CheckAnswer, CheckQuestion } from '#src/data/check-worker.ts'
import { ownCheck } from '#src/data/verify-input.ts'

/** A browser's worker, which a test has not: it runs the program of `draw-check-worker.ts`. */
export class CheckWorker extends EventTarget {
  postMessage({ id, input }: CheckQuestion): void {
    const data: CheckAnswer = { id, ...ownCheck(input) }
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }
  terminate(): void {}
}
