/**
 * Goal: the tables of docs/product.md and docs/standards.md name only tests that there are, and
 * leave out no route and no call. Method: both pages are read as text; a test counts as there when
 * each title that leads to it stands in its file as a title, cases of a parametrised one as the
 * template that they are made from.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../apps/web/src/app/routes.ts'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '../packages/contract/src/all-routes.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = ['docs/product.md', 'docs/standards.md']

type Row = { line: number; cells: string[] }

/** The rows of all tables of a page, without their headings. */
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

/** What keeps a row from naming a test: the last cell is `file` › title › title, one or more. */
function faultsOf({ line, cells }: Row): string[] {
  const named = (cells.at(-1) ?? '').split('<br>').filter((each) => each !== '')
  if (named.length === 0) return [`line ${line} names no test`]
  return named.flatMap((each) => {
    const [quoted = '', ...titles] = each.split(' › ').map((part) => part.trim())
    const file = /^`([^`]+\.(?:test|spec)\.tsx?)`$/.exec(quoted)?.[1]
    if (!file || titles.length === 0) return [`line ${line} names no test: ${each}`]
    if (!existsSync(join(ROOT, file))) return [`line ${line}: there is no ${file}`]
    const known = titlesIn(file)
    return titles
      .filter((title) => !known.has(title))
      .map((title) => `line ${line}: ${file} has no test ‘${title}’`)
  })
}

const read = new Map<string, Set<string>>()

/** Every title in a test file: the text right behind the bracket of a call that takes one. */
function titlesIn(file: string): Set<string> {
  const known = read.get(file)
  if (known) return known
  const source = readFileSync(join(ROOT, file), 'utf8')
  // Behind `it(`, `test(`, `describe(`, their kin, and the second bracket of `it.each(…)(`.
  const calls = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/gs
  const titles = new Set<string>()
  for (const [, , title = ''] of source.matchAll(calls)) titles.add(unescaped(title))
  read.set(file, titles)
  return titles
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/\\(['"`\\])/g, '$1')
}

describe.each(PAGES)('the table in %s', (page) => {
  it('names in each row a test that there is', () => {
    const rows = rowsOf(page)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.flatMap(faultsOf)).toEqual([])
  })

  it('has no row twice', () => {
    const rows = rowsOf(page).map(({ cells }) => cells.join('|'))
    expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([])
  })
})

describe('the table of the product', () => {
  const said = rowsOf('docs/product.md')
    .map(({ cells }) => cells[0])
    .join('\n')

  it.each(Object.values(ROUTES).map(({ path }) => path))('has the route %s', (path) => {
    expect(said.includes(`\`${path}\``)).toBe(true)
  })

  it.each(
    [...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS].map(
      ({ method, path }) => `${method} ${path}`,
    ),
  )('has the call %s', (call) => {
    expect(said.includes(`\`${call}\``)).toBe(true)
  })
})
