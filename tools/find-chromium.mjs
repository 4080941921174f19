import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { run } from './child.mjs'
import { installDebianPackages } from './debian-packages.mjs'
import { environment, root } from './prepare.mjs'

/** Without the browser's own windows, whose drawing costs a quarter of a browser test's processor time, first. */
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Finds a Chromium that runs. Installs one if there is none: Debian's package as root, otherwise
 * Playwright's own.
 *
 * @returns {Promise<string | undefined>} its path, or undefined after a line that says what to do.
 */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (runs(named)) return named
    console.error(`CHROMIUM_PATH is ${named}, which does not run: name a Chromium, or unset it.`)
    return undefined
  }
  const browser = await firstThatRuns()
  if (browser) return browser
  console.log('There is no Chromium: installing one …')
  const debians = ['chromium-headless-shell', 'chromium'].map((name) => {
    return () => installDebianPackages([name, 'fonts-noto-cjk'])
  })
  for (const install of [...debians, installPlaywrights]) {
    await install()
    const installed = await firstThatRuns()
    if (installed) return installed
  }
  console.error(
    'No Chromium could be installed for the browser tests: install one with "sudo apt-get install chromium-headless-shell fonts-noto-cjk" or "npx playwright install --with-deps chromium", or name one in CHROMIUM_PATH.',
  )
  return undefined
}

async function firstThatRuns() {
  return [...USUAL_PLACES, await playwrightsOwn()].find((path) => path && runs(path))
}

/** The first start of a browser, from the disk of a busy machine, may take a minute. */
const RUNS_WITHIN_MS = 120_000

/** A file of that name may be a stub that only asks to install another package. */
function runs(path) {
  if (!existsSync(path)) return false
  return spawnSync(path, ['--version'], { timeout: RUNS_WITHIN_MS, stdio: 'ignore' }).status === 0
}

async function playwrightsOwn() {
  try {
    const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test')
    return chromium.executablePath()
  } catch {
    return undefined
  }
}

async function installPlaywrights() {
  await run(join(root, 'node_modules', '.bin', 'playwright'), ['install', 'chromium'], {
    cwd: root,
    env: environment(),
    quiet: true,
  })
}
