/** What the tests of a bet room share: the running round, and the room's parts. */
import type { Locator, Page } from '@playwright/test'
import { expect, expectToast } from './browser.ts'
import { type Player, post, type Stack } from './stack.ts'

export const ROOM = { game_id: 2, plan_id: 21 }
export const ADDRESS = `/betRoom?id=${ROOM.plan_id}&game_id=${ROOM.game_id}&name=BCH&title=Basic`

export async function balanceOf(stack: Stack, player: Player): Promise<number> {
  const { data } = await post(stack, '/api/user/userInfo', {}, player.token)
  return Number((data as { money: string }).money)
}

type Round = { issue: string; openTime1: number; whether_close: boolean }

export async function roundNow(stack: Stack): Promise<Round> {
  const { data } = await post(stack, '/api/Lottery/index', { game_id: ROOM.game_id })
  return (data as { gameList: { issue: Round }[] }).gameList[0]?.issue as Round
}

export async function betOf(
  stack: Stack,
  player: Player,
  money: number,
  rules: number[],
): Promise<void> {
  const { issue } = await roundNow(stack)
  const order = { ...ROOM, issue, play_type: JSON.stringify(rules), money }
  expect(await post(stack, '/api/Lottery/playOrder', order, player.token)).toMatchObject({
    code: 1,
  })
}

export async function enter(page: Page): Promise<void> {
  await page.goto(ADDRESS)
  await expect(page.getByText('to seal')).toBeVisible()
}

export const buyButton = (page: Page) => page.getByRole('button', { name: 'Buy', exact: true })
export const panelOf = (page: Page) => page.getByRole('dialog')
export const alertOf = (page: Page) => page.getByRole('alertdialog')
export const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

export async function choose(panel: Locator, ...names: string[]): Promise<void> {
  for (const name of names) {
    await panel.getByRole('button', { name: new RegExp(`^${name} [\\d.]+$`) }).click()
  }
}

/** Opens the panel; a tap while it is still closing would be ignored. */
export async function openPanel(page: Page): Promise<void> {
  await expect(async () => {
    if (!(await panelOf(page).isVisible())) await buyButton(page).click()
    await expect(panelOf(page)).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

/** Chooses outcomes and types an amount in an open room; returns the buy button. */
export async function prepare(page: Page, amount: string, ...names: string[]): Promise<Locator> {
  await openPanel(page)
  await choose(panelOf(page), ...names)
  await panelOf(page).getByLabel('Amount on each outcome').fill(amount)
  return panelOf(page).getByRole('button', { name: /^Buy \d+ for/ })
}

export async function expectPlaced(page: Page): Promise<void> {
  await expectToast(page, /^Bet placed\. Order/)
  await expect(panelOf(page)).toBeHidden()
}
