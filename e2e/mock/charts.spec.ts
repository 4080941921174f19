/** Goal: the screens of past rounds show what the product says: the charts, the trend table, the draws, the rules. */
import { issueList } from '@sum28/contract/lottery-routes.ts'
import { actAs, expect, requestTimes, tab, untilStreaming } from '../browser.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

const GAMES = ['DOT', 'BCH', 'ETH', 'BTC']

test.beforeEach(({ context }) => actAs(context, MEMBER))

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
