import { Worker } from 'node:worker_threads'
import type { Tally } from './tally.ts'

/** A piece of work: the first rounds of one chain of each game. */
export interface Stretch {
  /** 32 bytes in hex. */
  readonly seed: string
  readonly index: number
  readonly rounds: number
  /** Whether to return the raw bytes instead of counts of digits. */
  readonly raw: boolean
}

export type StretchResult =
  | { readonly index: number; readonly tally: Tally }
  | { readonly index: number; readonly bytes: Uint8Array<ArrayBuffer> }

/**
 * Computes stretches on several threads and yields their results in order.
 * No thread is more than two stretches ahead of the reader; those results wait in memory.
 * The threads end when the reader stops.
 */
export async function* runStretches(
  stretches: Iterable<Stretch>,
  threads: number,
): AsyncGenerator<StretchResult, void> {
  const waiting = stretches[Symbol.iterator]()
  const workers = Array.from({ length: threads }, startWorker)
  const running: Promise<StretchResult>[] = []
  let started = 0
  const startOne = () => {
    const stretch = waiting.next()
    const worker = workers[started++ % threads]
    if (!stretch.done && worker) running.push(worker.work(stretch.value))
  }
  try {
    for (let i = 0; i < threads * 2; i++) startOne()
    for (let result = running.shift(); result; result = running.shift()) {
      yield await result
      startOne()
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.end()))
  }
}

// A worker answers requests in order.
function startWorker() {
  const worker = new Worker(new URL('./stretch-worker.ts', import.meta.url))
  const unanswered: PromiseWithResolvers<StretchResult>[] = []
  worker.on('message', (result: StretchResult) => unanswered.shift()?.resolve(result))
  worker.on('error', (error) => {
    for (const one of unanswered.splice(0)) one.reject(error)
  })
  return {
    work(stretch: Stretch): Promise<StretchResult> {
      const one = Promise.withResolvers<StretchResult>()
      // The reader of the results gets the failure; nothing awaits this promise until then.
      one.promise.catch(() => {})
      unanswered.push(one)
      worker.postMessage(stretch)
      return one.promise
    },
    async end(): Promise<void> {
      await worker.terminate()
    },
  }
}
