/** The server's test files in the order in which they are likely to notice a fault in an SQL function. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SERVER = 'apps/server'

/** Those of the whole product wait for its rounds. */
const OF_THE_PRODUCT = /^apps\/server\/src\/[^/]+$/
const STARTS_THE_PRODUCT = /\b(?:(?:share|create)TestApp|useWorkersApp)\b/
/** What starting the product costs, in imports. */
const START_COST = 3
/** What a test of the function's own module is nearer. */
const OWN_GAIN = 2

/** Greater than any number of imports. */
const UNREACHED = 1_000

const IMPORT = /(?:from|import\()\s*'(#src\/|#testing\/|\.{1,2}\/)([^']+)'/g

type Source = { file: string; text: string; imports: string[] }

export class NearestTests {
  readonly #sources: ReadonlyMap<string, Source>
  readonly #functions: ReadonlyMap<string, string>

  /** @param functions each function and the statement that makes it */
  constructor(root: string, functions: ReadonlyMap<string, string>) {
    const files = globSync(`${SERVER}/{src,testing}/**/*.ts`, { cwd: root })
    this.#sources = new Map(
      files.map((file) => {
        const text = readFileSync(join(root, file), 'utf8')
        return [file, { file, text, imports: importsOf(file, text) }]
      }),
    )
    this.#functions = functions
  }

  /**
   * The tests from which imports lead to a text that calls it, those with the fewest imports in between first, and
   * rather those of the function's own module; and then the others of its module.
   */
  of(functionName: string): string[] {
    const called = this.#withCallers(functionName)
    const distances = this.#distancesTo(new RegExp(`\\b(?:${[...called].join('|')})\\b`))
    const testOfFunction = `/${functionName
      .split('.')[0]
      ?.replace(/^console_.*/, 'console')
      .replaceAll('_', '-')}/`
    return [...this.#sources.values()]
      .filter(({ file }) => file.endsWith('.test.ts') && !OF_THE_PRODUCT.test(file))
      .map(({ file, text }) => {
        const isOwn = file.includes(testOfFunction)
        const startCost = STARTS_THE_PRODUCT.test(text) ? START_COST : 0
        const distance = (distances.get(file) ?? UNREACHED) + startCost - (isOwn ? OWN_GAIN : 0)
        return { file, isOwn, distance, length: text.length }
      })
      .filter(({ isOwn, distance }) => isOwn || distance < UNREACHED)
      .sort((a, b) => a.distance - b.distance || a.length - b.length)
      .map(({ file }) => file)
  }

  /** A function, and all that call it, directly or not. */
  #withCallers(name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found
    found.add(name)
    const called = new RegExp(`\\b${name}\\b`)
    for (const [caller, statement] of this.#functions) {
      if (called.test(statement)) this.#withCallers(caller, found)
    }
    return found
  }

  /** How many imports lead from each file to one whose text matches. */
  #distancesTo(wanted: RegExp): Map<string, number> {
    const distances = new Map<string, number>()
    let next = [...this.#sources.values()].filter(({ text }) => wanted.test(text))
    for (let distance = 0; next.length > 0; distance += 1) {
      for (const { file } of next) distances.set(file, distance)
      next = [...this.#sources.values()].filter(
        ({ file, imports }) =>
          !distances.has(file) && imports.some((each) => distances.get(each) === distance),
      )
    }
    return distances
  }
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, kind = '', path = '']) =>
    kind.startsWith('#')
      ? join(SERVER, kind.slice(1), path)
      : relative('.', join(dirname(file), kind, path)),
  )
}
