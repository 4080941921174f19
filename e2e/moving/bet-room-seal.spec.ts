/**
 * Goal: the seal of a round ends betting and following in a room, on the screen and at the server. Method: real
 * browsers over the real stack, on a clock that the test moves to the seal and the draw.
 */
import type { StopState } from '@sum28/contract/staff-house-routes.ts'
import {
  moveToDraw,
  moveToSeal,
  openIssue,
  openIssueFor,
} from '../../apps/server/testing/product/play-round.ts'
import {
  alertOf,
  balanceOf,
  betOf,
  buyButton,
  enter,
  expectPlaced,
  panelOf,
  prepare,
  ROOM,
  roundNow,
  rowWith,
} from '../bet-room.ts'
import { actAs, expect, expectToast } from '../browser.ts'
import { post, seat, sessionOfStaff, test } from '../stack.ts'

test.beforeEach(async ({ stack }) => {
  await openIssueFor(stack, 120)
})

test('a bet can be followed while its round runs, and not afterwards', async ({
  page,
  context,
  stack,
}) => {
  const [leader, follower] = [await seat(stack, { u: 1_000 }), await seat(stack, { u: 1_000 })]
  await actAs(context, follower)
  await enter(page)
  await betOf(stack, leader, 111.25, [1, 413])
  const row = rowWith(page, '222.50').filter({ hasNotText: 'You' })
  await row.getByRole('button', { name: /^Follow/ }).click()

  const question = alertOf(page)
  for (const text of ['Long', '13', '222.50']) await expect(question).toContainText(text)
  await expect(question.getByLabel('Amount on each outcome')).toHaveValue('111.25')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect(await balanceOf(stack, follower)).toBe(1_000)

  await row.getByRole('button', { name: /^Follow/ }).click()
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, /^Bet placed\. Order/)
  await expect(rowWith(page, '222.50').filter({ hasText: 'You' })).toHaveCount(1)
  expect(await balanceOf(stack, follower)).toBe(777.5)

  await test.step('the next round has begun', async () => {
    const issue = await moveToSeal(stack)
    await moveToDraw(stack, issue)
    await expect(page.getByText(await openIssue(stack), { exact: true })).toBeVisible()
    await row.getByRole('button', { name: /^Follow/ }).click()
    await expect(question).toContainText('Wrong round')
  })
})

test('a press before the seal places a bet, one after it does not', async ({
  page,
  context,
  stack,
}) => {
  const player = await seat(stack, { u: 1_000 })
  await actAs(context, player)
  await enter(page)
  const before = await prepare(page, '100', 'Odd')
  await before.click()
  await expectPlaced(page)
  expect(await balanceOf(stack, player)).toBe(900)

  // A panel that is open at the seal is closed to bets too.
  await prepare(page, '100', 'Even')
  const issue = await moveToSeal(stack)
  await expect(page.getByRole('timer').first()).toHaveAccessibleName(/^Sealed/)
  await expect(panelOf(page).getByRole('button', { name: 'Sealed' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toBeHidden()
  await buyButton(page).click()
  await expect(alertOf(page)).toContainText('Already sealed')
  await alertOf(page).getByRole('button', { name: 'OK' }).click()

  // An order that arrives after the seal is refused by the server's clock.
  const order = { ...ROOM, issue, play_type: '[3]', money: 100 }
  const late = await post(stack, '/api/Lottery/playOrder', order, player.token)
  expect(late).toMatchObject({ code: 0, data: { reason: 'round_sealed' } })
  expect(await balanceOf(stack, player)).toBe(900)
})

test('a stopped room says so, and so does a stopped game', async ({
  page,
  context,
  stack,
  console,
}) => {
  const player = await seat(stack, { u: 1_000 })
  const finance = await sessionOfStaff(stack, 'finance')
  const owner = await sessionOfStaff(stack, 'owner')
  const room = { scope: 'room', id: ROOM.plan_id }
  const stop = async (body: object) =>
    expect((await post(stack, '/api/staff/stops/stop', body, finance)).code).toBe(1)
  /** Ends a stop as it is now. */
  const open = async (subject: { scope: string; id?: number }) => {
    const { data } = (await post(stack, '/api/staff/stops', {}, owner)) as { data: StopState }
    const rooms = data.games.flatMap((game) => game.rooms)
    const seen = subject.id ? rooms.find(({ id }) => id === subject.id)?.stop : data.stop
    return post(stack, '/api/staff/stops/open', { ...subject, stop_id: seen?.id }, owner)
  }
  const clock = page.getByRole('timer').first()

  /** Checks the room's text and the server's refusal while no bets are accepted. */
  async function expectStopped(words: string, reason: string): Promise<void> {
    await expect(clock).toHaveAccessibleName(words)
    await buyButton(page).click()
    await expect(alertOf(page)).toContainText(words)
    await alertOf(page).getByRole('button', { name: 'OK' }).click()
    await expect(alertOf(page)).toBeHidden()
    const { issue } = await roundNow(stack)
    const order = { ...ROOM, issue, play_type: '[1]', money: 100 }
    const refused = await post(stack, '/api/Lottery/playOrder', order, player.token)
    expect(refused).toMatchObject({ code: 0, data: { reason } })
    expect(await balanceOf(stack, player)).toBe(1_000)
  }

  await actAs(context, player)
  await enter(page)
  try {
    await test.step('a room, while its panel is open', async () => {
      await prepare(page, '100', 'Long')
      await stop({ ...room, reason: 'maintenance' })
      await expect(
        panelOf(page).getByRole('button', { name: 'Product discontinued' }),
      ).toBeDisabled()
      await page.keyboard.press('Escape')
      await expect(panelOf(page)).toBeHidden()
      await expectStopped('Product discontinued', 'room_stopped')
    })

    await test.step('a player who polls sees it too', async () => {
      await page.route('**/api/Lottery/stream*', (route) => route.abort('connectionreset'))
      await page.reload()
      await expectStopped('Product discontinued', 'room_stopped')
      await page.unroute('**/api/Lottery/stream*')
    })

    await test.step('all games', async () => {
      await stop({ scope: 'all', reason: 'fault' })
      await expectStopped('System banned', 'games_stopped')
      expect((await open({ scope: 'all' })).code).toBe(1)
      await expectStopped('Product discontinued', 'room_stopped')
    })

    await test.step('opened again, it accepts bets', async () => {
      expect((await open(room)).code).toBe(1)
      await expect(clock).toHaveAccessibleName(/\d/)
      const buy = await prepare(page, '100', 'Long')
      await buy.click()
      await expectPlaced(page)
      expect(await balanceOf(stack, player)).toBe(900)
    })
  } finally {
    // Other tests share the stack.
    for (const subject of [room, { scope: 'all' }]) await open(subject)
  }
  // The browser reports the broken connection itself.
  expect(console.splice(0).every((message) => message.includes('ERR_CONNECTION_RESET'))).toBe(true)
})
