/** Goal: the hall, the charts, the trend table, the draws and the rules show what the product says. */
import type { Locator, Page } from '@playwright/test'
import { issueList } from '@sum28/contract/lottery-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { actAs, expect, expectToast, requestTimes, tab, untilStreaming } from '../browser.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

test.beforeEach(({ context }) => actAs(context, MEMBER))

test('a room that cannot be entered says so in one sentence, or leads to the login', async ({
  page,
  mock,
}) => {
  mock.refuse(userInfo, { reason: 'fault', msg: 'Closed for cleaning' })
  await page.goto('/lottery?game=3')
  const basic = page.getByRole('button', { name: /^Basic/ })
  await basic.click()
  await expectToast(page, 'Something went wrong. Please try again.')
  await expect(page).toHaveURL(/\/lottery/)
  mock.refuse(userInfo, { reason: 'fault', msg: '您好,请先登录' })
  await basic.click()
  await expectToast(page, 'Please log in')
  await expect(page).toHaveURL(/\/login$/)
})

test('a game has four rooms, each with its robots and its two limits', async ({ page }) => {
  await page.goto('/lottery')
  const games = page.getByRole('tab')
  await expect(games).toHaveText(['DOT', 'BCH', 'ETH', 'BTC'])
  for (const [title, robots, least, entry] of [
    ['Basic', 'None', '100.00', '100.00'],
    ['Senior', '3', '200.00', '1,000.00'],
    ['Master', '6', '500.00', '5,000.00'],
    ['Expert', '9', '1,000.00', '20,000.00'],
  ] as const) {
    const card = page.getByRole('button', { name: new RegExp(`^${title}`) })
    await expect(card).toContainText(new RegExp(`Robots\\s*${robots}(?!\\d)`))
    await expect(card).toContainText(new RegExp(`Minimum investment\\s*${least}`))
    await expect(card).toContainText(new RegExp(`Minimum entry\\s*${entry}`))
  }
})

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

test('the trend table has eight columns and a choice of game, and loads the chosen day', async ({
  page,
  mock,
}) => {
  await page.goto('/trendChart?game_id=2&name=BCH&date=2026-01-02')
  await expect(page.getByRole('tab')).toHaveText(GAMES)
  await expect(page.getByRole('tab', { name: 'BCH' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['Round', 'Sum'],
    ...['Long odd', 'Short odd', 'Long even', 'Short even', 'Long', 'Short', 'Odd', 'Even'],
  ])
  await expect(page.getByRole('row', { name: /300 2 / })).toHaveCount(1)
  // Requests for a day; others repeatedly ask for the latest draws.
  const days = () => mock.requestsOf(issueList).flatMap(({ input }) => (input.date ? [input] : []))
  expect(days().map(({ date, game_id }) => [date, String(game_id)])).toEqual([['2026-01-02', '2']])

  await page.getByRole('button', { name: /^Day shown/ }).click()
  const field = page.getByRole('dialog').getByLabel('Day', { exact: true })
  await expect(field).toHaveAttribute('min', '2018-01-01')
  expect(await field.getAttribute('max')).toMatch(/^\d{4}-\d\d-\d\d$/)
  await field.fill('2026-01-01')
  await page.getByRole('button', { name: 'Show this day' }).click()
  await expect.poll(() => days().at(-1)?.date).toBe('2026-01-01')
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

test('past rounds of the game in the URL are listed with digits and sum', async ({
  page,
  mock,
}) => {
  await page.goto('/lotteryDetail?game_id=3&name=Forged')
  await expect(page.getByRole('img', { name: '7, 3, 3: sum 13' }).first()).toBeVisible()
  expect(mock.requestsOf(issueList)[0]?.input.game_id).toBe(3)
  await expect(page.getByRole('banner')).toContainText('ETH')
  await expect(page.getByText('Forged')).toHaveCount(0)
})

test('the rules are the same for members and, at /rules, for everybody', async ({ page }) => {
  const textAt = async (path: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Odds, chance and return' })).toBeVisible()
    return page.locator('main').textContent()
  }
  const open = await textAt('/rules')
  expect(open).toMatch(/voided/i)
  expect(await textAt('/lotteryExplain')).toBe(open)
})

test('a hidden page has no stream, and gets the news as soon as it is visible again', async ({
  page,
}) => {
  await page.clock.install()
  await untilStreaming(page, '/find')
  const streams = requestTimes(page, '/api/Lottery/gamesStream')
  const ended = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('gamesStream'),
  )
  const see = (hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
       document.dispatchEvent(new Event('visibilitychange'))`,
    )
  await see(true)
  await ended
  await page.clock.fastForward(60_000)
  expect(streams).toEqual([])
  const lobbies = requestTimes(page, '/api/Lottery/index')
  await see(false)
  await expect.poll(() => streams.length > 0 && lobbies.length > 0).toBe(true)
  // The same stream stays open from screen to screen.
  await tab(page, 'Charts').click()
  await expect(page.getByRole('heading', { name: /^Round/ }).first()).toBeVisible()
  const opened = streams.length
  await tab(page, 'Home').click()
  await expect(page.getByRole('region', { name: /Games/ })).toBeVisible()
  await page.clock.fastForward(3_000)
  expect(streams).toHaveLength(opened)
})

declare function getComputedStyle(
  element: unknown,
): Record<'backgroundColor' | 'outlineWidth', string>
