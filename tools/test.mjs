import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildApps } from './build-apps.mjs'
import { run } from './child.mjs'
import { findChromium } from './find-chromium.mjs'
import { findNatsServer } from './find-nats-server.mjs'
import { environment, prepare, root } from './prepare.mjs'
import { runChecks } from './run-checks.mjs'

const reports = join(root, '.cache', 'test')
const total = { passed: 0, failed: 0, skipped: 0 }

const node = await prepare()
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const natsServer = await findNatsServer()
const browser = has('e2e/playwright.config.ts') ? await findChromium() : undefined
heading('Checks')
add(await runChecks())
await build()
heading('Unit, property, database and API tests')
add(await runVitest())
// Not beside the others: these have rounds of real seconds, which a busy machine would miss.
heading('Browser tests')
add(await runPlaywright())

console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

function has(path) {
  return existsSync(join(root, path))
}

function heading(text) {
  console.log(`\n── ${text}`)
}

function add(counts) {
  for (const key of Object.keys(total)) total[key] += counts[key]
}

async function runVitest() {
  if (!has('vitest.config.ts')) return leftOut('vitest.config.ts')
  const report = join(reports, 'vitest.json')
  const { code } = await run(
    join(root, 'node_modules', '.bin', 'vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { cwd: root, env: environment(natsServer ? { NATS_SERVER_PATH: natsServer } : {}) },
  )
  const result = readReport(report)
  if (!result) return oneFailure('The test run ended without a report.')
  // A file that does not load has no tests to count, but has failed.
  const unloaded = result.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
  return withExitCode(code, {
    passed: result.numPassedTests,
    failed: result.numFailedTests + unloaded,
    skipped: result.numPendingTests + result.numTodoTests,
  })
}

async function build() {
  if (browser) await buildApps(node)
}

async function runPlaywright() {
  if (!has('e2e/playwright.config.ts')) return leftOut('e2e/playwright.config.ts')
  if (!browser) return oneFailure('The browser tests need a Chromium.')
  const report = join(reports, 'playwright.json')
  const { code } = await run(
    join(root, 'node_modules', '.bin', 'playwright'),
    ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    {
      cwd: root,
      env: environment({ CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    },
  )
  const result = readReport(report)
  if (!result) return oneFailure('The browser tests ended without a report.')
  const { expected, unexpected, flaky, skipped } = result.stats
  // A test that passes only on a second try counts as failed.
  return withExitCode(code, { passed: expected, failed: unexpected + flaky, skipped })
}

function leftOut(file) {
  console.log(`Left out: ${file} is not there yet.`)
  return { passed: 0, failed: 0, skipped: 0 }
}

function oneFailure(sentence) {
  console.error(sentence)
  return { passed: 0, failed: 1, skipped: 0 }
}

/** A run may also fail outside its tests, for example by an uncaught error. */
function withExitCode(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
