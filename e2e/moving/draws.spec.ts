/**
 * Goal: a draw is shown as it happens, on each screen that shows draws, and a bet's own page shows all of the bet.
 * Method: rounds are played by moving the stack's clock.
 */
import type { Page } from '@playwright/test'
import { playRound } from '../../apps/server/testing/product/play-round.ts'
import { actAs, expect, requestTimes, untilStreaming } from '../browser.ts'
import { walkOfNewcomer } from '../newcomer-walk.ts'
import { post, type Stack, seat, test } from '../stack.ts'

test('a bet’s own page shows everything from the order to the proof', async ({ page, stack }) => {
  const player = await seat(stack, { u: 500 })
  await actAs(page.context(), player)
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

test('a newcomer comes from the first screen to a checked draw in 12 taps', async ({
  page,
  stack,
}) => {
  expect(await walkOfNewcomer(page, stack)).toBeLessThanOrEqual(12)
})

type Draw = { issue: string; code: string }

/** Plays a round, and returns its draw in a game; the board that shows it may be 200 ms old. */
async function nextDraw(stack: Stack, gameId: number): Promise<Draw> {
  const issue = await playRound(stack)
  let code = ''
  await expect(async () => {
    const { data } = await post(stack, '/api/Lottery/index', { game_id: gameId })
    const [game] = (data as { gameList: Game[] }).gameList
    expect(game?.issue.last_issue).toBe(issue)
    code = game?.issue.last_code ?? ''
  }).toPass()
  return { issue, code }
}

type Game = { issue: { last_issue: string; last_code: string } }

/** The label of a draw's tiles. */
function tilesOf({ code }: Draw): string {
  const [first, second, third, sum] = code.split(' ')
  return `${first}, ${second}, ${third}: sum ${sum}`
}

/** The numbers of the rounds in a trend table, newest first. */
async function roundsIn(page: Page): Promise<number[]> {
  const rows = page.locator('tbody').getByRole('rowheader')
  // No witness has seen them, which stands beside each number.
  return (await rows.allTextContents()).map((text) => Number.parseInt(text, 10))
}

test('a draw appears in the trend table, the candles and home as it happens, without polling', async ({
  context,
  stack,
}) => {
  await actAs(context, await seat(stack))
  await playRound(stack)
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
  const streams = pages.map((page) => requestTimes(page, '/api/Lottery/gamesStream'))
  const asked = () => [...lists, ...lobbies].flat().length > 0
  do {
    for (const times of [...lists, ...lobbies, ...streams]) times.length = 0
    const draw = await nextDraw(stack, 1)
    const round = draw.issue.slice(8)
    await Promise.all([
      expect(home.getByRole('link', { name: /DOT/ })).toContainText(round),
      expect(
        home.getByRole('link', { name: /DOT/ }).getByRole('img', { name: tilesOf(draw) }),
      ).toBeVisible(),
      expect(find.getByRole('heading', { name: `Round ${round}` })).toBeVisible(),
      expect(find.getByRole('img', { name: tilesOf(draw) })).toBeVisible(),
      expect(trend.getByRole('rowheader', { name: new RegExp(`^${round}`) })).toBeVisible(),
    ])
    expect((await roundsIn(trend)).slice(0, 2)).toEqual([Number(round), Number(round) - 1])
    // Only a page whose stream was cut off, as by a busy machine, may ask: it opens the stream again.
    if (asked()) await expect.poll(() => streams.flat().length).toBeGreaterThan(0)
  } while (asked())
})
