/**
 * Goal: the screens of past rounds show what the product says: the charts, the trend table, the
 * list of draws, the rules, and a bet's own page.
 * Method: a member's session in a real browser over the real stack, whose rounds are played by moving its clock; a
 * day's rounds are put into the server's answers.
 */
import type { Page } from '@playwright/test'
import { playRound } from '../apps/server/testing/play-round.ts'
import { openFront } from './front.ts'
import {
  actAs,
  expect,
  post,
  registerMember,
  richMember,
  type Stack,
  silenceGames,
  tab,
  test,
} from './stack.ts'

const GAMES = ['DOT', 'BCH', 'ETH', 'BTC']

/** Twelve draws of a past day, newest first. */
const DRAWS = Array.from({ length: 12 }, (_, at) => {
  const sum = 24 - at
  const [size, parity] = [sum >= 14 ? 'long' : 'short', sum % 2 === 1 ? 'odd' : 'even']
  const [first, second] = [Math.min(9, sum), Math.min(9, Math.max(0, sum - 9))]
  return {
    issue: `20260102${String(100 - at).padStart(3, '0')}`,
    ...{ site_1: first, site_2: second, site_3: sum - first - second, code: sum },
    ...{ base: [size, parity], join: `${size}-${parity}`, status: 'drawn' },
    drawn_at: 1_767_340_000 - at * 210,
  }
})

async function member(page: Page, stack: Stack, name: string): Promise<void> {
  await actAs(page.context(), await registerMember(stack, name), 'en')
}

/** Answers each request for draws with the twelve; returns the requests as they come. */
async function withDraws(page: Page): Promise<Record<string, unknown>[]> {
  const requests: Record<string, unknown>[] = []
  await page.route('**/api/Lottery/issueList', (route) => {
    const fields = route.request().postDataJSON() as Record<string, unknown>
    requests.push(fields)
    const data = fields.page ? { list: DRAWS, total: DRAWS.length, page: 1 } : DRAWS
    return route.fulfill({ json: { code: 1, msg: '', time: '0', data } })
  })
  return requests
}

test('the charts have a tab for each game, candles, and a legend of six types', async ({
  page,
  stack,
}) => {
  await member(page, stack, 'chart_reader')
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
  stack,
}) => {
  await member(page, stack, 'trend_reader')
  const requests = await withDraws(page)
  await page.goto('/trendChart?game_id=2&name=BCH&date=2026-01-02')
  await expect(page.getByRole('tab')).toHaveText(GAMES)
  await expect(page.getByRole('tab', { name: 'BCH' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['Round', 'Sum'],
    ...['Long odd', 'Short odd', 'Long even', 'Short even', 'Long', 'Short', 'Odd', 'Even'],
  ])
  await expect(page.getByRole('row', { name: /100 24 / })).toHaveCount(1)
  // Requests for a day; others repeatedly ask for the latest draws.
  const days = () => requests.filter(({ date }) => date !== undefined)
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
  stack,
}) => {
  await member(page, stack, 'draw_lister')
  const requests = await withDraws(page)
  // A real draw meanwhile could be the same.
  await silenceGames(page)
  await page.goto('/lotteryDetail?game_id=3&name=Forged')
  await expect(page.getByRole('img', { name: '9, 9, 6: sum 24' })).toBeVisible()
  expect(String(requests[0]?.game_id)).toBe('3')
  await expect(page.getByRole('banner')).toContainText('ETH')
  await expect(page.getByText('Forged')).toHaveCount(0)
})

test('the rules are the same for members and, at /rules, for everybody', async ({
  page,
  stack,
}) => {
  await page.goto('/rules')
  await expect(page.getByRole('heading', { name: 'Odds, chance and return' })).toBeVisible()
  const open = await page.locator('main').textContent()
  expect(open).toMatch(/voided/i)
  await member(page, stack, 'rule_reader')
  await page.goto('/lotteryExplain')
  await expect(page.getByRole('heading', { name: 'Odds, chance and return' })).toBeVisible()
  expect(await page.locator('main').textContent()).toBe(open)
})

test('a bet’s own page shows everything from the order to the proof', async ({ page, stack }) => {
  const player = await richMember(stack, 'bet_owner', 500)
  await actAs(page.context(), player, 'en')
  const room = { plan_id: 41, game_id: 4 }
  let orderNo = ''
  const issue = await playRound(stack, async (issue) => {
    const order = { ...room, issue, play_type: '[1,413]', money: '100' }
    const placed = await post(stack, '/api/Lottery/playOrder', order, player.token)
    orderNo = (placed.data as { orderNo: string }).orderNo
  })
  const { data } = await post(stack, '/api/user/orderInfo', { orderNo }, player.token)
  const bet = data as { status: number; profit: string; lottery_code: string }
  expect(bet.status).toBe(1)

  await page.goto('/BetRecord')
  await page
    .getByRole('link', { name: new RegExp(`Round .*${Number(issue.slice(8))}`) })
    .first()
    .click()
  await expect(page).toHaveURL(/\/betDetail\?item=/)
  const all = page.locator('main')
  const won = Number(bet.profit) > 0
  await expect(all).toContainText(won ? 'Won' : 'Not profitable')
  const [first, second, third, sum] = bet.lottery_code.split(' ')
  await expect(
    page.getByRole('img', { name: `${first}, ${second}, ${third}: sum ${sum}` }).first(),
  ).toBeVisible()
  for (const words of [
    /BTC · Basic/,
    /Long[\s\S]*1\.92[\s\S]*100\.00/,
    /Staked\s*200\.00/,
    /Paid out/,
    /Profit/,
    /Balance before the bet\s*500\.00/,
    /Balance after the stake\s*300\.00/,
    new RegExp(`Round\\s*${issue}`),
    /Time\s*\S/,
    /Settled\s*\S/,
    new RegExp(`Order number\\s*${orderNo}`),
    /Game and room no\.\s*4 · 41/,
    /Rules version\s*1/,
  ]) {
    await expect(all).toContainText(words)
  }
  await expect(page.getByRole('button', { name: 'Save receipt' })).toBeVisible()
})

type Draw = { issue: string; code: string }

/** Plays a round, and returns its draw in a game. */
async function nextDraw(stack: Stack, gameId: number): Promise<Draw> {
  const issue = await playRound(stack)
  const { data } = await post(stack, '/api/Lottery/index', { game_id: gameId })
  const [game] = (data as { gameList: Game[] }).gameList
  expect(game?.issue.last_issue).toBe(issue)
  return { issue, code: game?.issue.last_code ?? '' }
}

type Game = { issue: { last_issue: string; last_code: string } }

/** The label of a draw's tiles. */
function tilesOf({ code }: Draw): string {
  const [first, second, third, sum] = code.split(' ')
  return `${first}, ${second}, ${third}: sum ${sum}`
}

/** Times at which a page requested a path. */
function requestTimes(page: Page, path: string): number[] {
  const times: number[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) times.push(Date.now())
  })
  return times
}

/** Waits until a page's stream of the games is open. */
async function untilStreaming(page: Page, address: string): Promise<void> {
  const opened = page.waitForResponse(/Lottery\/gamesStream/)
  await page.goto(address)
  expect((await opened).status()).toBe(200)
}

/** The numbers of the rounds in a trend table, newest first. */
async function roundsIn(page: Page): Promise<number[]> {
  const rows = page.locator('tbody').getByRole('rowheader')
  return (await rows.allTextContents()).map(Number)
}

test('a draw appears in the trend table, the candles and home as it happens, without polling', async ({
  context,
  stack,
}) => {
  await actAs(context, await registerMember(stack, 'draw_watcher'), 'en')
  const [home, find, trend] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ]
  await untilStreaming(home, '/')
  await untilStreaming(find, '/find?game_id=1')
  await untilStreaming(trend, '/trendChart?game_id=1&name=DOT')
  await expect(find.getByLabel(/^Candlestick chart of DOT/)).toBeVisible()
  await expect(trend.getByRole('table')).toBeVisible()
  const first = await nextDraw(stack, 1)
  const number = first.issue.slice(8)
  await expect(find.getByRole('heading', { name: `Round ${number}` })).toBeVisible()

  const pages = [home, find, trend]
  const lists = pages.map((page) => requestTimes(page, '/api/Lottery/issueList'))
  const lobbies = pages.map((page) => requestTimes(page, '/api/Lottery/index'))
  const draw = await nextDraw(stack, 1)
  const round = draw.issue.slice(8)
  await Promise.all([
    expect(home.getByRole('link', { name: /DOT/ })).toContainText(round),
    expect(
      home.getByRole('link', { name: /DOT/ }).getByRole('img', { name: tilesOf(draw) }),
    ).toBeVisible(),
    expect(find.getByRole('heading', { name: `Round ${round}` })).toBeVisible(),
    expect(find.getByRole('img', { name: tilesOf(draw) })).toBeVisible(),
    expect(trend.getByRole('rowheader', { name: round, exact: true })).toBeVisible(),
  ])
  expect((await roundsIn(trend)).slice(0, 2)).toEqual([Number(round), Number(round) - 1])
  expect({ lists, lobbies }).toEqual({ lists: [[], [], []], lobbies: [[], [], []] })
})

test('when the stream breaks, rounds continue by polling, none lost or repeated', async ({
  page,
  context,
  stack,
  console,
}) => {
  const front = await openFront(stack)
  await actAs(context, await registerMember(stack, 'cut_off'), 'en')
  await playRound(stack)
  await untilStreaming(page, `${front.url}/trendChart?game_id=1&name=DOT`)
  await expect(page.getByRole('table')).toBeVisible()

  // Every connection breaks; afterwards requests work again, but no stream is answered.
  await page.route('**/api/Lottery/gamesStream*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: ': no data\n\n' }),
  )
  const lobbies = requestTimes(page, '/api/Lottery/index')
  await front.shut()
  await front.open()
  await expect.poll(() => lobbies.length).toBeGreaterThan(2)
  const polled = await nextDraw(stack, 1)
  await expect(
    page.getByRole('rowheader', { name: polled.issue.slice(8), exact: true }),
  ).toBeVisible()

  // The pause between attempts grows to at most half a minute.
  // Only the server's own answer has Cache-Control; those that this test makes have not.
  const opened = page.waitForResponse(
    (response) =>
      /Lottery\/gamesStream/.test(response.url()) &&
      response.ok() &&
      'cache-control' in response.headers(),
  )
  await page.unroute('**/api/Lottery/gamesStream*')
  expect((await opened).headers()['content-type']).toContain('text/event-stream')
  await expect(page.getByText('Connection lost')).toHaveCount(0)
  const drawn = await nextDraw(stack, 1)
  await expect(
    page.getByRole('rowheader', { name: drawn.issue.slice(8), exact: true }),
  ).toBeVisible()
  const rounds = await roundsIn(page)
  expect(rounds).toEqual(rounds.map((_, at) => Number(drawn.issue.slice(8)) - at))
  // An open page would report the end of the connection.
  await page.close()
  await front.shut()
  // Errors from loading while the connection was cut.
  console.splice(0)
})

test('a hidden page has no stream, and gets the news as soon as it is visible again', async ({
  page,
  context,
  stack,
}) => {
  await actAs(context, await registerMember(stack, 'looked_away'), 'en')
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
  await page.waitForTimeout(2_000)
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
  await page.waitForTimeout(3_000)
  expect(streams).toHaveLength(opened)
})
