/** Which tests call which SQL function, as learned by running each file of tests once. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Learned } from './mutant-worker.ts'

type KnownFile = Learned & { sha256: string; functions: string[] }

export type TestsOfFile = { file: string; names: string[] }

/** How many tests have found a fault in a function before, by file and name. */
export type Finders = Map<string, Map<string, number>>

/** Tests that take longer than this leave a busy machine too little time. */
const TEST_MAX_MS = 20_000

/** The cost of a run besides its tests, and of one that starts the whole product. */
const START_MS = 1_500
const START_PRODUCT_MS = 6_000

/** About this much test time makes one run: no further run starts after a fault is found. */
const RUN_MS = 6_000

const OF_THE_PRODUCT = /^apps\/server\/src\/[^/]+$/

type ReachingTest = { name: string; ms: number; breadth: number; doubt: number }

export class ReachedTests {
  readonly #root: string
  readonly #path: string
  readonly #cache: string
  readonly #functions: ReadonlyMap<string, string>
  readonly #known: Record<string, KnownFile>
  readonly #hashes = new Map<string, string>()
  readonly #startingProduct = new Map<string, boolean>()
  readonly #breadths = new Map<string, Map<string, number>>()

  /** @param functions each function and the statement that makes it */
  constructor({
    root,
    cache,
    functions,
  }: {
    root: string
    cache: string
    functions: ReadonlyMap<string, string>
  }) {
    this.#root = root
    this.#cache = cache
    this.#functions = functions
    this.#path = join(cache, 'reached.json')
    this.#known = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : {}
  }

  /** The server's test files that are new or have changed, without those of the whole product. */
  unlearned(): string[] {
    return this.#files().filter((file) => this.#known[file]?.sha256 !== this.hashOf(file))
  }

  /** Leaves what is known of the tests that there are. */
  forgetOthers(): void {
    const files = new Set(this.#files())
    for (const file of Object.keys(this.#known)) if (!files.has(file)) delete this.#known[file]
    this.#write()
  }

  keep(file: string, { tests, calls, failure }: Learned): void {
    const functions = [...this.#functions.keys()]
    this.#known[file] = { sha256: this.hashOf(file), functions, tests, calls, failure }
    this.#write()
  }

  /** Whole or not at all, whenever the process is ended. */
  #write(): void {
    mkdirSync(this.#cache, { recursive: true })
    writeFileSync(`${this.#path}.new`, JSON.stringify(this.#known))
    renameSync(`${this.#path}.new`, this.#path)
  }

  hashOf(file: string): string {
    const known = this.#hashes.get(file)
    if (known) return known
    const path = join(this.#root, file)
    const text = existsSync(path) ? readFileSync(path) : ''
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
    this.#hashes.set(file, hash)
    return hash
  }

  /** One value for all the tests that call a function. */
  fingerprint(functionName: string): string {
    const given = this.runsFor(functionName, { finders: new Map(), seconds: Infinity })
      .map(({ file, names }) => `${file} ${this.hashOf(file)} ${names.join('\n')}`)
      .sort()
    return createHash('sha256').update(given.join('\n')).digest('hex').slice(0, 16)
  }

  /**
   * The tests that call a function, in runs: those that found a fault in it before, then the quick ones that
   * call few functions besides. Those of the whole product are left out: they wait for its rounds.
   *
   * @param seconds how long all of them may take, as measured before
   * @param only a part of the path of the files to take, or null for all
   * @param quick whether tests that start the product are left out
   */
  runsFor(
    functionName: string,
    {
      finders,
      seconds,
      only = null,
      quick = false,
    }: { finders: Finders; seconds: number; only?: string | null; quick?: boolean },
  ): TestsOfFile[] {
    const own = `/modules/${functionName.split('.')[0]?.replaceAll('_', '-')}/`
    const runs: (TestsOfFile & { ms: number; turn: number; cost: number })[] = []
    for (const { file, tests } of this.#reaching(functionName)) {
      if (only !== null && !file.includes(only)) continue
      if (quick && this.#startsProduct(file)) continue
      const found = finders.get(file) ?? new Map<string, number>()
      const best = tests
        .filter(({ name }) => found.has(name))
        .sort((a, b) => (found.get(b.name) ?? 0) - (found.get(a.name) ?? 0))
        .slice(0, 4)
      const rest = tests
        .filter((test) => !best.includes(test))
        .sort((a, b) => costOf(a) - costOf(b))
      for (const [index, part] of [best, ...inParts(rest)].entries()) {
        if (part.length === 0) continue
        const startMs = this.#startsProduct(file) ? START_PRODUCT_MS : START_MS
        const ms = part.reduce((sum, test) => sum + test.ms, startMs)
        const names = part.map(({ name }) => name)
        const turn = index === 0 ? 0 : 1
        // A test of another module that calls the function usually looks at something else.
        const cost = Math.min(...part.map(costOf)) * startMs * (file.includes(own) ? 1 : 5)
        runs.push({ file, names, ms, turn, cost })
      }
    }
    runs.sort((a, b) => a.turn - b.turn || a.cost - b.cost)
    let spent = 0
    return runs.filter(({ ms }) => {
      if (spent > 0 && spent + ms > seconds * 1_000) return false
      spent += ms
      return true
    })
  }

  #reaching(functionName: string): { file: string; tests: ReachingTest[] }[] {
    return Object.entries(this.#known).flatMap(([file, known]) => {
      if (OF_THE_PRODUCT.test(file) || !existsSync(join(this.#root, file))) return []
      const callers = this.#asLearned(functionName, new Set(known.functions), new Set())
      const named = new Set(callers.flatMap((caller) => known.calls[caller] ?? []))
      const someOfAll = callers.some((caller) => known.calls[caller] === null)
      const names = someOfAll ? Object.keys(known.tests) : [...named]
      const breadths = this.#breadthsOf(file)
      const tests = names.flatMap((name) => {
        const ms = known.tests[name]
        if (ms === undefined || ms > TEST_MAX_MS) return []
        const doubt = named.has(name) ? 1 : Math.sqrt(names.length)
        return [{ name, ms, breadth: breadths.get(name) ?? 0, doubt }]
      })
      return tests.length > 0 ? [{ file, tests }] : []
    })
  }

  #startsProduct(file: string): boolean {
    const known = this.#startingProduct.get(file)
    if (known !== undefined) return known
    const starts = /(share|create)TestApp/.test(readFileSync(join(this.#root, file), 'utf8'))
    this.#startingProduct.set(file, starts)
    return starts
  }

  /** How many functions each test of a file calls. */
  #breadthsOf(file: string): Map<string, number> {
    const known = this.#breadths.get(file)
    if (known) return known
    const breadths = new Map<string, number>()
    const { calls = {}, tests = {} } = this.#known[file] ?? {}
    for (const names of Object.values(calls))
      for (const name of names ?? Object.keys(tests))
        breadths.set(name, (breadths.get(name) ?? 0) + 1)
    this.#breadths.set(file, breadths)
    return breadths
  }

  /** The function itself, or its callers if it did not exist when a file was examined. */
  #asLearned(name: string, there: ReadonlySet<string>, visited: Set<string>): string[] {
    if (there.has(name) || visited.has(name)) return [name]
    visited.add(name)
    return [...this.#functions]
      .filter(
        ([caller, statement]) => caller !== name && new RegExp(`\\b${name}\\b`).test(statement),
      )
      .flatMap(([caller]) => this.#asLearned(caller, there, visited))
  }

  #files(): string[] {
    return globSync('apps/server/src/**/*.test.ts', { cwd: this.#root })
      .filter((file) => !OF_THE_PRODUCT.test(file))
      .sort()
  }
}

/** How much time, and how many functions that are not meant, a test takes, and how sure it is that it calls this one. */
function costOf({ ms, breadth, doubt }: ReachingTest): number {
  return (ms + 50) * breadth * doubt
}

function inParts<Test extends { ms: number }>(tests: readonly Test[]): Test[][] {
  const parts: Test[][] = []
  let ms = Number.POSITIVE_INFINITY
  for (const test of tests) {
    if (ms + test.ms > RUN_MS) {
      parts.push([])
      ms = 0
    }
    parts.at(-1)?.push(test)
    ms += test.ms
  }
  return parts
}
