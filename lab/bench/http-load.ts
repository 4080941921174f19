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
  /** For how long a request that is due waits for a free connection before it is given up; for ever unless told. */
  patienceMs?: number
  /** Milliseconds before anything is counted, and those that are counted. */
  warmUpMs: number
  forMs: number
  /** How long the windows are that waits are told of besides; none unless told. */
  windowMs?: number
  /** Processes whose processor time is told; with `all`, with their children. */
  watched: Record<string, { pid: number; all?: boolean }>
}

/** Milliseconds from when a request was due until it was answered with success. */
type Waits = { p50: number; p99: number; worst: number }

export type LoadResult = Waits & {
  /** Successes. */
  answers: number
  perSecond: number
  /** Answers 429 and 503 that say when to come again. */
  refused: number
  /** Requests that found no free connection in the patience of their load. */
  givenUp: number
  /** Successes also before and after the time that is counted. */
  accepted: number
  /** What all idempotency keys of this load begin with. */
  keysBegin: string
  /** When counting began and ended, in milliseconds since 1970. */
  from: number
  until: number
  windows: (Waits & { answers: number; until: number })[]
  /** Bytes of an answer with its head, on average. */
  bytesOfAnswer: number
  /** One answer, with its head. */
  sample: string
  /** Other answers, by status and beginning, and connections that were closed. */
  faults: Record<string, number>
  /** Processors that each watched process and the generator kept busy: 1 is one whole processor. */
  cpuShare: Record<string, number>
}

export type Generator = {
  run(load: Load): Promise<LoadResult>
  stop(): Promise<void>
}

/** The body of the answer that was kept. */
export function bodyOf({ sample }: LoadResult): string {
  return sample.slice(sample.indexOf('\r\n\r\n') + 4)
}

/** Starts the generator. */
export function startGenerator(): Generator {
  const child = fork(GENERATOR, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // JSON turns NaN, the delay when no answer came, into null.
    serialization: 'advanced',
  })
  const ended = once(child, 'exit')
  return {
    async run(load) {
      const message = once(child, 'message') as Promise<[LoadResult]>
      child.send(load)
      const [result] = await Promise.race([
        message,
        ended.then((): never => {
          throw new Error('the generator ended')
        }),
      ])
      const faults = Object.entries(result.faults)
      if (faults.length > 0) {
        console.warn(`  ${load.path}: answers that were no success:`, faults)
      }
      return result
    },
    async stop() {
      child.disconnect()
      await ended
    },
  }
}
