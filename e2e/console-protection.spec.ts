/** Player protection in the operator's console: held deposits, alike accounts, early signs, contacts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import {
  expect,
  type Player,
  post,
  registerMember,
  type Stack,
  signInStaff,
  test,
} from './stack.ts'

test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false })

const CARD = { type: 0, acc: 'ANN LEE', acc_bank: 'Bank of Hanoi' }

async function ok(stack: Stack, path: string, body: object, token: string): Promise<unknown> {
  const reply = await post(stack, path, body, token)
  expect(reply, path).toMatchObject({ code: 1 })
  return reply.data
}

/** A member on a break, with a bank deposit that is held. */
async function memberWithHeld(stack: Stack, name: string, card: string): Promise<Player> {
  const member = await registerMember(stack, name)
  await ok(stack, '/api/user/setPayInfo', { ...CARD, acc_name: card }, member.token)
  await ok(stack, '/api/protection/takeBreak', { months: 6 }, member.token)
  const deposit = { user_id: member.user_id, money: '50', reference: `BANK ${name}` }
  const [owner, finance] = [await signInStaff(stack, 'owner'), await signInStaff(stack, 'finance')]
  const recorded = await ok(stack, '/api/staff/bankDeposits/record', deposit, finance)
  await ok(stack, '/api/staff/bankDeposits/confirm', recorded as object, owner)
  return member
}

test('support releases an alike account, notes a contact, and proposes what another person pays back', async ({
  page,
  browser,
  stack,
}) => {
  const card = '4000056655665556'
  await memberWithHeld(stack, 'held_ann', card)
  const second = await registerMember(stack, 'alike_bob')
  await ok(stack, '/api/user/setPayInfo', { ...CARD, acc_name: card }, second.token)
  await signIn(page, stack, 'support')

  await page.getByRole('menuitem', { name: 'Alike accounts' }).click()
  const alike = page.getByRole('row').filter({ hasText: 'alike_bob' })
  await expect(alike).toContainText('held')
  await expectNoFaultOfAxe(page)
  await alike.getByRole('button', { name: 'Release' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('a couple with one card')
  await dialog.getByRole('button', { name: 'Release' }).click()
  await expect(alike).toContainText('released')
  await expect(alike).toContainText('a couple with one card')

  await alike.getByRole('link', { name: 'alike_bob' }).click()
  await page.getByRole('tab', { name: 'Protection' }).click()
  await expect(page.getByText('No sign was found yesterday.')).toBeVisible()
  await page.getByRole('button', { name: 'Note a contact' }).click()
  await dialog.getByLabel('What was said').fill('He knows of limits.')
  await dialog.getByRole('button', { name: 'Note a contact' }).click()
  await expect(page.getByRole('cell', { name: 'He knows of limits.' })).toBeVisible()
  await expectNoFaultOfAxe(page)

  await page.getByRole('menuitem', { name: 'Early signs' }).click()
  await expect(page.getByText('No player has signs.')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Held deposits' }).click()
  const held = page.getByRole('row').filter({ hasText: 'held_ann' })
  await expect(held).toContainText('break')
  await held.getByRole('button', { name: 'Propose to pay back' }).click()
  await expect(dialog).toContainText('BANK held_ann')
  await dialog.getByLabel('Reason').fill('asked for by the player')
  await dialog.getByRole('button', { name: 'Propose to pay back' }).click()
  await expect(held).toContainText('to pay back')
  // Support proposes, and neither pays nor refuses.
  await expect(held.getByRole('button')).toHaveCount(0)
  await expectNoFaultOfAxe(page)

  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } })
  const other = await context.newPage()
  await signIn(other, stack, 'cashier')
  await other.goto(`${stack.url}/console/held-deposits`)
  await other.getByRole('cell', { name: 'held_ann' }).click()
  await expect(other.getByText('asked for by the player')).toBeVisible()
  await expectNoFaultOfAxe(other)
  await other.getByRole('button', { name: 'Confirm payment' }).click()
  const payment = other.getByRole('dialog')
  await payment.getByLabel('Reference of the payment').fill('OUT 1')
  await payment.getByRole('button', { name: 'Confirm payment' }).click()
  await expect(other.getByText('OUT 1')).toBeVisible()
  await expect(other.getByText('paid back', { exact: true })).toBeVisible()
  await context.close()
})

async function signIn(page: Page, { url, dataDir }: Stack, name: string): Promise<void> {
  type Person = { name: string; password: string; totp_secret: string }
  const file = JSON.parse(readFileSync(join(dataDir, 'demo-staff.json'), 'utf8')) as Person & {
    others: Person[]
  }
  const person = [file, ...file.others].find((each) => each.name === name)
  if (!person) throw new Error(`demo-staff.json has no ${name}`)
  await page.goto(`${url}/console`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(person.password)
  const code = new TOTP({ secret: Secret.fromBase32(person.totp_secret) }).generate()
  await page.getByLabel('Code of your authenticator').fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Roles' })).toBeVisible()
}

async function expectNoFaultOfAxe(page: Page): Promise<void> {
  // While a dialog closes, the page behind it is hidden from readers.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The bar with the page's heading is hidden while one scrolls down.
  await page.evaluate('window.scrollTo(0, 0)')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  )
  expect(told, page.url()).toEqual([])
}
