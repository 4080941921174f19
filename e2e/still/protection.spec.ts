/**
 * Goal: the protection of a player works in a browser, from the screen that sets it to its effects: a break, and the
 * shown balance. Method: a change on one screen is checked on other screens and devices.
 */
import type { Page } from '@playwright/test'
import { giveMoney } from '../../apps/server/testing/database/fixtures.ts'
import { openIssue } from '../../apps/server/testing/product/play-round.ts'
import { href } from '../../apps/web/src/navigation/routes.ts'
import { actAs, choose, expect } from '../browser.ts'
import { type Player, post, type Stack, seat, test } from '../stack.ts'

const ROOM = { plan_id: 41, game_id: 4 }
const STAGE = href('room', { id: '41', game_id: '4', name: 'BTC', title: 'Basic' })

async function order(stack: Stack, { token }: Player, money: string) {
  const bet = { ...ROOM, issue: await openIssue(stack), play_type: '[1]', money }
  return post(stack, '/api/Lottery/playOrder', bet, token)
}

test('a break ends betting and depositing on another device, and withdrawing stays open', async ({
  page,
  context,
  anotherPage,
  stack,
}) => {
  const me = await seat(stack)
  await actAs(context, me)
  const device = await anotherPage()
  await actAs(device.context(), me)
  await device.goto(STAGE)
  await expect(device.getByRole('button', { name: 'Buy', exact: true })).toBeVisible()

  await page.goto(href('takeBreak'))
  await choose(page.getByRole('radio', { name: '1 week' }))
  await page.getByRole('button', { name: 'Continue' }).and(page.locator(':enabled')).click()
  const question = page.getByRole('alertdialog', { name: 'Begin this time-out?' })
  await expect(question).toContainText('What stays open')
  await question.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByText(/^Your time-out ends on/)).toBeVisible()

  expect(await order(stack, me, '100')).toMatchObject({ data: { reason: 'excluded' } })
  await device.goto(STAGE)
  // The panel opens until the page has heard of the break.
  const closed = device.getByRole('alertdialog', { name: 'You are on a break' })
  await expect(async () => {
    await device.keyboard.press('Escape')
    await device.getByRole('button', { name: 'Buy', exact: true }).click({ timeout: 2_000 })
    await expect(closed).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await device.goto(href('deposit', { group_id: '1' }))
  await expect(device.getByText('You are on a break')).toBeVisible()
  await expect(device.getByText('Your own deposit address')).toHaveCount(0)
  await device.goto(href('withdrawal', { group_id: '1' }))
  await expect(device.getByLabel('Amount')).toBeVisible()
})

test('home, lobby, room, deposit and withdrawal show a balance that changes while they are open', async ({
  context,
  stack,
}) => {
  const me = await seat(stack)
  await actAs(context, me)
  const screens = [
    href('home'),
    href('hall'),
    STAGE,
    href('deposit', { group_id: '1' }),
    href('withdrawal', { group_id: '1' }),
  ]
  const pages: Page[] = []
  for (const screen of screens) {
    const page = await context.newPage()
    await page.goto(screen)
    await expect(page.getByText('0.00').first()).toBeVisible()
    pages.push(page)
  }
  await giveMoney(stack.database.owner, { playerId: me.user_id, u: 77.25 })
  for (const page of pages) {
    // A page behind another one rests.
    await page.bringToFront()
    await expect(page.getByText('77.25').first()).toBeVisible()
  }
})
