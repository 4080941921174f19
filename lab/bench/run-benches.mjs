import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail, run } from '../../tools/child.mjs'
import { environment, prepare, root } from '../../tools/prepare.mjs'

const SUFFIX = '.bench.ts'
const folder = import.meta.dirname
/** The benches of the figures that have a target, in the order in which they run; `soak` takes an hour. */
const WITH_TARGETS = [
  ...['start', 'first-load', 'lighthouse', 'slow-phone', 'at-rest', 'orders-http', 'heartbeats'],
  ...['overload', 'streams', 'settle', 'close-book', 'deep-history'],
]
/** A short run takes seconds, on a busy machine minutes: one that takes longer hangs. */
const SHORT_MAX_MS = 30 * 60_000

const allNames = readdirSync(folder)
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length))

// "--short" is for the benches.
const args = process.argv.slice(2)
const options = args.filter((name) => name.startsWith('--'))
const isShort = options.includes('--short')
const named = args.filter((name) => !name.startsWith('--'))
const wanted =
  named.length === 0 && isShort ? allNames : named.includes('all') ? WITH_TARGETS : named
const unknown = wanted.filter((name) => !allNames.includes(name))
if (unknown.length > 0) {
  fail(`There is no bench ${unknown.join(', ')}: "npm run bench" lists them.`)
}
if (wanted.length === 0) {
  console.log(
    `Run with "npm run bench -- <name> …", or "npm run bench -- all" for every figure that has a target; with --short for seconds only:\n${allNames.map((name) => `  ${name}`).join('\n')}`,
  )
  process.exit(0)
}

const node = await prepare()
const failed = []
for (const name of wanted) {
  console.log(`── ${name}`)
  if ((await runScript(`${name}${SUFFIX}`, options)) !== 0) failed.push(name)
}
if (wanted.length > 1) {
  await runScript('summary.ts', [...wanted.filter((name) => !failed.includes(name)), ...options])
}
if (failed.length > 0) console.error(`These benches failed: ${failed.join(', ')}.`)
process.exit(failed.length > 0 ? 1 : 0)

async function runScript(name, args) {
  const { code } = await run(
    node,
    ['--disable-warning=ExperimentalWarning', join(folder, name), ...args],
    { cwd: root, env: environment(), ...(isShort && { maxMs: SHORT_MAX_MS }) },
  )
  return code
}
