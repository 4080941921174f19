/** Load over HTTP from a process of its own, so that the generator takes nothing from the server's loop. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const GENERATOR = fileURLToPath(new URL('./load-generator.ts', import.meta.url))

/** What is sent, to a server on this machine. */
export type Load = {
  port: number
  path: string
  /** Kept connections, each with one request on it at a time. */
  clients: number
  /** Client n sends those at n, n + clients … in turn. At least one for each client. */
  requests: readonly { token: string; body: string }[]
  /** Whether each request carries a new idempotency key. */
  keyed: boolean
  /** Requests a second that arrive whatever the answers (open loop); null: as fast as they are answered. */
  ratePerSecond: number | null
  /** Milliseconds before anything is counted, and those that are counted. */
  warmUpMs: number
  forMs: number
  /** Processes whose processor time is told; with `all`, with their children. */
  watched: Record<string, { pid: number; all?: boolean }>
}

export type LoadResult = {
  answers: number
  perSecond: number
  /** Milliseconds from when a request was due until its answer was there. */
  p50: number
  p99: number
  worst: number
  /** Bytes of an answer with its head, on average. */
  bytesOfAnswer: number
  /** One answer, with its head. */
  sample: string
  /** Answers that were no success, by status and beginning. */
  faults: Record<string, number>
  /** Requests that were due and had no free connection. */
  waitingAtEnd: number
  /** Processors that each watched process and the generator kept busy: 1 is one whole processor. */
  cpuShare: Record<string, number>
}

export type Generator = {
  run(load: Load): Promise<LoadResult>
  stop(): Promise<void>
}

/** Starts the generator. */
export function startGenerator(): Generator {
  const child = fork(GENERATOR, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const ended = once(child, 'exit')
  return {
    async run(load) {
      const result = once(child, 'message') as Promise<[LoadResult]>
      child.send(load)
      const [told] = await Promise.race([
        result,
        ended.then((): never => {
          throw new Error('the generator ended')
        }),
      ])
      const faults = Object.entries(told.faults)
      if (faults.length > 0) {
        console.warn(`  ${load.path}: answers that were no success:`, faults)
      }
      return told
    },
    async stop() {
      child.disconnect()
      await ended
    },
  }
}
