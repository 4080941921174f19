/**
 * Goal: a page that the browser translates goes on: countdown, balance, odds and lists change, and nothing crashes.
 * Method: as the translators of browsers do, each text becomes new elements, and the page's own text node is taken out.
 */
import { config } from '@sum28/contract/index-routes.ts'
import { heart } from '@sum28/contract/lottery-routes.ts'
import { stream } from '@sum28/contract/stream.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { CONFIG, PROFILE } from '../../apps/web/src/testing/usual-replies.ts'
import { actAs, expect } from '../browser.ts'
import { feedEntry, HEART, MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'
import { translate } from '../translated-page.ts'

test('a room goes on while it is translated', async ({ page, context, mock }) => {
  let round = { ...HEART.issue, openTime1: 120 }
  let money = '1000.00'
  const message = [feedEntry(901, {})]
  mock.refuse(stream, { reason: 'too_many_requests', msg: 'By beats' })
  mock.answer(config, { ...CONFIG, heartbeat_ms: 300 })
  mock.answer(heart, () => ({
    ...HEART,
    issue: round,
    user_quantity: { ...HEART.user_quantity, money, buy: '50.00' },
    message,
  }))
  mock.answer(userInfo, () => ({ ...PROFILE, money }))
  await translate(page)
  await actAs(context, MEMBER)
  await page.goto('/betRoom?id=21&game_id=2')
  await expect(page.locator('font > font').getByText(/TO SEAL/)).toBeVisible()
  const timer = page.getByRole('timer').first()
  const shown = await timer.textContent()
  await expect(timer).not.toHaveText(shown ?? '')
  const facts = page.locator('dl').first()
  await expect(facts).toContainText('1,000.00')
  money = '1234.50'
  await expect(facts).toContainText('1,234.50')
  round = { ...round, openTime1: 0, whether_close: true }
  await expect(timer).toContainText(/DRAW IN|SEALED|CLOSED/)
  round = { ...round, issue: String(Number(round.issue) + 1), openTime1: 180, whether_close: false }
  await expect(timer).toContainText('2:')
  await expect(page.getByText(/this page could not be shown/i)).toHaveCount(0)
})
