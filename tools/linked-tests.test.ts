/**
 * Goal: what documents name exists. Each link of three pages to a test leads to a file that has a test of the linked
 * title. A link is written `[title](/path/of/the/file.test.ts)`, its path from the root of the repository, so that a
 * moved file is one replacement. What pages name in a schema of the database is there, and so is each file of docs/ that any text names.
 * Method: a linked title is that of one test or group of the file, or a part of one title alone; a parametrised one by
 * its template.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const LINKS = /\[((?:[^[\]]|\[[^\]]*\])+)\]\(\/([^)]+\.(?:test|spec|tests)\.tsx?)\)/g

/** The quoted first argument of `it`, `test` or `describe`, or of what one of their methods returned. */
const TITLES = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

it.each(['docs/product.md', 'docs/standards.md', 'docs/threats.md'])(
  '%s links to tests that there are',
  (page) => {
    const links = [...read(page).matchAll(LINKS)]
    expect(links.length).toBeGreaterThan(50)
    const broken = links.filter(([, title = '', file = '']) => !has(file, title))
    expect(broken.map(([link]) => link)).toEqual([])
  },
)

it('pages name what there is in the database', () => {
  const statements = tracked('apps/server/sql').map(read).join('\n').replaceAll(/--.*/g, '')
  const made = statements.matchAll(/^create (?:or replace function|table) (\w+)\./gm)
  const schemas = [...new Set([...made].map(([, schema]) => schema))].join('|')
  const ofDatabase = new RegExp(`(?<![\\w./-])(?:${schemas})\\.[a-z_]+(?![\\w/-])`, 'g')
  const existing = new Set(statements.match(ofDatabase))
  const named = tracked('*.md').flatMap((page) =>
    [...read(page).matchAll(/`[^`\n]+`/g)].flatMap(([code]) =>
      (code.match(ofDatabase) ?? []).map((name) => ({ page, name })),
    ),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ name }) => !existing.has(name) && !name.endsWith('.sql'))).toEqual([])
})

it('the files of docs that any text names exist', () => {
  const named = tracked().flatMap((file) =>
    (read(file).match(/(?<![\w/.-])docs\/[\w./-]+\.\w+/g) ?? []).map((path) => ({ file, path })),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([])
})

function has(file: string, title: string): boolean {
  if (!existsSync(join(ROOT, file))) return false
  const titles = [...read(file).matchAll(TITLES)].map(([, , text = '']) => text)
  const same = titles.filter((each) => each === title)
  return (same.length > 0 ? same : titles.filter((each) => each.includes(title))).length === 1
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** The tracked files of these folders or kinds, or all. */
function tracked(...which: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', ...which], { cwd: ROOT, encoding: 'utf8' })
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)))
}
