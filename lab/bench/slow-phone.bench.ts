/**
 * The bet room on a slow phone: the built app in a real browser whose processor is slowed down four
 * times, in a room with a full feed on a real server. Opening the panel and typing are measured
 * with real touches and keys, from the input to the next painted frame (Event Timing). Frames are
 * counted while ten bets a second arrive. Fails when a limit is exceeded.
 */
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '../../tools/chromium-args.ts'
import { prepareBrowser, sessionOf } from './browser.ts'
import { median, report } from './report.ts'
import { addMember, eventually, type Member, post, startStack } from './stack.ts'

const SLOWER = 4
const INPUT_MAX_MS = 100
const FRAMES_MIN = 50
const ROWS = 300
const ROWS_A_SECOND = 10
const MEASURE_MS = 10_000
const TURNS = 12
/**
 * How long a player looks at a newly opened page before the first touch, one page each. After about
 * six seconds the browser is storing the app for use without a network.
 */
const LOOKS_MS = [3_000, 7_000, 3_000, 7_000, 3_000, 7_000]
/** How long a quick finger stays on a button. */
const FINGER_MS = 70
/** A round that ends sooner is not used: its seal would keep the panel closed. */
const LEAST_LEFT_SECONDS = 4

const GAME_ID = 1
const ROOM_ID = 11
const RULES = [[1], [3, 11], [2, 4, 413], [14], [410, 411, 412, 413, 414]]

const PAGE_SCRIPT = new URL('slow-phone-page.mjs', import.meta.url)

const executablePath = await prepareBrowser()
const stack = await startStack()
const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
try {
  const [watcher, ...players] = await Promise.all(
    ['slow_phone', 'player_one', 'player_two', 'player_six'].map((name) => addMember(stack, name)),
  )
  if (!watcher) throw new Error('nobody watches')
  const bet = await betsBy(players)
  async function betOften(times: number): Promise<void> {
    for (let turn = 0; turn < times; turn += 20) {
      await Promise.allSettled(Array.from({ length: 20 }, bet))
    }
  }
  await betOften(60)
  // One page at a time, as on a phone: slowing a page down keeps a processor busy.
  const first = await firstTimes(watcher)
  const page = await openRoom(watcher)
  await betOften(ROWS)
  const rowsNow = () => page.locator('tbody tr').count()
  await eventually(async () => (await rowsNow()) > 270 || undefined)
  const session = await page.context().newCDPSession(page)
  const own = await ownWork(page, session, bet)
  const load = [loadavg()[0] ?? 0]
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await sleep(2_000)

  const quiet = { opening: await openings(page), typing: await typing(page) }
  const flow = startFlow(bet)
  await sleep(1_000)
  const frames = await page.evaluate<Frames>(`measured.countFrames(${MEASURE_MS})`)
  const rows = await rowsNow()
  const busy = { opening: await openings(page), typing: await typing(page) }
  const sent = await flow.stop()
  load.push(loadavg()[0] ?? 0)

  report(`A bet room with the processor slowed down ${SLOWER} times`, [
    ...input('the first opening of a page', first.opening),
    ...input('the first key of a page', first.key),
    ...input('opening the panel', quiet.opening),
    ...input('typing an amount', quiet.typing),
    ...input(`opening, ${ROWS_A_SECOND} rows/s`, busy.opening),
    ...input(`typing, ${ROWS_A_SECOND} rows/s`, busy.typing),
    // These do not include time that other programs take from the processor.
    { name: `own work of an opening, × ${SLOWER}`, value: own.openingMs * SLOWER, unit: 'ms' },
    { name: `own work of a key, × ${SLOWER}`, value: own.keyMs * SLOWER, unit: 'ms' },
    { name: `own work of the feed, × ${SLOWER}`, value: own.feedShare * SLOWER * 100, unit: '%' },
    { name: 'rows in the feed', value: rows, unit: 'rows' },
    { name: 'rows that came', value: sent, unit: 'rows/s' },
    { name: 'frames', value: frames.mean, unit: '/s' },
    { name: 'frames, worst second', value: frames.worst, unit: '/s' },
    // Above 1, programs wait for each other, and the figures include more than the app's work.
    {
      name: 'load of a processor of this machine',
      value: Math.max(...load) / availableParallelism(),
      unit: '',
    },
    { name: 'longest frame', value: frames.longestMs, unit: 'ms' },
  ])
  const worst = Math.max(
    ...[first.opening, first.key, quiet.opening, quiet.typing, busy.opening, busy.typing].flat(),
  )
  const held = worst < INPUT_MAX_MS && frames.mean >= FRAMES_MIN
  console.log(
    `  ${held ? 'Held' : 'NOT HELD'}: under ${INPUT_MAX_MS} ms, and ${FRAMES_MIN} frames a second`,
  )
  if (!held) process.exitCode = 1
} finally {
  await browser.close()
  await stack.stop()
}

function input(name: string, valuesMs: number[]) {
  return [
    { name: `${name}, median`, value: median(valuesMs), unit: 'ms' },
    { name: `${name}, worst of ${valuesMs.length}`, value: Math.max(...valuesMs), unit: 'ms' },
  ]
}

async function openRoom(member: Member): Promise<Page> {
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await context.addInitScript((kept) => {
    for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, String(value))
    localStorage.setItem('locale', 'en')
    localStorage.setItem('localetype', '3')
  }, sessionOf(member))
  await context.addInitScript({ path: fileURLToPath(PAGE_SCRIPT) })
  const page = await context.newPage()
  await page.goto(`/betRoom?id=${ROOM_ID}&game_id=${GAME_ID}&name=DOT&title=Basic`)
  await page.getByRole('button', { name: 'Buy', exact: true }).waitFor()
  return page
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

/** Waits for a round that accepts bets for some more seconds. */
async function untilTimeIsLeft(page: Page): Promise<void> {
  const clock = page.getByRole('timer').first()
  await eventually(async () => {
    const [, minutes, seconds] =
      /(\d+):(\d+)/.exec((await clock.getAttribute('aria-label')) ?? '') ?? []
    return Number(minutes) * 60 + Number(seconds) >= LEAST_LEFT_SECONDS || undefined
  })
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
async function firstTimes(member: Member): Promise<{ opening: number[]; key: number[] }> {
  const times = { opening: [] as number[], key: [] as number[] }
  for (const lookMs of LOOKS_MS) {
    const page = await openRoom(member)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await sleep(lookMs)
    await untilTimeIsLeft(page)
    times.opening.push(await inputMs(page, await buyTap(page)))
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: /^Long [\d.]+$/ }).tap()
    await panel.getByLabel('Amount on each outcome').tap()
    await sleep(700)
    times.key.push(await inputMs(page, () => page.keyboard.press('1')))
    await page.context().close()
  }
  return times
}

async function openings(page: Page): Promise<number[]> {
  const tap = await buyTap(page)
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    await untilTimeIsLeft(page)
    times.push(await inputMs(page, tap))
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  return times
}

async function typing(page: Page): Promise<number[]> {
  await untilTimeIsLeft(page)
  await page.getByRole('button', { name: 'Buy', exact: true }).tap()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: /^Long [\d.]+$/ }).tap()
  await panel.getByRole('button', { name: /^13 [\d.]+$/ }).tap()
  await panel.getByLabel('Amount on each outcome').tap()
  await sleep(700)
  const times: number[] = []
  for (const key of '123456.78'.slice(0, TURNS)) {
    times.push(await inputMs(page, () => page.keyboard.press(key)))
  }
  await panel.getByRole('button', { name: 'Clear the amount' }).tap()
  for (const name of [/^Long [\d.]+$/, /^13 [\d.]+$/]) {
    await panel.getByRole('button', { name }).tap()
  }
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  return times
}

/**
 * The work of the page's main thread at full speed, by its own clock: from a touch or a key to the
 * frames after it, and as a share of the time while ten rows a second arrive.
 */
async function ownWork(page: Page, session: CDPSession, bet: () => Promise<unknown>) {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  async function worked(act: () => Promise<unknown>): Promise<number> {
    const before = await taskMs()
    await act()
    return (await taskMs()) - before
  }
  async function taskMs(): Promise<number> {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  const twoFrames = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

  const openings: number[] = []
  const tap = await buyTap(page)
  for (let turn = 0; turn < 5; turn++) {
    await untilTimeIsLeft(page)
    openings.push(
      await worked(async () => {
        await tap()
        await twoFrames()
      }),
    )
    await sleep(500)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await untilTimeIsLeft(page)
  await page.getByRole('button', { name: 'Buy', exact: true }).tap()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: /^Long [\d.]+$/ }).tap()
  await panel.getByLabel('Amount on each outcome').tap()
  await sleep(500)
  const keys: number[] = []
  for (const key of '12345') {
    keys.push(
      await worked(async () => {
        await page.keyboard.press(key)
        await twoFrames()
      }),
    )
  }
  await panel.getByRole('button', { name: 'Clear the amount' }).tap()
  await panel.getByRole('button', { name: /^Long [\d.]+$/ }).tap()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })

  const flow = startFlow(bet)
  const begunAt = performance.now()
  const feedMs = await worked(() => page.evaluate('measured.countFrames(4000)'))
  const feedShare = feedMs / (performance.now() - begunAt)
  await flow.stop()
  return { openingMs: median(openings), keyMs: median(keys), feedShare }
}

type Frames = { mean: number; worst: number; longestMs: number }

/** Bets of a little over a hundred on various outcomes, by one player after the other. */
async function betsBy(players: Member[]): Promise<() => Promise<unknown>> {
  let placed = 0
  async function bet(): Promise<unknown> {
    const turn = placed++
    const reply = await post(stack, '/api/Lottery/index', { game_id: GAME_ID })
    const { gameList } = reply as { gameList: { issue: { issue: string } }[] }
    const order = {
      issue: gameList[0]?.issue.issue,
      plan_id: ROOM_ID,
      game_id: GAME_ID,
      play_type: JSON.stringify(RULES[turn % RULES.length]),
      money: 100 + (turn % 7),
    }
    return post(stack, '/api/Lottery/playOrder', order, {
      Token: String(players[turn % players.length]?.token),
    })
  }
  // A new server takes bets from the first round that begins after its start.
  await eventually(() => bet().catch(() => undefined))
  return bet
}

/** Places ten bets a second, evenly, until it is stopped; then returns the actual number a second. */
function startFlow(bet: () => Promise<unknown>): { stop: () => Promise<number> } {
  const begunAt = performance.now()
  const bets: Promise<unknown>[] = []
  const timer = setInterval(() => bets.push(bet().catch(() => {})), 1_000 / ROWS_A_SECOND)
  return {
    async stop() {
      clearInterval(timer)
      const seconds = (performance.now() - begunAt) / 1_000
      await Promise.all(bets)
      return bets.length / seconds
    },
  }
}
