/** Rooms and rounds in the operator's console: a change of odds, and a void round, by two persons each. */
import { openIssueFor, playRound } from '../../apps/server/testing/product/play-round.ts'
import { actAs, expect } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs } from '../console-people.ts'
import { type Player, post, type Stack, seat, test } from '../stack.ts'

test.use(DESKTOP)

test('odds are changed by two persons, within the allowed range, from the next round on', async ({
  page,
  anotherPage,
  stack,
}) => {
  await openAs(page, stack, 'owner')
  await page.getByRole('link', { name: 'Rooms', exact: true }).click()
  await page.getByRole('cell', { name: 'DOT' }).first().click()
  const odds = page.getByRole('textbox', { name: 'Odds of long', exact: true })
  const long = page.getByRole('row').filter({ has: odds })
  const propose = page.getByRole('button', { name: 'Propose the change' })
  await odds.fill('2.001')
  await expect(long).toContainText('1.0005')
  await expect(propose).toBeDisabled()
  await odds.fill('1.8')
  await expect(long).toContainText('0.9000')
  expect(await axeOf(page)).toEqual([])
  await propose.click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('a calmer room')
  await page.getByRole('dialog').getByRole('button', { name: 'Propose the change' }).click()
  await expect(page.getByText('waits: 1 of 2')).toBeVisible()
  expect(await axeOf(page)).toEqual([])

  const other = await anotherPage({ viewport: { width: 1024, height: 768 } })
  await openAs(other, stack, 'finance', '/proposals')
  const proposal = other.getByRole('row').filter({ hasText: 'a calmer room' })
  await proposal.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(other.getByRole('dialog')).toContainText(
    '1.92 (Return 0.9600) → 1.8 (Return 0.9000)',
  )
  await other.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click()
  await playRound(stack)
  await other.reload()
  await expect(proposal.getByText('effective', { exact: true })).toBeVisible()
  expect(await axeOf(other)).toEqual([])

  await page.reload()
  await expect(odds).toHaveValue('1.8')

  const room = await anotherPage({ viewport: { width: 390, height: 844 } })
  await actAs(room.context(), await seat(stack, { name: 'sees_new_odds' }))
  await openIssueFor(stack, 60)
  await room.goto(`${stack.url}/betRoom?id=11&game_id=1&name=DOT&title=Basic`)
  await room.getByRole('button', { name: 'Buy', exact: true }).click()
  const panel = room.getByRole('dialog', { name: /^Round/ })
  await expect(panel.getByRole('button', { name: 'Long 1.8' })).toBeVisible()
})

const ROOM = { game_id: 2, plan_id: 21 }

async function balanceOf(stack: Stack, player: Player): Promise<number> {
  const { data } = await post(stack, '/api/user/userInfo', {}, player.token)
  return Number((data as { money: string }).money)
}

test('two persons void a round, and its stakes are refunded', async ({
  page,
  anotherPage,
  stack,
}) => {
  const player = await seat(stack, { u: 500, name: 'refunded_ann' })
  await openAs(page, stack, 'owner')
  const other = await anotherPage({ viewport: { width: 1024, height: 768 } })
  await openAs(other, stack, 'finance')
  const issue = await openIssueFor(stack, 120)
  const order = { ...ROOM, issue, play_type: '[1,3]', money: 100 }
  expect(await post(stack, '/api/Lottery/playOrder', order, player.token)).toMatchObject({
    code: 1,
  })
  expect(await balanceOf(stack, player)).toBe(300)

  await page.getByRole('link', { name: 'Rounds', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'BCH' }).filter({ hasText: issue }).click()
  const bets = page.getByRole('row').filter({ hasText: 'players' })
  await expect(bets).toContainText('200.00 u')
  await page.getByRole('button', { name: 'Propose to void' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('the odds were wrong')
  await dialog.getByRole('button', { name: 'Propose to void' }).click()
  await expect(page.getByText('owner proposes it: the odds were wrong')).toBeVisible()
  // Who proposed it cannot confirm it.
  await expect(page.getByRole('button', { name: 'Confirm', exact: true })).toHaveCount(0)

  await goTo(other, '/rounds')
  const waiting = other.getByRole('row').filter({ hasText: 'void proposed' })
  await expect(waiting).toHaveCount(1)
  await waiting.click()
  await other.getByRole('button', { name: 'Confirm', exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(other.getByText('by two persons', { exact: true })).toBeVisible()
  expect(await axeOf(other)).toEqual([])

  await expect(bets.getByRole('cell', { name: '200.00 u' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Confirmed by finance')).toBeVisible()
  await expect.poll(() => balanceOf(stack, player)).toBe(500)
  const app = await anotherPage({ viewport: { width: 390, height: 844 } })
  await actAs(app.context(), player)
  await app.goto(`${stack.url}/CapitalDetail`)
  await expect(app.getByText('Refund', { exact: true }).first()).toBeVisible()
})
