/**
 * The bet room on a slow phone: the built app in a real browser whose processor is slowed down four times, in a room
 * with a full feed in which ten bets a second arrive. Opening the panel and typing are measured with real touches and
 * keys, from the input to the next painted frame (Event Timing); frames are counted. So are the first opening and the
 * first key in pages that were slow from their beginning.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '../../tools/chromium-args.ts'
import { until } from '../cluster/parts.ts'
import { phonePage, prepareBrowser } from './browser.ts'
import { type BenchPlayer, betsBy, startProduct } from './product.ts'
import { isShort, median, report } from './report.ts'

const SLOWER = 4
const ROWS = 300
const ROWS_A_SECOND = 10
const MEASURE_MS = isShort ? 2_000 : 10_000
const TURNS = isShort ? 2 : 9
const PLAYERS = 40
/**
 * How long a player looks at a newly opened page before the first touch, one page each. After about
 * six seconds the browser is storing the app for use without a network.
 */
const LOOKS_MS = isShort ? [3_000] : [3_000, 7_000, 3_000, 7_000, 3_000, 7_000]
/** How long a quick finger stays on a button. */
const FINGER_MS = 70

const PAGE_SCRIPT = readFileSync(new URL('slow-phone-page.mjs', import.meta.url), 'utf8')

const executablePath = await prepareBrowser()
const product = await startProduct(1 + PLAYERS)
const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
try {
  const [watcher, ...players] = product.players as [BenchPlayer, ...BenchPlayer[]]
  const bet = await betsBy(product, players)
  // One page at a time, as on a phone: slowing a page down keeps a processor busy.
  const first = await firstTimes(watcher)
  const page = await openRoom(watcher)
  for (let placed = 0; placed < ROWS; placed += PLAYERS) {
    await Promise.all(Array.from({ length: PLAYERS }, bet))
  }
  const rowsNow = () => page.locator('tbody tr').count()
  await until('the feed is full', async () => (await rowsNow()) > 0.9 * ROWS)
  await slowDown(page)
  const feed = setInterval(() => void bet().catch(() => {}), 1_000 / ROWS_A_SECOND)
  const frames = await page.evaluate<number>(`measured.framesASecond(${MEASURE_MS})`)
  const inputs = {
    'the first opening of a page': first.opening,
    'the first key of a page': first.key,
    'opening the panel': await openings(page),
    'typing an amount': await typing(page),
  }
  clearInterval(feed)

  const figures = [
    ...Object.entries(inputs).flatMap(([name, times]) => [
      { name: `${name}, median`, value: median(times), unit: 'ms' },
      {
        name: `${name}, worst of ${times.length}`,
        unit: 'ms',
        atMost: 100,
        value: Math.max(...times),
      },
    ]),
    { name: 'frames', value: frames, unit: '/s', atLeast: 50 },
  ]
  report('slow-phone', figures)
} finally {
  await browser.close()
  await product.stop()
}

async function openRoom(player: BenchPlayer): Promise<Page> {
  const page = await phonePage(browser, product, { player, script: PAGE_SCRIPT })
  await page.goto('/betRoom?id=11&game_id=1&name=DOT&title=Basic')
  await page.getByRole('button', { name: 'Buy', exact: true }).waitFor()
  return page
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await sleep(2_000)
}

/** The time of the slowest event of an action, from the input to the next frame. */
async function inputMs(page: Page, act: () => Promise<void>): Promise<number> {
  // Earlier look-ups in the page are done by then.
  await sleep(300)
  const since = await page.evaluate('performance.now()')
  await act()
  await sleep(700)
  return page.evaluate<number>(`measured.slowestInputMs(${since})`)
}

/**
 * A tap at a known place: finding the button would cost the page work. The finger stays on it as
 * long as a quick one does; its touch and its release are each measured.
 */
async function buyTap(page: Page): Promise<() => Promise<void>> {
  const buy = await page.getByRole('button', { name: 'Buy', exact: true }).boundingBox()
  if (!buy) throw new Error('there is no buy button')
  const session = await page.context().newCDPSession(page)
  const finger = { x: buy.x + buy.width / 2, y: buy.y + buy.height / 2 }
  return async () => {
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] })
    await sleep(FINGER_MS)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
}

/** The first opening and the first key in pages that were slow from their beginning. */
async function firstTimes(player: BenchPlayer): Promise<{ opening: number[]; key: number[] }> {
  const times = { opening: [] as number[], key: [] as number[] }
  for (const lookMs of LOOKS_MS) {
    const page = await openRoom(player)
    await slowDown(page)
    await sleep(lookMs)
    times.opening.push(await inputMs(page, await buyTap(page)))
    await choose(page)
    times.key.push(await inputMs(page, () => page.keyboard.press('1')))
    await page.context().close()
  }
  return times
}

async function openings(page: Page): Promise<number[]> {
  const tap = await buyTap(page)
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    times.push(await inputMs(page, tap))
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  return times
}

async function typing(page: Page): Promise<number[]> {
  await page.getByRole('button', { name: 'Buy', exact: true }).tap()
  await choose(page)
  const times: number[] = []
  for (const key of '123456.78'.slice(0, TURNS)) {
    times.push(await inputMs(page, () => page.keyboard.press(key)))
  }
  return times
}

/** Chooses an outcome in the open panel, and goes to the amount. */
async function choose(page: Page): Promise<void> {
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: /^Long [\d.]+$/ }).tap()
  await panel.getByLabel('Amount on each outcome').tap()
  await sleep(700)
}
