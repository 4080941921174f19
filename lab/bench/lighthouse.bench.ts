/**
 * Lighthouse's score of performance of seven screens of the built app, beside the least page by React, as it measures a
 * phone, whose slow processor and network it simulates. A signed-in member opens each screen in a browser without a
 * cache, and a stranger the login; of several runs the median counts, since they differ.
 */
import lighthouse from 'lighthouse'
import puppeteer, { type Browser } from 'puppeteer-core'
import { CHROMIUM_ARGS } from '../../tools/chromium-args.ts'
import { prepareBrowser, sessionOf, signIn } from './browser.ts'
import { type BenchPlayer, startProduct } from './product.ts'
import { serveReactAlone } from './react-alone.ts'
import { isShort, median, printTable, report } from './report.ts'

const SCREENS = {
  home: '/',
  lobby: '/lottery',
  room: '/betRoom?id=11&game_id=1&name=DOT&title=Basic',
  charts: '/find',
  login: '/login',
  rules: '/rules',
  fairness: '/fairness',
}
/** Opened by a stranger: a member would be sent on. */
const OF_STRANGERS: readonly string[] = ['login']
const SHORT: readonly string[] = ['room']
const RUNS = isShort ? 1 : 5
/** A screen with a stream is never silent: so long is waited for it at the most. */
const LOAD_MAX_MS = 8_000
/**
 * On a busy machine a page may not be painted in this time, or give no answer in the second that Lighthouse leaves it
 * then: it is opened again, so often at the most, with as many times as long.
 */
const TRIES_MAX = 5
/** For the browser's start and its answers: no measure of speed, only an end for what hangs. */
const BROWSER_MAX_MS = 300_000
const executablePath = await prepareBrowser()
const product = await startProduct(1)
const least = await serveReactAlone()
const browser = await puppeteer.launch({
  executablePath,
  args: CHROMIUM_ARGS,
  timeout: BROWSER_MAX_MS,
  protocolTimeout: BROWSER_MAX_MS,
})
try {
  const [player] = product.players as [BenchPlayer]
  const screens = Object.entries(SCREENS).filter(([name]) => !isShort || SHORT.includes(name))
  const pages = screens.map(([name, path]) => [name, product.stack.url + path] as const)
  const rows = []
  for (const [name, url] of [['React alone', least.url] as const, ...pages]) {
    const scores: number[] = []
    const by = OF_STRANGERS.includes(name) ? null : player
    while (scores.length < RUNS) scores.push(await scoreOf(browser, url, by))
    rows.push({ name, score: median(scores), worst: Math.min(...scores) })
  }
  printTable('Lighthouse, mobile', rows)
  const figures = rows.slice(1).map(({ name, score }) => {
    return { name, value: score, unit: 'of 100', atLeast: 95 }
  })
  report('lighthouse', figures, { runs: RUNS, rows })
} finally {
  await browser.close()
  least.stop()
  await product.stop()
}

async function scoreOf(browser: Browser, url: string, player: BenchPlayer | null): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryRun(browser, url, { player, loadMaxMs: tries * LOAD_MAX_MS })
    } catch (error) {
      if (tries === TRIES_MAX) throw error
      console.warn(`  It is tried again: ${(error as Error).message}`)
    }
  }
}

async function tryRun(
  browser: Browser,
  url: string,
  { player, loadMaxMs }: { player: BenchPlayer | null; loadMaxMs: number },
): Promise<number> {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    if (player) await page.evaluateOnNewDocument(signIn, sessionOf(player))
    const flags = {
      onlyCategories: ['performance'],
      disableStorageReset: true,
      maxWaitForLoad: loadMaxMs,
    }
    const result = (await lighthouse(url, flags, undefined, page))?.lhr
    if (!result || result.runtimeError) throw new Error(`${url}: ${result?.runtimeError?.message}`)
    if (new URL(result.finalDisplayedUrl).pathname !== new URL(url).pathname) {
      throw new Error(`${url} led to ${result.finalDisplayedUrl}`)
    }
    return Math.round((result.categories.performance?.score ?? Number.NaN) * 100)
  } finally {
    await context.close()
  }
}
