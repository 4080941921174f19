/**
 * Goal: the hall shows each game's rooms as cards to swipe, and says why a room cannot be entered.
 * Method: a member's session in a real browser over the real stack.
 */
import type { Locator, Page } from '@playwright/test'
import { actAs, expect, registerMember, test, toastsSoFar } from './stack.ts'

type Lobby = { gameList: { planList: { type: number; robot_num: number }[] }[] }

test('a room that cannot be entered says why, or leads to the login', async ({
  page,
  context,
  stack,
}) => {
  await actAs(context, await registerMember(stack, 'door_knocker'), 'en')
  let reply = { code: 0, msg: 'Closed for cleaning', time: '0', data: { reason: 'fault' } }
  await page.goto('/lottery?game=3')
  await page.route('**/api/user/userInfo', (route) => route.fulfill({ json: reply }))
  const basic = page.getByRole('button', { name: /^Basic/ })
  // A press may join a call that has begun before, and gets its answer; then press again.
  await expect(async () => {
    await basic.click()
    await expect.poll(() => toastsSoFar(page), { timeout: 5_000 }).toContain('Closed for cleaning')
  }).toPass()
  await expect(page).toHaveURL(/\/lottery/)
  reply = { ...reply, msg: '您好,请先登录' }
  await expect(async () => {
    if (await basic.isVisible()) await basic.click({ timeout: 5_000 })
    await expect.poll(() => toastsSoFar(page), { timeout: 5_000 }).toContain('Please log in')
  }).toPass()
  await expect(page).toHaveURL(/\/login$/)
})

test('a game has four rooms, each with its robots and its two limits', async ({
  page,
  context,
  stack,
}) => {
  await actAs(context, await registerMember(stack, 'hall_walker'), 'en')
  // This stack has no robots.
  await page.route('**/api/Lottery/gamesStream*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: ': the lobby tells\n\n' }),
  )
  await page.route('**/api/Lottery/index', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: Lobby }
    for (const { planList } of reply.data.gameList) {
      for (const plan of planList) plan.robot_num = plan.type * 3
    }
    await route.fulfill({ response, json: reply })
  })
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

test('swiping moves from one card of a game’s rooms to the next', async ({ page, stack }) => {
  await actAs(page.context(), await registerMember(stack, 'swiper'), 'en')
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
