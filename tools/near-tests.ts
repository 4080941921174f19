/**
 * Which tests are nearest to files that were changed. Every source names the files that it uses: by an
 * import; by the name of a function, table or view of the database; by the path of a page of docs; a browser
 * test by the address of a screen; a test the file that it is named after. A test's distance is the number
 * of such steps from it to a changed file.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export type NearTest = { file: string; distance: number }

const SOURCES = '{apps,packages,tools,e2e}/**/*.{ts,tsx,sql}'
const SKIPPED = /(^|\/)(node_modules|dist|\.cache)\//

const IMPORT = /(?:from|import|import\()\s*'([^']+)'|new URL\('(\.[^']+)', import\.meta\.url\)/g
const DEFINED_IN_SQL =
  /^\s*create (?:or replace )?(?:function|procedure|table|view|type|sequence)(?: if not exists)? (\w+\.\w+)/gim
const SCREENS = 'apps/web/src/app/screens.ts'
const ROUTES = 'apps/web/src/app/routes.ts'

/** Where an import's name begins, and the folder that it stands for. */
const PACKAGE_IMPORT = /^@sum28\/(\w+)\/(.+)$/
const OWN_IMPORT = /^#(src|testing)\/(.+)$/

/**
 * @param root the folder of the repository
 * @param changed paths from there; what is no source is near to nothing
 * @returns tests, the nearest first; a changed test has the distance 0
 */
export function nearTests(root: string, changed: readonly string[]): NearTest[] {
  const users = usersOf(root)
  const distances = new Map(changed.map((file) => [file, 0]))
  // A Map is iterated in the order of insertion, including entries that are added meanwhile.
  for (const [file, distance] of distances) {
    for (const user of users.get(file) ?? []) {
      if (!distances.has(user)) distances.set(user, distance + 1)
    }
  }
  return [...distances]
    .filter(([file]) => /\.(test|spec)\.tsx?$/.test(file) && existsSync(join(root, file)))
    .map(([file, distance]) => ({ file, distance }))
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        strangeness(a.file, changed) - strangeness(b.file, changed) ||
        (a.file < b.file ? -1 : 1),
    )
}

/** 0 beside a changed file, 1 in the same app or package, 2 elsewhere. */
function strangeness(file: string, changed: readonly string[]): number {
  if (changed.some((each) => dirname(each) === dirname(file))) return 0
  const home = (path: string) => path.split('/', 2).join('/')
  return changed.some((each) => home(each) === home(file)) ? 1 : 2
}

/** For each source the files that use it. */
function usersOf(root: string): Map<string, Set<string>> {
  const texts = new Map(
    globSync(SOURCES, { cwd: root, exclude: (name) => SKIPPED.test(`${name}/`) })
      .filter((file) => !SKIPPED.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )
  const users = new Map<string, Set<string>>()
  const add = (used: string, user: string) => {
    if (used !== user) users.set(used, (users.get(used) ?? new Set()).add(user))
  }
  const definedIn = sqlNames(texts)
  const screens = screenAddresses(texts)
  for (const [file, text] of texts) {
    for (const [, imported, url] of text.matchAll(IMPORT)) {
      const used = pathOfImport(root, file, imported ?? url ?? '')
      if (used) add(used, file)
    }
    if (file.startsWith('apps/server/')) {
      for (const [name] of text.matchAll(/\b[a-z_]+\.[a-z_]+\b/g)) {
        for (const sql of definedIn.get(name) ?? []) add(sql, file)
      }
    }
    if (file.startsWith('apps/server/src/db/') && file.endsWith('.test.ts')) {
      for (const sql of texts.keys()) if (sql.endsWith('.sql')) add(sql, file)
    }
    for (const [, page] of text.matchAll(/'(docs\/[\w./-]+)'/g)) add(page ?? '', file)
    const subject = file.replace(/\.test(\.tsx?)$/, '$1')
    if (texts.has(subject)) add(subject, file)
    if (file.startsWith('e2e/')) {
      for (const { path, screen } of screens) {
        if (new RegExp(`['"\`]${path}(?![\\w/])`).test(text)) add(screen, file)
      }
    }
  }
  return users
}

function pathOfImport(root: string, file: string, name: string): string | undefined {
  const inPackage = PACKAGE_IMPORT.exec(name)
  if (inPackage) {
    const folder = join('packages', inPackage[1] ?? '')
    const path = inPackage[2] ?? ''
    return [join(folder, 'src', path), join(folder, path)].find((each) =>
      existsSync(join(root, each)),
    )
  }
  const own = OWN_IMPORT.exec(name)
  if (own) return join(...file.split('/').slice(0, 2), own[1] ?? '', own[2] ?? '')
  if (name.startsWith('.')) return relative(root, join(root, dirname(file), name))
  return undefined
}

/** The files in which each thing of the database is made. */
function sqlNames(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const [file, text] of texts) {
    if (!file.endsWith('.sql') || file.endsWith('/schema.sql')) continue
    for (const [, name] of text.matchAll(DEFINED_IN_SQL)) {
      if (name) names.set(name, [...(names.get(name) ?? []), file])
    }
  }
  return names
}

/** The app's addresses, each with the file of its screen. */
function screenAddresses(texts: ReadonlyMap<string, string>): { path: string; screen: string }[] {
  const paths = new Map(
    [...(texts.get(ROUTES) ?? '').matchAll(/^ {2}(\w+): \{ path: '(\/\w+)'/gm)].map(
      ([, name, path]) => [name, path],
    ),
  )
  return [...(texts.get(SCREENS) ?? '').matchAll(/^ {2}(\w+): async .*import\('#(src\/[^']+)'/gm)]
    .map(([, name, screen]) => ({ path: paths.get(name) ?? '', screen: `apps/web/${screen}` }))
    .filter(({ path }) => path !== '')
}
