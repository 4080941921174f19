/**
 * Goal: the seal of a round ends betting and following in a room, on the screen and at the server. Method: real
 * browsers over the real stack, in rounds long enough to bet in and short enough to see their end.
 */
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
  richMember,
  roundNow,
  roundWith,
  rowWith,
} from './bet-room.ts'
import { actAs, expect, expectToast, MIDDLE_ROUNDS, post, test } from './stack.ts'

test.use({ rounds: MIDDLE_ROUNDS })

/** Of the 60 seconds before the seal, enough to bet on a slow machine. */
const ENOUGH = 40

test('a bet can be followed while its round runs, and not afterwards', async ({
  page,
  context,
  stack,
}) => {
  const [leader, follower] = [await richMember(stack, 'lead'), await richMember(stack, 'tail')]
  await actAs(context, follower, 'en')
  await enter(page)
  await roundWith(stack, ENOUGH)
  await betOf(stack, leader, 111.25, [1, 413])
  const row = rowWith(page, '222.50').filter({ hasNotText: 'You' })
  await row.getByRole('button', { name: /^Follow/ }).click()

  const question = alertOf(page)
  for (const text of ['Long', '13', '111.25', '222.50']) await expect(question).toContainText(text)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect(await balanceOf(stack, follower)).toBe(1_000)

  await row.getByRole('button', { name: /^Follow/ }).click()
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, /^Bet placed\. Order/)
  await expect(rowWith(page, '222.50').filter({ hasText: 'You' })).toHaveCount(1)
  expect(await balanceOf(stack, follower)).toBe(777.5)

  await test.step('the next round has begun', async () => {
    const { issue } = await roundNow(stack)
    await expect.poll(async () => (await roundNow(stack)).issue).not.toBe(issue)
    await expect(async () => {
      await roundWith(stack, ENOUGH)
      await expect(page.getByText((await roundNow(stack)).issue)).toBeVisible()
      await row.getByRole('button', { name: /^Follow/ }).click()
      await expect(question).toContainText(/Wrong round|Already sealed/)
      const text = await question.textContent()
      await question.getByRole('button', { name: 'OK' }).click()
      await expect(question).toBeHidden()
      // A slow machine may have come to the round's end meanwhile: then the next one is tried.
      expect(text).toContain('Wrong round')
    }).toPass()
  })
})

test('a press before the seal places a bet, one after it does not', async ({
  page,
  context,
  stack,
}) => {
  const player = await richMember(stack, 'late')
  await actAs(context, player, 'en')
  await enter(page)
  await roundWith(stack, ENOUGH)
  const before = await prepare(page, '100', 'Odd')
  await expect
    .poll(async () => (await roundNow(stack)).openTime1, { intervals: [50] })
    .toBeLessThanOrEqual(20)
  await before.click()
  await expectPlaced(page)
  expect(await balanceOf(stack, player)).toBe(900)

  await expect(page.getByRole('timer').first()).toHaveAccessibleName('Sealed')
  await buyButton(page).click()
  await expect(alertOf(page)).toContainText('Already sealed')
  await alertOf(page).getByRole('button', { name: 'OK' }).click()

  // An order that arrives after the seal is refused by the server's clock. The next round may have begun.
  await expect(async () => {
    const { issue, openTime1 } = await roundNow(stack)
    expect(openTime1).toBeLessThanOrEqual(0)
    const order = { ...ROOM, issue, play_type: '[3]', money: 100 }
    const late = await post(stack, '/api/Lottery/playOrder', order, player.token)
    expect(late).toMatchObject({ code: 0, data: { reason: 'round_sealed' } })
  }).toPass()
})

test('a panel that is open at the seal accepts no bet', async ({ page, context, stack }) => {
  const player = await richMember(stack, 'slow')
  await actAs(context, player, 'en')
  await enter(page)
  await roundWith(stack, ENOUGH)
  await prepare(page, '100', 'Even')
  const sealed = panelOf(page).getByRole('button', { name: 'Sealed' })
  await expect(sealed).toBeDisabled()
  expect(await balanceOf(stack, player)).toBe(1_000)
})
