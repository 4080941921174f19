import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildApps } from '../../tools/build-apps.mjs'
import { fail, run } from '../../tools/child.mjs'
import { environment, prepare, root } from '../../tools/prepare.mjs'

const SUFFIX = '.bench.ts'
const folder = import.meta.dirname
/** The benches of the figures that the product is to reach, in the order in which they run. */
const ALL = [
  ...['start', 'first-load', 'lighthouse', 'orders-http', 'heartbeats', 'overload', 'streams'],
  ...['accounts', 'settle-million', 'close-book', 'deep-history', 'soak'],
]
/** It takes an hour, and is asked for by its name. */
const LONG = 'soak'
/** A short run takes seconds, on a busy machine minutes: one that takes longer hangs. */
const SHORT_MAX_MS = 30 * 60_000

const known = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length))
  .sort()

// "--short" and the like are for the benchmarks.
const given = process.argv.slice(2)
const options = given.filter((name) => name.startsWith('--'))
const named = given.filter((name) => !name.startsWith('--'))
const isShort = options.includes('--short')
const isAll = named.includes('all') || (named.length === 0 && isShort)
const wanted = isAll ? ALL.filter((name) => isShort || name !== LONG) : named
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  fail(`There is no benchmark ${unknown.join(', ')}: "npm run bench" lists them.`)
}
if (wanted.length === 0) {
  console.log(
    `Run with "npm run bench -- <name> …", or "npm run bench -- all" for every figure that has a target; with --short for seconds only:\n${known.map((name) => `  ${name}`).join('\n')}`,
  )
  process.exit(0)
}

const node = await prepare()
const failed = []
// Figures of a short run are not judged, so that its benches need not be alone on the machine.
const atOnce = isAll && isShort ? 2 : 1
// Of benches beside each other none may build what another reads.
if (atOnce > 1) await buildApps(node)
const waiting = [...wanted]
await Promise.all(Array.from({ length: atOnce }, runWaiting))
if (isAll) {
  const ended = wanted.filter((name) => !failed.includes(name))
  const { code } = await runScript('summary.ts', [...ended, ...options])
  if (code !== 0) failed.push('summary')
}
if (failed.length > 0) console.error(`These benchmarks failed: ${failed.join(', ')}.`)
process.exit(failed.length > 0 ? 1 : 0)

/** Runs benches until none waits. Of several at once, each shows its output when it has ended. */
async function runWaiting() {
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    if (atOnce === 1) console.log(`── ${name}`)
    const { code, output } = await runScript(`${name}${SUFFIX}`, options, { quiet: atOnce > 1 })
    if (atOnce > 1) console.log(`── ${name}\n${output}`)
    if (code !== 0) failed.push(name)
  }
}

async function runScript(name, args, { quiet = false } = {}) {
  return run(node, ['--disable-warning=ExperimentalWarning', join(folder, name), ...args], {
    cwd: root,
    env: environment(),
    quiet,
    ...(isShort && { maxMs: SHORT_MAX_MS }),
  })
}
