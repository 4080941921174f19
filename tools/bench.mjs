import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail, run } from './child.mjs'
import { environment, prepare, root } from './prepare.mjs'

const SUFFIX = '.bench.ts'
const folder = join(root, 'bench')
const known = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length))
  .sort()

// "--short" and the like are for the benchmarks.
const given = process.argv.slice(2)
const options = given.filter((name) => name.startsWith('--'))
const named = given.filter((name) => !name.startsWith('--'))
const wanted = named.includes('all') ? known : named
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  fail(`There is no benchmark ${unknown.join(', ')}: "npm run bench" lists them.`)
}
if (wanted.length === 0) {
  console.log(
    known.length === 0
      ? 'There is no benchmark yet.'
      : `Run with "npm run bench -- <name> …" or "npm run bench -- all"; with --short for seconds only:\n${known.map((name) => `  ${name}`).join('\n')}`,
  )
  process.exit(0)
}

const node = await prepare()
let worst = 0
for (const name of wanted) {
  console.log(`── ${name}`)
  const { code } = await run(
    node,
    ['--disable-warning=ExperimentalWarning', join(folder, `${name}${SUFFIX}`), ...options],
    { cwd: root, env: environment() },
  )
  worst = Math.max(worst, code)
}
process.exit(worst)
