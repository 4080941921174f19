/** Goal: the hall, the charts, the trend table, the draws and the rules show what the product says. */
import type { Locator, Page } from '@playwright/test'
import { gamesStream } from '@sum28/contract/stream.ts'
import type { OpenStream } from '../../apps/web/src/testing/contract-mock.ts'
import { actAs, expect } from '../browser.ts'
import { GAMES as GAMES_OF_LOBBY, HEART, MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

test.beforeEach(({ context }) => actAs(context, MEMBER))

test('swiping moves from one card of a game’s rooms to the next', async ({ page }) => {
  await page.goto('/lottery')
  const card = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
  const [first, second] = [card('Basic'), card('Senior')] as const
  await expect(first).toBeInViewport({ ratio: 0.9 })
  // Before the cards are ready a swipe has no effect; then swipe again.
  await expect(async () => {
    await swipeLeft(page, first)
    await expect(second).toBeInViewport({ ratio: 0.9, timeout: 2_000 })
  }).toPass()
  await expect(first).not.toBeInViewport({ ratio: 0.9 })
})

/** A finger's swipe to the left over three quarters of the element, one step a frame. */
async function swipeLeft(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('what is to be swiped is not on the screen')
  const session = await page.context().newCDPSession(page)
  const at = (part: number) => ({ touchPoints: [{ x: box.x + box.width * part, y: box.y + 20 }] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(0.9) })
  for (let part = 0.85; part >= 0.15; part -= 0.05) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(part) })
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

const GAMES = ['DOT', 'BCH', 'ETH', 'BTC']

test('the charts have a tab for each game, candles, and a legend of six types', async ({
  page,
}) => {
  await page.goto('/find')
  await expect(page.getByRole('tab')).toHaveText(GAMES)
  await expect(page.getByLabel(/^Candlestick chart of DOT/)).toBeVisible()
  const legend = page.getByRole('group', { name: 'Shown in the chart' }).getByRole('button')
  await expect(legend).toHaveText([
    'Long',
    'Short',
    'Long-odd',
    'Long-even',
    'Short-odd',
    'Short-even',
  ])
  await page.getByRole('tab', { name: 'BTC' }).click()
  await expect(page.getByLabel(/^Candlestick chart of BTC/)).toBeVisible()
})

test('the chart is zoomed by buttons, too', async ({ page }) => {
  await page.goto('/find')
  const chart = page.getByLabel(/^Candlestick chart of DOT/)
  const picture = async () => (await chart.screenshot()).toString('base64')
  await expect(async () => expect(await picture()).toBe(await picture())).toPass()
  for (const name of ['Zoom in', 'Zoom out']) {
    const before = await picture()
    await page.getByRole('button', { name }).click()
    await expect.poll(picture).not.toBe(before)
  }
})

test('a chosen round of the chart is said to screen readers, and nothing while none is chosen', async ({
  page,
}) => {
  await page.goto('/find')
  const said = page.getByRole('main').getByRole('status').first()
  await expect(page.getByRole('heading', { name: 'Round 300' })).toBeVisible()
  await expect(said).toHaveText('')
  await page.getByRole('button', { name: 'Earlier round' }).click()
  await expect(said).toHaveText(/^Round 299: \d, \d, \d: sum \d+$/)
  await page.getByRole('button', { name: 'Latest', exact: true }).click()
  await expect(said).toHaveText('')
})

test('a chosen round of the chart that no witness saw is marked', async ({ page }) => {
  await page.goto('/find')
  const mark = page.getByRole('region', { name: 'DOT' }).getByText('Not witnessed').first()
  await expect(page.getByRole('heading', { name: 'Round 300' })).toBeVisible()
  await expect(mark).toBeHidden()
  await page.getByRole('button', { name: 'Earlier round' }).click()
  await expect(mark).toBeVisible()
})

test('a draw that comes is in chart and table only after its tiles have turned', async ({
  page,
  mock,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const { promise: opening, resolve } = Promise.withResolvers<OpenStream<typeof gamesStream>>()
  mock.onOpen(gamesStream, (opened) => {
    opened.send('begin', GAMES_OF_LOBBY)
    resolve(opened)
  })
  await page.goto('/find')
  await expect(page.getByLabel(/^Candlestick chart of DOT, 39 rounds/)).toBeVisible()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.evaluate(`
    window.shown = []
    const look = () => {
      const [head, row] = ['h2', 'tbody th'].map((part) => document.querySelector(part).textContent)
      const [count] = document.querySelector('[aria-label^=Candlestick]').ariaLabel.match(/\\d+/)
      const words = [head, row, count].join()
      if (words !== shown.at(-1)) shown.push(words)
    }
    look()
    const all = { subtree: true, childList: true, characterData: true, attributes: true }
    new MutationObserver(look).observe(document.body, all)`)
  const { send } = await opening
  const draw = HEART.last_issue
  if (draw) send('draws', [{ ...draw, issue: String(Number(draw.issue) + 1), game_id: 1 }])
  await expect(page.getByRole('link', { name: 'Check the draw of round 301' })).toBeVisible()
  expect(await page.evaluate('shown')).toEqual([
    'Round 300,300,39',
    'Round 301,300,39',
    'Round 301,301,40',
  ])
})

test('with the system’s colours alone, hits and what is chosen are told from the rest', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/trendChart?game_id=2&name=BCH')
  const hit = page.getByRole('cell', { name: 'hit' }).first()
  const miss = page.getByRole('cell', { name: /^[1-9]/ }).first()
  const look = (part: Locator) =>
    part.evaluate((element) => {
      const { backgroundColor: ground, outlineWidth: line } = getComputedStyle(element)
      return { ground, line }
    })
  expect((await look(hit)).ground).not.toBe((await look(miss)).ground)
  const [chosen, other] = [true, false].map((selected) =>
    page.getByRole('tab', { selected }).first(),
  )
  expect(await look(chosen as Locator)).toMatchObject({ line: '3px' })
  expect(await look(other as Locator)).toMatchObject({ line: '1px' })
})

test('with the system’s colours alone, the candles are told from their ground', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/find')
  // Whether a pixel has a colour and is not grey; of a copy, for the browser warns of reading often.
  const coloured = () =>
    page.evaluate(`[...document.querySelectorAll('[aria-label^=Candlestick] canvas')].some((canvas) => {
      const { width, height } = canvas
      if (width * height === 0) return false
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
      copy.drawImage(canvas, 0, 0)
      const { data } = copy.getImageData(0, 0, width, height)
      return data.some((red, at) => at % 4 === 0 && Math.abs(red - data[at + 2]) > 40)
    })`)
  await expect.poll(coloured).toBe(true)
})

declare function getComputedStyle(
  element: unknown,
): Record<'backgroundColor' | 'outlineWidth', string>
