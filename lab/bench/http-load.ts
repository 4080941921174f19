/** Load over HTTP from a process of its own, so that the generator takes nothing from the server's loop. */
import { startChild } from '../child.ts'
import { answerColumns, medianOf, type Row, ratioOf } from './report.ts'

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
  /** Whether a request that is due is given up if no connection is free; it waits for one unless told. */
  givesUp?: boolean
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
  /** Requests that found no free connection. */
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

/** The body of the answer that was kept. */
export function bodyOf({ sample }: LoadResult): string {
  return sample.slice(sample.indexOf('\r\n\r\n') + 4)
}

export function startGenerator() {
  const child = startChild(new URL('load-generator.ts', import.meta.url))
  return {
    async run(load: Load): Promise<LoadResult> {
      const result = await child.ask<LoadResult>(load)
      if (Object.keys(result.faults).length > 0) {
        console.warn(`  ${load.path}: answers that were no success:`, result.faults)
      }
      return result
    },
    stop: child.stop,
  }
}

/** Loads that are measured in several turns, each by its name. */
export class Turns {
  readonly #results = new Map<string, LoadResult[]>()
  readonly #generator = startGenerator()

  /** Warms a server up, and shows its answer. */
  begin(load: Load): Promise<LoadResult> {
    return this.#generator.run(load)
  }

  async run(name: string, load: Load): Promise<LoadResult> {
    const result = await this.#generator.run(load)
    this.#results.set(name, [...this.of(name), result])
    return result
  }

  /** The results of a load, turn by turn. */
  of(name: string): LoadResult[] {
    return this.#results.get(name) ?? []
  }

  /** A row for each load. @param beside by a column's heading: the name of the load that a load is compared with */
  rows(beside: Record<string, (name: string) => string>): Row[] {
    return [...this.#results].map(([name, runs]) => ({
      name,
      'a second': medianOf(runs, ({ perSecond }) => perSecond),
      ...Object.fromEntries(
        Object.entries(beside).map(([heading, other]) => [
          heading,
          ratioOf(runs, this.of(other(name))),
        ]),
      ),
      ...answerColumns(runs),
    }))
  }

  stop(): Promise<void> {
    return this.#generator.stop()
  }
}
