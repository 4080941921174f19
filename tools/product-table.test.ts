/**
 * Goal: docs/product.md, docs/standards.md and docs/threats.md name only existing files, and their
 * tables only existing tests; docs/product.md also quotes what each asserts, and has a row for every route and call.
 * Method: the pages are read as text, the tests as programs. A test is named by all its titles, a
 * parametrised one by its template. The quoted words must be in an assertion of exactly that test.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../apps/web/src/app/routes.ts'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '../packages/contract/src/all-routes.ts'
import { type FoundTest, testsIn } from './asserted-text.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = ['docs/product.md', 'docs/standards.md', 'docs/threats.md']

/** A path of the repository in a page's text; a full stop after it ends the sentence. */
const PATHS = /(?<![\w/@.-])(?:apps|packages|e2e|lab|tools|docs)\/[\w./-]*\w/g

type Row = { line: number; cells: string[] }

/** The rows of all tables of a page, without headings. */
function rowsOf(page: string): Row[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n')
  return lines.flatMap((text, at) => {
    const heading = /^\|\s*-/.test(lines[at + 1] ?? '')
    if (!text.startsWith('|') || heading || /^\|\s*-/.test(text)) return []
    return [
      {
        line: at + 1,
        cells: text
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      },
    ]
  })
}

/**
 * What is wrong with the last cell of a row. It holds one or more of `file` › title › title; on a
 * page that quotes assertions, each is followed by ⇒ and words of an assertion.
 */
function faultsOf({ line, cells }: Row, { mustQuote }: { mustQuote: boolean }): string[] {
  const named = (cells.at(-1) ?? '').split('<br>').filter((each) => each !== '')
  if (named.length === 0) return [`line ${line} names no test`]
  return named.flatMap((each) => {
    const [test = '', ...quoted] = each.split(' ⇒ ').map((part) => part.trim())
    const [path = '', ...titles] = test.split(' › ').map((part) => part.trim())
    const file = /^`([^`]+\.(?:test|spec|tests)\.tsx?)`$/.exec(path)?.[1]
    if (!file || titles.length === 0) return [`line ${line} names no test: ${each}`]
    if (!existsSync(join(ROOT, file))) return [`line ${line}: there is no ${file}`]
    const asserts = assertsOf(file, titles)
    if (!asserts) return [`line ${line}: ${file} has no test ‘${titles.join(' › ')}’`]
    if (mustQuote && quoted.length === 0)
      return [`line ${line} does not say what is asserted: ${each}`]
    return quoted
      .map((words) => words.replace(/^`|`$/g, ''))
      .filter((words) => !asserts.some((assert) => assert.includes(words)))
      .map((words) => `line ${line}: ‘${titles.join(' › ')}’ asserts nothing like ${words}`)
  })
}

const parsed = new Map<string, FoundTest[]>()

function testsOf(file: string): FoundTest[] {
  const known = parsed.get(file) ?? testsIn(join(ROOT, file))
  parsed.set(file, known)
  return known
}

/** The assertions of a test, each on one line; null when the test does not exist. */
function assertsOf(file: string, titles: readonly string[]): string[] | null {
  const found = testsOf(file).filter((test) => test.titles.join('\n') === titles.join('\n'))
  if (found.length === 0) return null
  return found.flatMap(({ asserts }) => asserts.map((assert) => assert.replace(/\s+/g, ' ')))
}

describe.each(PAGES)('the table in %s', (page) => {
  it('names an existing test in each row', () => {
    const rows = rowsOf(page)
    expect(rows.length).toBeGreaterThan(0)
    const mustQuote = page === 'docs/product.md'
    expect(rows.flatMap((row) => faultsOf(row, { mustQuote }))).toEqual([])
  })

  it('names only files and folders that exist', () => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const paths = text.match(PATHS) ?? []
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('has no duplicate row', () => {
    const rows = rowsOf(page).map(({ cells }) => cells.join('|'))
    expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([])
  })
})

describe('the table of the product', () => {
  const firstColumn = rowsOf('docs/product.md')
    .map(({ cells }) => cells[0])
    .join('\n')

  it.each(Object.values(ROUTES).map(({ path }) => path))('has the route %s', (path) => {
    expect(firstColumn.includes(`\`${path}\``)).toBe(true)
  })

  it.each(
    [...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS].map(
      ({ method, path }) => `${method} ${path}`,
    ),
  )('has the call %s', (call) => {
    expect(firstColumn.includes(`\`${call}\``)).toBe(true)
  })
})
