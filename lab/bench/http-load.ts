/** Load over HTTP from a process of its own, so that the generator takes nothing from the server's loop. */
import { startChild } from '../child.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { answerColumns, medianOf, type Row, ratioOf } from './report.ts'

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
