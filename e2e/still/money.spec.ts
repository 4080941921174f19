/**
 * Goal: deposits and withdrawals work in a real browser over the real stack. Method: a member
 * deposits, sets the security code, saves a wallet and withdraws by tapping; staff of the demo
 * approve one request and reject another by API calls.
 */
import { setInterval as every } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { actAs, expect, expectToast } from '../browser.ts'
import { post, type Stack, seat, sessionOfStaff, test } from '../stack.ts'

const CODE = '271828'
const WALLET = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

/** The id of the waiting withdrawal, once there is one. */
async function waitingId(stack: Stack, token: string): Promise<number> {
  for await (const _ of every(200)) {
    const { data } = await post(stack, '/api/staff/withdrawals', { state: 'waiting' }, token)
    const [first] = (data as { list: { id: number }[] }).list
    if (first) return first.id
  }
  throw new Error('no withdrawal waits')
}

async function requestWithdrawal(page: Page, amount: string): Promise<void> {
  await page.goto('/withdraw?group_id=1')
  await page.getByLabel('Amount').fill(amount)
  await page
    .locator('label', { has: page.getByRole('radio') })
    .first()
    .click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const review = page.getByRole('dialog')
  await expect(review).toContainText(`${amount}.00`)
  await expect(review).toContainText('You receive')
  await review.locator('input').first().click()
  await page.keyboard.type(CODE)
  await expect(page.getByText('Withdrawal requested')).toBeVisible()
}

test('a member deposits, sets a code, saves a wallet, withdraws, and staff decide', async ({
  page,
  context,
  stack,
}) => {
  const member = await seat(stack)
  await actAs(context, member)
  const staff = await sessionOfStaff(stack, 'owner')

  await test.step('deposits', async () => {
    await page.goto('/recharge?group_id=1')
    await page.getByLabel('Amount').fill('1000')
    await page.getByRole('button', { name: 'Send test USDT' }).click()
    await expectToast(page, /^1,000(\.00)? u have arrived$/)
  })

  await test.step('is led to save a wallet, then to set a code', async () => {
    await page.goto('/withdraw?group_id=1')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/bankCardManage\?type=0/i)
    await page.goto('/addVirtualWallet')
    await page.getByLabel('Wallet address').fill(WALLET)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(/bankCardManage/i)
    await page.goto('/withdraw?group_id=1')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/setSecurityCode\?isTrue=false/i)
    // The screen before stays under the new address until the next one is ready.
    await expect(page.getByRole('heading', { name: 'Set security code' })).toBeVisible()
    await page.locator('main input').first().click()
    await page.keyboard.type(CODE)
    await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toBeVisible()
  })

  await test.step('withdraws, and it is approved', async () => {
    await requestWithdrawal(page, '300')
    const id = await waitingId(stack, staff)
    expect((await post(stack, '/api/staff/withdrawals/approve', { id }, staff)).code).toBe(1)
    const paid = { id, reference: 'tx-of-the-journey' }
    // The person who approved may not record the payout.
    const finance = await sessionOfStaff(stack, 'finance')
    expect((await post(stack, '/api/staff/withdrawals/payout', paid, finance)).code).toBe(1)
  })

  await test.step('withdraws again; it is rejected and the money returns', async () => {
    await requestWithdrawal(page, '200')
    const id = await waitingId(stack, staff)
    const rejected = { id, reason: 'The journey asks for it' }
    expect((await post(stack, '/api/staff/withdrawals/reject', rejected, staff)).code).toBe(1)
    await page.goto('/CapitalDetail')
    await expect(page.getByText('−300.00').first()).toBeVisible()
    await expect(page.getByText('−200.00').first()).toBeVisible()
    await expect(page.getByText('+200.00').first()).toBeVisible()
    await page.goto('/personal')
    await expect(page.getByText('700.00').first()).toBeVisible()
  })

  await test.step('finds each step in the inbox', async () => {
    await page.goto('/Notice')
    await page.getByRole('tab').first().click()
    for (const title of ['requested', 'approved', 'paid out', 'rejected']) {
      await expect(page.getByText(new RegExp(`Withdrawal of .* ${title}`)).first()).toBeVisible()
    }
  })
})
