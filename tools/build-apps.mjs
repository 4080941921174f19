import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fail, run } from './child.mjs'
import { environment, root } from './prepare.mjs'

const APPS = ['apps/web', 'apps/console']
/** Shared sources of every app, outside of its own folder. */
const SHARED = ['packages', 'package-lock.json', 'tsconfig.base.json']
const NO_SOURCE = /^(node_modules|dist|testing|\..*)$|\.test\.tsx?$/

/**
 * Builds the apps whose build is missing or older than their sources.
 * Ends the process with one sentence, after the builder's output, when a build fails.
 *
 * @param {string} node the pinned Node.
 */
export async function buildApps(node) {
  const shared = SHARED.map((path) => hashOf(join(root, path))).join()
  const stale = APPS.map((app) => ({ app, source: `${hashOf(join(root, app))},${shared}` })).filter(
    ({ app, source }) => existsSync(join(root, app, 'index.html')) && builtFrom(app) !== source,
  )
  await Promise.all(stale.map((one) => build({ ...one, node })))
}

function stampOf(app) {
  return join(root, app, 'dist', '.built-from')
}

function builtFrom(app) {
  return existsSync(stampOf(app)) ? readFileSync(stampOf(app), 'utf8') : ''
}

async function build({ app, source, node }) {
  console.log(`Building ${app} …`)
  try {
    // The stamp is written last, so an interrupted build has none and is repeated.
    rmSync(stampOf(app), { force: true })
  } catch (error) {
    fail(`${app} cannot be built (${error.message}): make ${app}/dist writable for this user.`)
  }
  const { code, output, seconds } = await run(node, [viteOf(app), 'build'], {
    cwd: join(root, app),
    env: environment({ NODE_ENV: 'production' }),
    quiet: true,
  })
  if (code !== 0) {
    console.error(output.trim())
    fail(`${app} could not be built: the reason stands above.`)
  }
  mkdirSync(dirname(stampOf(app)), { recursive: true })
  writeFileSync(stampOf(app), source)
  console.log(`Built ${app} in ${seconds}.`)
}

/** The app's own vite; apps may have different versions. */
function viteOf(app) {
  const manifest = createRequire(join(root, app, 'package.json')).resolve('vite/package.json')
  return join(dirname(manifest), 'bin', 'vite.js')
}

/** A hash of the names and contents of all source files under a path. */
function hashOf(path) {
  const hash = createHash('sha256')
  for (const file of filesUnder(path)) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!existsSync(path)) return []
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch {
    return [path]
  }
  return entries
    .filter(({ name }) => !NO_SOURCE.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name)
      return entry.isDirectory() ? filesUnder(inner) : [inner]
    })
}
