// Runs before any package is installed, on any Node from 20: imports no package, uses no newer syntax.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fail, run } from './child.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const binFolder = join(root, 'node_modules', '.bin')

/** The Node of the lock file; npm installs the package for this machine alone. */
const pinnedNode = join(binFolder, 'node')

/**
 * Runs a program that serves until it is asked to end: it ends with this process too, and no signal opens a debugger.
 * @param {string} node
 * @param {string[]} args its file, and what it is told
 */
export function runServer(node, args) {
  const withParent = pathToFileURL(join(root, 'tools', 'end-with-parent.mjs')).href
  const flags = ['--disable-warning=ExperimentalWarning', '--disable-sigusr1']
  const options = { cwd: root, env: environment(), server: true }
  return run(node, [...flags, '--import', withParent, ...args], options)
}

/**
 * Makes sure that the packages of the lock file are installed.
 *
 * @returns {Promise<string>} the path of the pinned Node, whichever Node is running now.
 * Ends the process with one sentence when that fails.
 */
export async function prepare() {
  const major = Number.parseInt(process.versions.node, 10)
  if (major < 20) {
    fail(
      `Sum28 needs Node 20 or later to start, and this is ${process.version}: install a newer Node.`,
    )
  }
  if (!isInstalled()) await install()
  linkNode()
  const works = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' })
  if (works.status === 0) return pinnedNode
  if (major >= 24) return process.execPath
  return fail(
    `The Node that npm installs in node_modules does not run on this machine (${
      works.error ? works.error.message : works.stderr.trim().split('\n')[0]
    }): delete node_modules and start again, or start with a Node 24 of your own.`,
  )
}

/**
 * The environment of a child in which every tool uses the pinned Node, and what Node has compiled once
 * is kept for the next start.
 */
export function environment(more = {}) {
  return {
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
    ...process.env,
    PATH: `${binFolder}:${process.env.PATH}`,
    ...more,
  }
}

/** Older npm removes the link with those of the packages for other machines. */
function linkNode() {
  const machine = `${process.platform}-${process.arch}`
  const name = machine === 'darwin-arm64' ? `node-bin-${machine}` : `node-${machine}`
  const isThere = existsSync(join(root, 'node_modules', name, 'bin', 'node'))
  if (isThere && !existsSync(pinnedNode)) symlinkSync(join('..', name, 'bin', 'node'), pinnedNode)
}

/**
 * Compares the lock file with npm's own record of what it installed, by content. File times are
 * useless after a clone. npm writes the record last, so an interrupted install has none.
 */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const copy = present[path]
    if (!copy) return Boolean(entry.optional || entry.devOptional || entry.peer)
    return (
      copy.version === entry.version &&
      copy.integrity === entry.integrity &&
      Boolean(copy.link) === Boolean(entry.link)
    )
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

async function install() {
  console.log('Installing packages (npm ci), which takes a minute or so …')
  const begun = Date.now()
  await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  console.log(`Packages installed in ${Math.round((Date.now() - begun) / 1000)} s.`)
}

async function npm(args) {
  const { file, before, env } = outerNpm()
  const { code, output } = await run(file, [...before, ...args], { cwd: root, env, quiet: true })
  if (code === 0) return
  if (/are in sync/.test(output)) {
    fail(
      'package-lock.json does not match the package.json files: run "npm install" and try again.',
    )
  }
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line && !/^(code|errno|syscall) |complete log of this run/.test(line))
  const cause = lines.find((line) => /error|failed|denied|cannot|EACCES/i.test(line)) || lines[0]
  fail(
    `The packages could not be installed ("npm ${args[0]}" ended with ${code}${
      cause ? `: ${cause.replace(/\.$/, '')}` : ''
    }): check the network and the permissions of ${root}, and try again.`,
  )
}

/**
 * The user's npm, run by a Node outside node_modules, because npm removes and restores the one
 * inside while it works.
 */
function outerNpm() {
  const inside = join(root, 'node_modules') + sep
  const outside = (process.env.PATH || '')
    .split(':')
    .filter((folder) => !`${folder}${sep}`.startsWith(inside))
    .join(':')
  const env = { ...process.env, PATH: outside }
  const nodes = [process.env.npm_node_execpath, process.execPath]
  const node = nodes.find((path) => path && !path.startsWith(inside) && existsSync(path))
  const cli = process.env.npm_execpath
  if (node && cli && /npm-cli\.js$/.test(cli) && existsSync(cli)) {
    return { file: node, before: [cli], env }
  }
  return { file: 'npm', before: [], env }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(await prepare())
}
