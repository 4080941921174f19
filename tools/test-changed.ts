/**
 * Runs the tests nearest to what was changed, within about a minute: `npm run test:changed`, or with a
 * commit or branch to compare with: `npm run test:changed -- main`. It is for work in progress and no
 * judgement: `npm test` runs all.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type NearTest, nearTests } from './near-tests.ts'

const ROOT = join(import.meta.dirname, '..')
/** What the chosen tests may take together, in seconds: some three of them run beside each other. */
const BUDGET_S = 90
/** A test file that was not measured yet takes about so long, in seconds. */
const GUESS_S = { server: 6, browser: 40, other: 1 }

const base = process.argv[2] ?? 'HEAD'
const changed = changedFiles(base)
if (changed.length === 0) {
  console.log(`Nothing was changed since ${base}: name a commit or branch to compare with.`)
  process.exit(0)
}
const near = nearTests(ROOT, changed)
const chosen = within(near)
const left = near.length - chosen.length
console.log(
  `${changed.length} files changed since ${base}; ${near.length} test files reach them, and the nearest ${chosen.length} are run.`,
)
if (left > 0) console.log(`Left out for time: ${left}. They run with "npm test".`)
const browser = chosen.filter(isBrowserTest)
const others = chosen.filter((file) => !isBrowserTest(file))
const failed = [
  others.length > 0 && run('vitest', ['run', ...others]),
  browser.length > 0 &&
    run('playwright', ['test', '--config', 'e2e/playwright.config.ts', ...browser]),
].includes(true)
process.exit(failed ? 1 : 0)

/** Paths of what differs from a commit, committed or not, and of what is new. */
function changedFiles(since: string): string[] {
  const tracked = git(['diff', '--name-only', '--relative', since, '--'])
  const untracked = git(['ls-files', '--others', '--exclude-standard'])
  return [...tracked, ...untracked]
}

function git(args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  if (status === 0) return stdout.split('\n').filter(Boolean)
  console.error(`git ${args[0]} failed: ${stderr.trim().split('\n')[0]}`)
  return process.exit(1)
}

/** The nearest tests that fit into the time; what was changed itself is always among them. */
function within(tests: readonly NearTest[]): string[] {
  const measured = measuredSeconds()
  let spent = 0
  return tests
    .filter(({ file, distance }) => {
      const seconds = measured.get(file) ?? guessOf(file)
      if (distance > 0 && spent + seconds > BUDGET_S) return false
      spent += seconds
      return true
    })
    .map(({ file }) => file)
}

function guessOf(file: string): number {
  if (isBrowserTest(file)) return GUESS_S.browser
  return file.startsWith('apps/server/') ? GUESS_S.server : GUESS_S.other
}

function isBrowserTest(file: string): boolean {
  return file.startsWith('e2e/')
}

/** How long each file took in the last `npm test`. */
function measuredSeconds(): Map<string, number> {
  try {
    const report = JSON.parse(readFileSync(join(ROOT, '.cache/test/vitest.json'), 'utf8')) as {
      testResults: { name: string; startTime: number; endTime: number }[]
    }
    return new Map(
      report.testResults.map(({ name, startTime, endTime }) => [
        relative(ROOT, name),
        (endTime - startTime) / 1000,
      ]),
    )
  } catch {
    return new Map()
  }
}

/** @returns whether it failed */
function run(tool: string, args: string[]): boolean {
  const { status } = spawnSync(join(ROOT, 'node_modules', '.bin', tool), args, {
    cwd: ROOT,
    stdio: 'inherit',
  })
  return status !== 0
}
