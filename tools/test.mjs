// npm test: the checks, and the tests without a browser and in one. With --all also the benches and the cluster
// test of lab/, in their short forms. With --browser only the tests in one; what follows it is for Playwright: parts of
// their files' names, or its options.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildApps } from './build-apps.mjs'
import { run } from './child.mjs'
import { installDebianPackages } from './debian-packages.mjs'
import { findChromium } from './find-chromium.mjs'
import { environment, prepare, root } from './prepare.mjs'
import { runChecks } from './run-checks.mjs'

const reports = join(root, '.cache', 'test')
const total = { passed: 0, failed: 0, skipped: 0 }
/** What failed: told again at the end, since a long output may be cut at its beginning. */
const failures = []

const [option, ...forPlaywright] = process.argv.slice(2)
const isBrowserAlone = option === '--browser'
const node = await prepare()
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const browser = await findChromium()
const lacking = isBrowserAlone ? [] : await findPrograms()
/** The parts of the run, each with the function that returns its counts. */
const parts = [
  ['Checks', checkSources],
  ['Unit, property, database and API tests', runVitest],
  // Not beside the others: these have rounds of real seconds, which a busy machine would miss.
  ['Browser tests', runPlaywright],
]
if (isBrowserAlone) parts.splice(0, 2)
if (option === '--all') {
  parts.push(
    ['Benches, which must run; their figures are not judged', runBenches],
    ['Cluster test', runClusterTest],
  )
}
const times = []
for (const [name, runPart] of parts) {
  console.log(`\n── ${name}`)
  const begun = Date.now()
  const counts = await runPart()
  for (const key of Object.keys(total)) total[key] += counts[key]
  times.push(`${((Date.now() - begun) / 60_000).toFixed(1).padStart(5)} min  ${name}`)
}

if (failures.length > 0) console.log(`\n── What failed\n${failures.join('\n')}`)
console.log(`\n${times.join('\n')}`)
if (lacking.length > 0) {
  console.log(`\nTests were skipped, as these are missing: ${lacking.join(', ')}`)
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

/**
 * What the product runs beside, by the Debian package that has it: the second verifier's language, the rules of
 * the alarms, the balancer of the installations. A test whose program is missing is skipped.
 *
 * @returns the packages that cannot be installed
 */
async function findPrograms() {
  const programs = [
    ['python3-cryptography', 'python3', '-c', 'import cryptography'],
    ['prometheus', 'promtool', '--version'],
    ['haproxy', '/usr/sbin/haproxy', '-v'],
  ]
  const findMissing = async () => {
    const missing = []
    for (const [name, program, ...args] of programs) {
      const { code } = await run(program, args, { quiet: true })
      if (code !== 0) missing.push(name)
    }
    return missing
  }
  const missing = await findMissing()
  if (missing.length === 0) return []
  await installDebianPackages(missing)
  return findMissing()
}

async function checkSources() {
  const counts = await runChecks()
  if (counts.failed > 0) failures.push(`${counts.failed} of the checks: their own output says why`)
  return counts
}

async function runVitest() {
  const report = join(reports, 'vitest.json')
  const strayErrors = join(reports, 'stray-errors.txt')
  const { code } = await run(
    join(root, 'node_modules', '.bin', 'vitest'),
    [
      ...['run', '--reporter=default', '--reporter=./tools/stray-errors.ts'],
      ...['--reporter=json', `--outputFile.json=${report}`],
    ],
    {
      cwd: root,
      env: environment({ STRAY_ERRORS_FILE: strayErrors }),
    },
  )
  const result = readReport(report)
  if (!result) return oneFailure('The test run ended without a report.')
  // A file that does not load has no tests to count, but has failed.
  const unloaded = result.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  for (const { name, message } of unloaded)
    failures.push(failureLines(name, 'did not load', message))
  for (const { name, assertionResults } of result.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') failures.push(failureLines(name, fullName, failureMessages[0]))
    }
  }
  if (existsSync(strayErrors)) {
    const errors = readFileSync(strayErrors, 'utf8').trimEnd()
    if (errors) failures.push(errors)
  }
  return withExitCode(code, 'vitest', {
    passed: result.numPassedTests,
    failed: result.numFailedTests + unloaded.length,
    skipped: result.numPendingTests + result.numTodoTests,
  })
}

async function runPlaywright() {
  if (!browser) return oneFailure('The browser tests need a Chromium.')
  await buildApps(node)
  const report = join(reports, 'playwright.json')
  const { code } = await run(
    join(root, 'node_modules', '.bin', 'playwright'),
    [
      ...['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
      ...(isBrowserAlone ? forPlaywright : []),
    ],
    {
      cwd: root,
      env: environment({ CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    },
  )
  const result = readReport(report)
  if (!result) return oneFailure('The browser tests ended without a report.')
  const { expected, unexpected, flaky, skipped } = result.stats
  // A test that passes only on a second try counts as failed.
  for (const spec of result.suites.flatMap(specsOf)) {
    if (!spec.ok) failures.push(failureLines(spec.file, spec.title, detailsOf(spec)))
  }
  return withExitCode(code, 'playwright', { passed: expected, failed: unexpected + flaky, skipped })
}

/** The whole product on a cluster, parts of which are killed; it is skipped where its packages cannot be installed. */
async function runClusterTest() {
  const report = join(reports, 'cluster.json')
  const script = 'lab/cluster/run-cluster-test.ts'
  const { code } = await run(
    node,
    [
      ...['--disable-warning=ExperimentalWarning', join(root, script)],
      ...['--short', '--install', '--report', report],
    ],
    { cwd: root, env: environment() },
  )
  const result = readReport(report)
  if (!result) return oneFailure('The cluster test ended without a report.')
  const { failures: failed, ...counts } = result
  failures.push(...failed.map((line) => `cluster test › ${line}`))
  return withExitCode(code, 'the cluster test', counts)
}

/** Seconds of each, to see that it works; a busy machine's figures say nothing. */
async function runBenches() {
  const { code } = await run(node, [join(root, 'lab', 'bench', 'run-benches.mjs'), '--short'], {
    cwd: root,
    env: environment({ ...(browser && { CHROMIUM_PATH: browser }) }),
  })
  return code === 0
    ? { passed: 1, failed: 0, skipped: 0 }
    : oneFailure('A benchmark ended with an error: its own output says why.')
}

function oneFailure(sentence) {
  console.error(sentence)
  failures.push(sentence)
  return { passed: 0, failed: 1, skipped: 0 }
}

/** A run may also fail outside its tests, for example by an uncaught error. */
function withExitCode(code, tool, counts) {
  if (code === 0 || counts.failed > 0) return counts
  failures.push(`${tool} ended with ${code}, though no test failed: its own output says why`)
  return { ...counts, failed: 1 }
}

/** All tests of a suite of playwright and of the suites within it. */
function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}

/** The test's place, and below it, indented, what is known of the failure. */
function failureLines(file, title, details = '') {
  const lines = stripVTControlCharacters(details)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const parts = lines.length > 80 ? [...lines.slice(0, 40), '…', ...lines.slice(-40)] : lines
  return `${relative(root, file)} › ${title}${parts.map((line) => `\n    ${line}`).join('')}`
}

/** The first error of a browser test, and what the page contained then. */
function detailsOf(spec) {
  const results = spec.tests.flatMap((test) => test.results)
  const message = results.flatMap(({ errors }) => errors)[0]?.message
  const context = results
    .flatMap(({ attachments }) => attachments)
    .find(({ name }) => name === 'error-context')
  if (!context?.path || !existsSync(context.path)) return message
  const page = /```yaml\n(.*?)```/s.exec(readFileSync(context.path, 'utf8'))?.[1] ?? ''
  return `${message}\nThe page:\n${page}`
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
