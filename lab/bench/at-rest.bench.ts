/**
 * What the built app does while nobody touches it, in a real browser: the share of its main thread that home and a room
 * take, home with the wins of a day that scroll by, the room between two events and while ten bets a second arrive; the
 * calls of a minute; and how far the room's layout has moved since it was opened.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '../../tools/chromium-args.ts'
import { phonePage, prepareBrowser } from './browser.ts'
import { type BenchPlayer, betsBy, startProduct } from './product.ts'
import { isShort, printTable, report } from './report.ts'

/** By then the app is stored for use without a network, and the loader has gone. */
const SETTLE_MS = isShort ? 3_000 : 12_000
const MEASURE_MS = isShort ? 3_000 : 30_000
const PLAYERS = 20
const ROWS_A_SECOND = 10
const WINS = 20
const ROOM = '/betRoom?id=11&game_id=1&name=DOT&title=Basic'

/** Runs in the page: adds up how far its layout moves without a touch. */
const SHIFT_SCRIPT = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value
  }).observe({ type: 'layout-shift', buffered: true })`

const executablePath = await prepareBrowser()
const product = await startProduct(1 + PLAYERS)
const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
try {
  const [member, ...players] = product.players as [BenchPlayer, ...BenchPlayer[]]
  const home = await openPage(member, '/')
  const homeRow = await measure('home', home)
  await home.page.context().close()
  const room = await openPage(member, ROOM)
  const between = await measure('room, between events', room)
  const bet = await betsBy(product, players)
  const bets = setInterval(() => void bet().catch(() => {}), 1_000 / ROWS_A_SECOND)
  const during = await measure(`room, ${ROWS_A_SECOND} bets a second`, room)
  clearInterval(bets)
  const shift = await room.page.evaluate<number>('shifted')

  const rows = [homeRow, between, during]
  printTable(`At rest, each over ${MEASURE_MS / 1_000} s`, rows)
  const figures = [
    { name: 'home, main thread', value: homeRow['main thread %'], unit: '%', atMost: 2 },
    { name: 'room, main thread', value: between['main thread %'], unit: '%', atMost: 3 },
    { name: 'home, calls', value: homeRow['calls a minute'], unit: 'a minute', atMost: 2 },
    { name: 'room, layout shift', value: shift, unit: '', atMost: 0 },
  ]
  report('at-rest', figures, { rows })
} finally {
  await browser.close()
  await product.stop()
}

type Opened = { page: Page; devTools: CDPSession; calls: () => number }

async function openPage(player: BenchPlayer, path: string): Promise<Opened> {
  // The scale is a phone's: on a coarser screen Chromium scrolls text by its main thread.
  const page = await phonePage(browser, product, { player, script: SHIFT_SCRIPT, scale: 3 })
  await page.route('**/api/index/index*', async (route) => {
    // Rounds last an hour here, so that nobody has won yet.
    const reply = await (await route.fetch()).json()
    await route.fulfill({ json: { ...reply, data: { ...reply.data, winners: winsOfADay() } } })
  })
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls += 1
  })
  await page.goto(path)
  await sleep(SETTLE_MS)
  // Only now: the page's first process is another one.
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable')
  return { page, devTools, calls: () => calls }
}

function winsOfADay() {
  const now = Math.floor(Date.now() / 1_000)
  return Array.from({ length: WINS }, (_, at) => ({
    nickname: `player${at}`,
    game_name: 'DOT',
    profit: `${2_000 - at}.00`,
    createtime: now - at * 600,
  }))
}

/** Shares of the time that is measured from now on, in per cent. */
async function measure(name: string, { devTools, calls }: Opened) {
  const [before, callsBefore] = [await metricsOf(devTools), calls()]
  await sleep(MEASURE_MS)
  const after = await metricsOf(devTools)
  const grown = (metric: string) => (after.get(metric) ?? Number.NaN) - (before.get(metric) ?? 0)
  return {
    name,
    'main thread %': (100 * grown('TaskDuration')) / grown('Timestamp'),
    'script %': (100 * grown('ScriptDuration')) / grown('Timestamp'),
    'calls a minute': (60_000 * (calls() - callsBefore)) / MEASURE_MS,
  }
}

async function metricsOf(devTools: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await devTools.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}
