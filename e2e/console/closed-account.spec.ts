/** The rest of a closed account, from its player's screen to its payment by two members of staff. */
import type { Page } from '@playwright/test'
import { giveMoney } from '../../apps/server/testing/fixtures.ts'
import { actAs, expect } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs, postAs } from '../console-people.ts'
import { registerMember, test } from '../stack.ts'

test.use(DESKTOP)

/** Closes the account of the page's player, and leaves the rest booked: he has no pay method. */
async function closeWithRest(app: Page): Promise<void> {
  await app.goto('/closeAccount')
  await app.getByRole('radio', { name: 'Leave it booked' }).click()
  await app.getByLabel('Login password').fill('a long enough passphrase')
  await app.getByRole('button', { name: 'Close for good' }).click()
  await app
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Close for good', exact: true })
    .click()
  await expect(app).toHaveURL('/')
}

test('the rest of a closed account is requested to a payee, approved by another person, and paid', async ({
  page,
  browser,
  stack,
}) => {
  // Less than the smallest withdrawal.
  const player = await registerMember(stack)
  await giveMoney(stack.database.owner, { playerId: player.user_id, u: 7.25 })
  await test.step('the player closes the account with a rest in it', async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      baseURL: stack.url,
    })
    await actAs(phone, player)
    await closeWithRest(await phone.newPage())
    await phone.close()
  })

  await test.step('a cashier requests it to the payee that the player has named', async () => {
    await openAs(page, stack, 'cashier', `/players/${player.user_id}/show`)
    await expect(page.getByText('closed by the player', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Pay the rest to another payee', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(`${player.name}: 7.25 u`)
    await dialog.getByLabel('Card number or TRON address').fill('4242 4242 4242 4242')
    await dialog.getByLabel('Holder of the card, or type of the wallet').fill('ANN LEE')
    await dialog.getByLabel('Bank (of a card)').fill('Bank of Hanoi')
    await dialog.getByLabel('Reason').fill('Told by mail from his address, number 12')
    await dialog.getByRole('button', { name: 'Pay the rest to another payee', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await goTo(page, `/withdrawals?filter={"user_id":${player.user_id}}`)
    const row = page.getByRole('row').filter({ hasText: player.name })
    await expect(row).toContainText('7.25 u')
    await row.getByText('waiting', { exact: true }).click()
    await expect(page.getByText('Requested by staff', { exact: true })).toBeVisible()
    // He asked for it: another person approves it.
    await expect(page.getByText('Another person approves it: you requested it.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
    expect(await axeOf(page)).toEqual([])
  })

  const address = page.url()
  const id = Number(/withdrawals\/(\d+)/.exec(address)?.[1])
  await test.step('nor can he approve it by a call', async () => {
    const refused = await postAs(page, '/api/staff/withdrawals/approve', {
      data: { id },
      headers: { Origin: stack.url },
    })
    expect(await refused.json()).toMatchObject({
      code: 0,
      data: { reason: 'second_person_needed' },
    })
  })

  await test.step('another person approves it', async () => {
    const context = await browser.newContext(DESKTOP)
    const other = await context.newPage()
    await openAs(other, stack, 'finance')
    await other.goto(address)
    await other.getByRole('button', { name: 'Approve', exact: true }).click()
    const dialog = other.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(other.getByText('approved', { exact: true })).toBeVisible()
    await context.close()
  })

  await test.step('it is paid, and seen as paid', async () => {
    await page.goto(address)
    await page.getByRole('button', { name: 'Record payout', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reference of the payout').fill('REST 0815')
    await dialog.getByRole('button', { name: 'Record payout', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('definition').filter({ hasText: 'REST 0815' })).toBeVisible()
    await expect(page.getByText('Payout recorded', { exact: true })).toBeVisible()
    await goTo(page, `/players/${player.user_id}/show`)
    await expect(page.getByText('closed by the player', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Write a note', exact: true })).toBeVisible()
    // Nothing is left to pay.
    await expect(page.getByRole('button', { name: /the rest/ })).toHaveCount(0)
    await page.getByRole('tab', { name: 'Withdrawals', exact: true }).click()
    await expect(page.getByRole('tabpanel', { name: 'Withdrawals', exact: true })).toContainText(
      '7.25 u',
    )
    expect(await axeOf(page)).toEqual([])
  })
})
