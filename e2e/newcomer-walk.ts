/** The way of a newcomer on a phone, from the first screen to a draw that his own device has checked. */
import type { Page } from '@playwright/test'
import { moveToDraw, moveToSeal, openIssueFor } from '../apps/server/testing/product/play-round.ts'
import { expect, PASSWORD } from './browser.ts'
import { mailedCode, type Stack } from './stack.ts'

/** The screens on the way. */
export type WalkPart = 'first screen' | 'register' | 'deposit' | 'hall' | 'bet' | 'draw'

/** Seconds that the round is open for him. */
const OPEN_S = 90

/**
 * Walks through a stack whose clock the test moves. What is typed is no tap; every touch of the screen is one.
 *
 * @param seen called on each screen, once it shows what belongs to it
 * @returns the number of taps
 */
export async function walkOfNewcomer(
  page: Page,
  stack: Stack,
  seen: (part: WalkPart) => Promise<unknown> = async () => {},
): Promise<number> {
  let taps = 0
  await page.exposeBinding('tapped', () => {
    taps += 1
  })
  // Not at the window, where Playwright ends a press whose target has moved away, and then repeats it.
  await page.addInitScript(`document.addEventListener('pointerdown', () => window.tapped(), true)`)
  const email = 'new.comer@example.org'

  await page.goto('/')
  const start = page.getByRole('link', { name: 'Register', exact: true })
  await expect(start).toBeVisible()
  await seen('first screen')
  await start.click()

  await page.getByLabel('Username', { exact: true }).click()
  await page.keyboard.type('newcomer')
  await page.keyboard.press('Tab')
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  const code = await mailedCode(stack, email)
  // The mail may be there before the page has the reply.
  await expect(page.getByRole('textbox', { name: 'Verification code' })).toBeFocused()
  await page.keyboard.type(code)
  const password = page.getByLabel('Password', { exact: true })
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(password).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type(PASSWORD)
  await page.getByRole('checkbox', { name: /^I am 18/ }).check()
  await seen('register')
  await page.getByRole('button', { name: 'Create account' }).click()

  await page.getByRole('link', { name: /Deposit/ }).click()
  await page.getByRole('button', { name: 'Send test USDT' }).click()
  const play = page.getByRole('link', { name: 'To the rooms' })
  await expect(play).toBeVisible()
  await seen('deposit')
  await play.click()

  const room = page.getByRole('button', { name: /^Basic/ })
  await expect(room).toBeVisible()
  await seen('hall')
  await openIssueFor(stack, OPEN_S)
  await room.click()
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: /^Long [\d.]+$/ }).click()
  await panel.getByRole('button', { name: '+300 Add to the amount', exact: true }).click()
  await seen('bet')
  await panel.getByRole('button', { name: /Buy 1 for 300\.00 u/ }).click()
  await expect(panel).toBeHidden()

  await moveToDraw(stack, await moveToSeal(stack))
  await expect(page.getByText('Checked on this device').first()).toBeVisible()
  await seen('draw')
  return taps
}
