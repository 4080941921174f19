/** Goal: the hall shows each game's rooms as cards to swipe, and says why a room cannot be entered. */
import type { Locator, Page } from '@playwright/test'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { actAs, expect, expectToast } from '../browser.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

test.beforeEach(({ context }) => actAs(context, MEMBER))

test('a room that cannot be entered says why, or leads to the login', async ({ page, mock }) => {
  mock.refuse(userInfo, { reason: 'fault', msg: 'Closed for cleaning' })
  await page.goto('/lottery?game=3')
  const basic = page.getByRole('button', { name: /^Basic/ })
  await basic.click()
  await expectToast(page, 'Closed for cleaning')
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
  await swipeLeft(page, first)
  await expect(second).toBeInViewport({ ratio: 0.9 })
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
