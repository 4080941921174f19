/** Rooms in the operator's console: a refused change of odds, and one that two persons make. */
import { openIssueFor, playRound } from '../../apps/server/testing/play-round.ts'
import { actAs, expect } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs } from '../console-people.ts'
import { seat, test } from '../stack.ts'

test.use(DESKTOP)

test('odds are changed by two persons, within the allowed range, from the next round on', async ({
  page,
  browser,
  stack,
}) => {
  await openAs(page, stack, 'owner')
  await page.getByRole('menuitem', { name: 'Rooms', exact: true }).click()
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
  await expect(page.getByRole('heading', { name: 'A change waits' })).toBeVisible()
  expect(await axeOf(page)).toEqual([])

  const colleague = await browser.newContext({ viewport: { width: 1024, height: 768 } })
  const other = await colleague.newPage()
  await openAs(other, stack, 'finance', '/room-changes')
  await other.getByRole('button', { name: 'Confirm the change' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Confirm the change' }).click()
  await playRound(stack)
  await other.reload()
  await expect(other.getByRole('cell', { name: 'effective', exact: true })).toBeVisible()
  expect(await axeOf(other)).toEqual([])
  await goTo(other, '/rooms')
  await expect(other.getByRole('cell', { name: 'DOT' }).first()).toBeVisible()
  expect(await axeOf(other)).toEqual([])
  await colleague.close()

  await page.reload()
  await expect(odds).toHaveValue('1.8')

  const player = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await actAs(player, await seat(stack, { name: 'sees_new_odds' }))
  const room = await player.newPage()
  await room.goto(`${stack.url}/betRoom?id=11&game_id=1&name=DOT&title=Basic`)
  await openIssueFor(stack, 60)
  await room.getByRole('button', { name: 'Buy', exact: true }).click()
  const panel = room.getByRole('dialog', { name: /^Round/ })
  await expect(panel.getByRole('button', { name: 'Long 1.8' })).toBeVisible()
  await player.close()
})
