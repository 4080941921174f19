/** Player protection in the operator's console: held deposits, similar accounts, early signs, contacts. */

import { expect } from '../browser.ts'
import { axeOf, DESKTOP, openAs } from '../console-people.ts'
import { type Player, post, type Stack, seat, test } from '../stack.ts'

test.use(DESKTOP)

const CARD = { type: 0, acc: 'ANN LEE', acc_bank: 'Bank of Hanoi', acc_name: '4000056655665556' }

async function ok(stack: Stack, path: string, body: object, token?: string): Promise<unknown> {
  const reply = await post(stack, path, body, token)
  expect(reply, path).toMatchObject({ code: 1 })
  return reply.data
}

/** A member on a break. */
async function memberOnBreak(stack: Stack, name: string): Promise<Player> {
  const member = await seat(stack, { name })
  await ok(stack, '/api/protection/takeBreak', { months: 6 }, member.token)
  return member
}

/** The id of a transaction. */
const PAID_BACK = 'ab'.repeat(32)

test('support releases a similar account, notes a contact, and finds it in the register', async ({
  page,
  stack,
}) => {
  const resting = await memberOnBreak(stack, 'resting_ann')
  await ok(stack, '/api/user/setPayInfo', CARD, resting.token)
  const second = await seat(stack, { name: 'alike_bob' })
  await ok(stack, '/api/user/setPayInfo', CARD, second.token)
  await openAs(page, stack, 'support')

  await page.getByRole('link', { name: 'Alike accounts' }).click()
  const alike = page.getByRole('row').filter({ hasText: 'alike_bob' })
  await expect(alike).toContainText('held')
  expect(await axeOf(page)).toEqual([])
  await alike.getByRole('button', { name: 'Release' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('a couple with one card')
  await dialog.getByRole('button', { name: 'Release' }).click()
  // The menu leads to those that wait, of which this is none now.
  await expect(dialog).toHaveCount(0)
  await page.goto(`${stack.url}/console/likenesses?filter=%7B%22state%22%3A%22released%22%7D`)
  await expect(alike).toContainText('released')
  await expect(alike).toContainText('a couple with one card')

  await alike.getByRole('link', { name: 'alike_bob' }).click()
  await page.getByRole('tab', { name: 'Protection' }).click()
  await expect(page.getByText('No sign was found yesterday.')).toBeVisible()
  await page.getByRole('button', { name: 'Note a contact' }).click()
  await dialog.getByLabel('What was said').fill('He knows of limits.')
  await dialog.getByRole('button', { name: 'Note a contact' }).click()
  await expect(page.getByRole('cell', { name: 'He knows of limits.' })).toBeVisible()
  expect(await axeOf(page)).toEqual([])

  // The register has it, and who excluded himself; from there his page says so before all else.
  await page.getByRole('link', { name: 'Protection' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'alike_bob' })).toContainText(
    'He knows of limits.',
  )
  await page.getByLabel('Kind').click()
  await page.getByRole('option', { name: 'self-exclusion' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'alike_bob' })).toHaveCount(0)
  const away = page.getByRole('row').filter({ hasText: 'resting_ann' })
  await expect(away).toContainText('No end. He may ask for it from')
  expect(await axeOf(page)).toEqual([])
  await away.getByRole('link', { name: 'resting_ann' }).click()
  await expect(page.getByRole('alert').first()).toContainText(
    'The player has excluded himself. No end. He may ask for it from',
  )

  await page.getByRole('link', { name: 'Early signs' }).click()
  await expect(page.getByText('No player has signs.')).toBeVisible()
})

test('support proposes to pay a held deposit back, and another person pays it', async ({
  page,
  anotherPage,
  stack,
}) => {
  const member = await memberOnBreak(stack, 'held_ann')
  const { usdt } = (await ok(stack, '/api/user/recharge', {}, member.token)) as { usdt: string }
  // The stack's own chain takes a quarter of a minute to make a transfer final.
  const { owner } = stack.database
  const transfer = { tx_id: 'f'.repeat(64), log_index: 0, from_address: 'TFrom', to_address: usdt }
  await owner.query(`insert into deposits.watcher_height (chain, block) values ('another', 0)`)
  await owner.query(`select deposits.take_block('another', 1, app.now(), $1, app.now()::date)`, [
    JSON.stringify([{ ...transfer, amount: '50000000' }]),
  ])
  await openAs(page, stack, 'support', '/held-deposits')
  const dialog = page.getByRole('dialog')
  const held = page.getByRole('row').filter({ hasText: 'held_ann' })
  await expect(held).toContainText('break')
  await held.getByRole('button', { name: 'Propose to pay back' }).click()
  await expect(dialog).toContainText('held_ann: 50.00 u')
  await dialog.getByLabel('Reason').fill('asked for by the player')
  await dialog.getByRole('button', { name: 'Propose to pay back' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto(`${stack.url}/console/held-deposits`)
  await expect(held).toContainText('to pay back')
  // Support proposes, and neither pays nor refuses.
  await expect(held.getByRole('button')).toHaveCount(0)
  expect(await axeOf(page)).toEqual([])

  const other = await anotherPage({ viewport: { width: 1024, height: 768 } })
  await openAs(other, stack, 'cashier', '/held-deposits')
  await other.getByRole('cell', { name: 'held_ann' }).click()
  await expect(other.getByText('asked for by the player')).toBeVisible()
  expect(await axeOf(other)).toEqual([])
  const payment = other.getByRole('dialog')
  // He takes it before he pays it, and has paid it before he confirms it.
  await expect(other.getByRole('button', { name: 'Refuse' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Confirm' })).toHaveCount(0)
  await other.getByRole('button', { name: 'Take to pay' }).click()
  await payment.getByRole('button', { name: 'Take to pay' }).click()
  await expect(other.getByRole('button', { name: 'Give back' })).toBeVisible()
  expect(await axeOf(other)).toEqual([])
  await other.getByRole('button', { name: 'Confirm' }).click()
  await payment.getByLabel('Reference of the payment').fill(PAID_BACK)
  await payment.getByRole('button', { name: 'Confirm' }).click()
  await expect(other.getByRole('definition').filter({ hasText: PAID_BACK })).toBeVisible()
  // The local chain has no such transaction.
  await expect(other.getByText('paid back, not seen on the chain yet')).toBeVisible()
})
