/** The result of each fault, in a file that grows, so that a run can be ended at any time. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finders } from './reached-tests.ts'
import type { SqlMutant } from './sql-mutants.ts'

export type MutantResult = {
  id: string
  functionName: string
  rule: string
  before: string
  after: string
  verdict: 'found' | 'not found' | 'not SQL'
  /** The file and the test that found it, and the test's error. */
  file: string | null
  test: string | null
  failure: string | null
  /** The hash of the file that found it; of a fault that is not found, of all the tests that call the function. */
  tests: string
  /** How long the tests of a fault that is not found may have taken. */
  seconds?: number
}

/** One value for a fault: the text of the function with it, however that is set. */
export function idOf({ statement }: SqlMutant): string {
  return createHash('sha256').update(statement.replace(/\s+/g, ' ')).digest('hex').slice(0, 32)
}

export class MutantResults {
  readonly #cache: string
  readonly #path: string
  readonly #known = new Map<string, MutantResult>()

  constructor(cache: string) {
    this.#cache = cache
    this.#path = join(cache, 'results.jsonl')
    if (!existsSync(this.#path)) return
    for (const line of readFileSync(this.#path, 'utf8').split('\n').filter(Boolean)) {
      const result: MutantResult = JSON.parse(line)
      this.#known.set(result.id, result)
    }
  }

  of(id: string): MutantResult | undefined {
    return this.#known.get(id)
  }

  keep(result: MutantResult): void {
    this.#known.set(result.id, result)
    mkdirSync(this.#cache, { recursive: true })
    appendFileSync(this.#path, `${JSON.stringify(result)}\n`)
  }

  /** Leaves one result for each of these faults, and none of others. */
  forgetOthers(ids: ReadonlySet<string>): void {
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id)
    const lines = [...this.#known.values()].map((result) => `${JSON.stringify(result)}\n`)
    writeFileSync(this.#path, lines.join(''))
  }

  /** The tests that have found a fault in a function, and how often. */
  findersOf(functionName: string): Finders {
    const finders: Finders = new Map()
    for (const result of this.#known.values()) {
      if (result.functionName !== functionName || !result.file || !result.test) continue
      const ofFile = finders.get(result.file) ?? new Map<string, number>()
      finders.set(result.file, ofFile)
      ofFile.set(result.test, (ofFile.get(result.test) ?? 0) + 1)
    }
    return finders
  }

  writeSummary(summary: object): void {
    mkdirSync(this.#cache, { recursive: true })
    writeFileSync(join(this.#cache, 'summary.json'), JSON.stringify(summary, null, 2))
  }
}
