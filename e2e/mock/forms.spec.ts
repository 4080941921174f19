/**
 * Goal: each form asks for missing fields in the product's order, each at its field, and does its work once all
 * are filled. Method: each form is sent empty, then with one more field filled each time.
 */
import type { Page } from '@playwright/test'
import {
  newPass,
  payInfo,
  safetyInfo,
  setPayInfo,
  setSafety,
  withdrawAction,
  withdrawInfo,
} from '@sum28/contract/money-routes.ts'
import { login, register, resetPassword, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { PROFILE } from '../../apps/web/src/testing/usual-replies.ts'
import { actAs, expect, expectToast, speak } from '../browser.ts'
import { installClock, pass, stopClock } from '../exact-clock.ts'
import { answerFully, CARD, MEMBER, VISITOR } from '../full-replies.ts'
import { test } from '../mocked.ts'

const PASSWORD = 'a long enough passphrase'
const WALLET = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const CARD_NUMBER = '4111111111111111'
const CODE = '314159'

/** Presses the button; a toast with this text must follow. */
async function expectToastAfter(page: Page, button: string, text: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await expectToast(page, text)
}

/** Presses the button; the focus must go to a field that says this text, which stays. */
async function expectFieldSays(page: Page, button: string, text: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  const said = () =>
    page.evaluate(() => {
      const field = document.activeElement?.closest('[aria-describedby]')
      const note = document.getElementById(field?.getAttribute('aria-describedby') ?? '')
      return note?.textContent?.replaceAll('\u00a0', ' ')
    })
  await expect.poll(said).toBe(text)
}

function fill(page: Page, label: string, value: string): Promise<void> {
  return page.getByLabel(label, { exact: true }).fill(value)
}

async function typeDigits(page: Page, group: string, digits: string): Promise<void> {
  await page.getByRole('group', { name: group }).getByRole('textbox').first().click()
  await page.keyboard.type(digits)
}

test('login asks for the user name, then for the password, and then loads and goes home', async ({
  page,
  mock,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute(
    'href',
    '/forget',
  )
  await expect(page.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
  await expect(page.getByRole('button', { name: /guest/i })).toHaveCount(0)

  await expectFieldSays(page, 'Log in', 'Please enter your username')
  await expect(page.getByLabel('Username or email')).toHaveAttribute(
    'placeholder',
    'Please enter your username',
  )
  await fill(page, 'Username or email', 'form_reader')
  await expectFieldSays(page, 'Log in', 'Please enter your password')
  await fill(page, 'Password', 'not the passphrase')
  // The server's text is shown unchanged.
  mock.refuse(login, { reason: 'account_or_password_wrong', msg: 'Wrong name or password' })
  await expectToastAfter(page, 'Log in', 'Wrong name or password')
  answerFully(mock)
  await fill(page, 'Password', PASSWORD)
  await expectToastAfter(page, 'Log in', 'Loading')
  await expect(page).toHaveURL('/')
})

test('register asks for user name, email, code, password and the tick, in this order', async ({
  page,
  mock,
}) => {
  await page.goto(`/register?inviter_id=${MEMBER.id}`)
  await expect(page.getByText('Version 21.04.03')).toBeVisible()
  await expectFieldSays(page, 'Send code', 'Please enter your email')
  await expectFieldSays(page, 'Create account', 'Please enter a username')
  await fill(page, 'Username', 'brought_along')
  await expectFieldSays(page, 'Create account', 'Please enter your email')
  const email = 'brought_along@example.org'
  await fill(page, 'Email', email)
  await expectFieldSays(page, 'Create account', 'Please enter the verification code')
  await expectFieldSays(
    page,
    'Send code',
    'If the address can receive mail, the code is on its way',
  )
  await typeDigits(page, 'Verification code', CODE)
  await expectFieldSays(page, 'Create account', 'Please enter a password')
  await fill(page, 'Password', PASSWORD)
  await expectFieldSays(
    page,
    'Create account',
    'Please confirm that you are 18 or older and accept the rules',
  )
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/')
  expect(mock.requestsOf(register).at(-1)?.input).toMatchObject({
    ...{ group_id: 1, inviter_id: String(MEMBER.id), email, code: CODE },
  })
})

test('a code can be sent again after sixty seconds, which are counted down', async ({ page }) => {
  await installClock(page)
  await page.goto('/register')
  await fill(page, 'Email', 'patience@example.org')
  await stopClock(page)
  await page.getByRole('button', { name: 'Send code' }).click()
  const resting = page.getByRole('button', { name: /^Again in/ })
  await expect(resting).toHaveText('Again in 60 s')
  await expect(resting).toBeDisabled()
  await pass(page, 59_000)
  await expect(resting).toHaveText('Again in 1 s')
  await pass(page, 999)
  await expect(resting).toBeDisabled()
  await pass(page, 1)
  await expect(page.getByRole('button', { name: 'Send code' })).toBeEnabled()
})

test('a password and a code can be pasted, and a phone may fill in the code', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/register')
  const password = page.getByLabel('Password', { exact: true })
  const code = page.getByRole('group', { name: 'Verification code' }).getByRole('textbox')
  for (const [field, text] of [
    [password, PASSWORD],
    [code.first(), CODE],
  ] as const) {
    await field.click()
    await page.evaluate(`navigator.clipboard.writeText('${text}')`)
    await page.keyboard.press('Control+V')
  }
  await expect(password).toHaveValue(PASSWORD)
  for (const [position, digit] of [...CODE].entries()) {
    await expect(code.nth(position)).toHaveValue(digit)
  }
  await expect(page.locator('input[autocomplete="one-time-code"]').first()).toBeAttached()
})

test('a new login password asks for the old one, the new one and the new one again', async ({
  page,
  mock,
}) => {
  await actAs(page.context(), MEMBER)
  await page.goto('/changePassword')
  await expectFieldSays(page, 'Change password', 'Please enter your old password')
  await fill(page, 'Old password', PASSWORD)
  await expectFieldSays(page, 'Change password', 'Please enter a new password')
  await fill(page, 'New password', 'another long passphrase')
  await expectFieldSays(page, 'Change password', 'Enter the new password again')
  await fill(page, 'Confirm password', 'another long passphrase?')
  await expectFieldSays(page, 'Change password', 'The two passwords are inconsistent')
  await fill(page, 'Confirm password', 'another long passphrase')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Password changed')
  expect(mock.requestsOf(newPass)).toHaveLength(1)
})

test('a bank card asks for holder, number and bank; a branch is optional', async ({
  page,
  mock,
}) => {
  await actAs(page.context(), MEMBER)
  mock.answer(payInfo, null)
  await page.goto('/bankCardManage?type=0')
  await page.getByRole('link', { name: 'Add bank card' }).click()
  await expect(page).toHaveURL(/\/addBankCard$/)
  await expectFieldSays(page, 'Save', 'Please enter the card holder’s name')
  await fill(page, 'Card holder', 'Ann Lee')
  await expectFieldSays(page, 'Save', 'Please enter the card number')
  await expect(page.getByLabel('Card number')).toHaveAttribute('inputmode', 'numeric')
  await fill(page, 'Card number', CARD_NUMBER)
  await expectFieldSays(page, 'Save', 'Please enter the bank’s name')
  await fill(page, 'Bank name', 'First Bank')
  mock.answer(payInfo, ({ input }) => (input.type === 0 ? CARD : null))
  await expectToastAfter(page, 'Save', 'Saved')
  await expect(page).toHaveURL(/bankCardManage\?type=0/)
  await expect(page.getByText('First Bank')).toBeVisible()
  await expect(page.getByText('1111', { exact: true })).toBeVisible()
  expect(mock.requestsOf(setPayInfo).at(-1)?.input).toMatchObject({
    ...{ acc: 'Ann Lee', acc_name: CARD_NUMBER, acc_bank: 'First Bank' },
  })
  await page.goto('/bankCardManage?type=1')
  await expect(page.getByText('No virtual wallet yet')).toBeVisible()
})

test('a wallet asks for its address, then for its type', async ({ page, mock }) => {
  await actAs(page.context(), MEMBER)
  mock.answer(payInfo, null)
  await page.goto('/bankCardManage?type=1')
  await page.getByRole('link', { name: 'Add virtual wallet' }).click()
  await expect(page).toHaveURL(/\/addVirtualWallet$/)
  await page.locator('label').filter({ hasText: 'Other' }).click()
  await expectFieldSays(page, 'Save', 'Please enter the wallet address')
  await fill(page, 'Wallet address', WALLET)
  await expectFieldSays(page, 'Save', 'Please enter the wallet type')
  await fill(page, 'Name of the wallet type', 'USDT')
  await expectToastAfter(page, 'Save', 'Saved')
  await expect(page).toHaveURL(/bankCardManage\?type=1/)
  expect(mock.requestsOf(setPayInfo).at(-1)?.input).toMatchObject({ acc: WALLET, acc_name: 'USDT' })
})

const WITHDRAWAL = {
  ...{ money: '0.00', version: '1', pay_list: [], min: '100.00' },
  ...{ hold_until: null, pending: null, latest: [], usual_seconds: null },
}

const chooseMethod = (page: Page) =>
  page
    .locator('label')
    .filter({ has: page.getByRole('radio') })
    .first()
    .click()

test('a withdrawal asks for a method, a code, an amount, enough money, and a choice', async ({
  page,
  mock,
}) => {
  await actAs(page.context(), MEMBER)
  mock.answer(withdrawInfo, WITHDRAWAL)
  mock.answer(safetyInfo, { isTrue: false })
  const open = () => page.goto('/withdraw?group_id=1')
  await open()
  await expectToastAfter(page, 'Continue', 'Please add a payment method first')
  await expect(page).toHaveURL(/\/bankCardManage\?type=0$/)

  mock.answer(withdrawInfo, { ...WITHDRAWAL, pay_list: [CARD] })
  await open()
  await expectToastAfter(page, 'Continue', 'Please set a security code first')
  await expect(page).toHaveURL(/\/setSecurityCode\?isTrue=false$/)

  mock.answer(safetyInfo, { isTrue: true })
  await open()
  await expectFieldSays(page, 'Continue', 'Please enter an amount')
  await fill(page, 'Amount', '99.99')
  await expectFieldSays(page, 'Continue', 'The minimum withdrawal is 100.00 u')
  mock.answer(userInfo, { ...PROFILE, money: '0.00' })
  await page.reload()
  await fill(page, 'Amount', '100')
  const other = {
    ...CARD,
    id: 9,
    acc: WALLET,
    acc_name: 'USDT',
    acc_bank: '',
    status: '0' as const,
  }
  mock.answer(withdrawInfo, { ...WITHDRAWAL, pay_list: [CARD, other] })
  await page.reload()
  await fill(page, 'Amount', '100')
  await expectFieldSays(page, 'Continue', 'Please select a payment method')
  await chooseMethod(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Insufficient balance')
})

test('a withdrawal that fails for another reason shows the server’s text', async ({
  page,
  mock,
}) => {
  await actAs(page.context(), MEMBER)
  mock.refuse(withdrawAction, { reason: 'withdrawal_on_hold', msg: 'The bank is closed' })
  await page.goto('/withdraw?group_id=1')
  await fill(page, 'Amount', '150')
  await chooseMethod(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog').locator('input').first().click()
  await page.keyboard.type(CODE)
  const popup = page.getByRole('alertdialog')
  await expect(popup).toContainText('Transfer failed')
  await expect(popup).toContainText('The bank is closed')
})

test('a withdrawal page that cannot be loaded says so, and can be tried again', async ({
  page,
  mock,
}) => {
  await actAs(page.context(), MEMBER)
  mock.refuse(withdrawInfo, { reason: 'fault', msg: 'Try later' })
  await page.goto('/withdraw?group_id=1')
  await expect(page.getByRole('alert')).toContainText('Withdrawal information error')
  await expect(page.getByRole('alert')).toContainText('Try later')
  answerFully(mock)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Amount')).toBeVisible()
})

test.describe('the security code', () => {
  test('is typed twice, is set by the last digit, then returns after a popup', async ({
    page,
    mock,
  }) => {
    await actAs(page.context(), MEMBER)
    mock.answer(userInfo, { ...PROFILE, is_safety: false })
    mock.answer(safetyInfo, { isTrue: false })
    await page.goto('/setting?type=2')
    await page.getByRole('link', { name: /Security code/ }).click()
    await expect(page).toHaveURL(/\/setSecurityCode\?isTrue=false$/)
    await expect(
      page.getByText('It must differ from your bank card password and your login password'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change code' })).toHaveCount(0)
    await typeDigits(page, 'Choose six digits', '123456')
    await expect(page.getByText(/^This code is one of the first that are guessed/)).toBeVisible()
    await typeDigits(page, 'Choose six digits', CODE)
    // The focus goes on to the second field.
    await page.keyboard.type(CODE.slice(0, 5))
    expect(mock.requestsOf(setSafety)).toEqual([])
    await page.keyboard.type(CODE.slice(5))
    await expect(page.getByRole('alertdialog')).toContainText('Security code saved')
    await page.getByRole('button', { name: 'OK' }).click()
    await expect(page).toHaveURL(/\/setting\?type=2$/)
    expect(mock.requestsOf(setSafety).map(({ input }) => input)).toEqual([{ new_code: CODE }])
  })

  test('is changed by the old code and a button, then returns after a popup', async ({ page }) => {
    await actAs(page.context(), MEMBER)
    await page.goto('/setting?type=2')
    const row = page.getByRole('link', { name: /Security code/ })
    await expect(row).toHaveAttribute('href', /isTrue=true$/)
    await row.click()
    await expect(page).toHaveURL(/\/setSecurityCode\?isTrue=true$/)
    await expectFieldSays(
      page,
      'Change code',
      'Please enter the six digits of your old security code',
    )
    await typeDigits(page, 'Old security code', CODE)
    await expectFieldSays(
      page,
      'Change code',
      'Please enter the six digits of your new security code',
    )
    await typeDigits(page, 'New security code', '265358')
    await page.getByRole('button', { name: 'Change code' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('Security code saved')
    await page.getByRole('button', { name: 'OK' }).click()
    await expect(page).toHaveURL(/\/setting\?type=2$/)
  })

  test('leads a stranger to the login', async ({ page, context }) => {
    await speak(context, 'en')
    await page.goto('/setSecurityCode?isTrue=false')
    await typeDigits(page, 'Choose six digits', CODE)
    await page.keyboard.type(CODE)
    await expect(page).toHaveURL(/\/login$/)
    await expectToast(page, 'Please log in')
  })
})

for (const way of ['Deposit', 'Withdraw'] as const) {
  test(`a visitor who wants to ${way.toLowerCase()} is asked to register first, and led back`, async ({
    page,
    mock,
  }) => {
    await actAs(page.context(), VISITOR)
    mock.answer(userInfo, { ...PROFILE, group_id: 2 })
    await page.goto('/personal')
    if (way === 'Withdraw') {
      await page.getByRole('link', { name: way, exact: true }).click()
      await expect(page).toHaveURL(/\/withdraw\?group_id=2$/)
    } else {
      await page.getByRole('button', { name: way, exact: true }).click()
      await page.getByText('Deposit by yourself').click()
      await expect(page).toHaveURL(/\/recharge\?group_id=2$/)
    }
    const popup = page.getByRole('alertdialog')
    await expect(popup).toContainText('Please register as a full member first')
    await popup.getByRole('button', { name: 'OK' }).click()
    await expect(page).toHaveURL(/\/personal$/)
  })
}

test('a forgotten password asks for email, code, new password and its repetition, and is set', async ({
  page,
  mock,
}) => {
  const email = 'forgetful@example.org'
  await page.goto('/forget')
  await expect(page.getByRole('link', { name: 'Back to log in' })).toHaveAttribute('href', '/login')
  const set = 'Set the new password'
  await expectFieldSays(page, set, 'Please enter your email')
  await fill(page, 'Email', email)
  await expectFieldSays(page, set, 'Please enter the verification code')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('button', { name: /^Again in \d+ s$/ })).toBeDisabled()
  expect(mock.requestsOf(sendCode).at(-1)?.input).toMatchObject({ email, event: 'resetpwd' })
  await typeDigits(page, 'Verification code', CODE)
  await expectFieldSays(page, set, 'Please enter a new password')
  await fill(page, 'New password', 'remembered from now on')
  await expectFieldSays(page, set, 'Enter the new password again')
  await fill(page, 'Confirm password', 'remembered from now')
  await expectFieldSays(page, set, 'The two passwords are inconsistent')
  await fill(page, 'Confirm password', 'remembered from now on')
  await page.getByRole('button', { name: set }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(mock.requestsOf(resetPassword).at(-1)?.input).toEqual({
    ...{ email, captcha: CODE, newpassword: 'remembered from now on' },
  })
})
