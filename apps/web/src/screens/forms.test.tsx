/**
 * Each form asks for its missing fields in the product's order, each at its field, until nothing is missing; one that
 * got no answer is sent again with its key.
 */
import {
  newPass,
  payInfo,
  safetyInfo,
  setPayInfo,
  setSafety,
  withdrawAction,
  withdrawInfo,
} from '@sum28/contract/money-routes.ts'
import { prove, takeBack } from '@sum28/contract/passkey-routes.ts'
import type { PayItem } from '@sum28/contract/replies.ts'
import type { Route } from '@sum28/contract/route.ts'
import { login, register, resetPassword, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CARD, PROFILE, WITHDRAWABLE } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const WALLET = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const OTHER: PayItem = { ...CARD, id: 4, acc: WALLET, acc_name: 'USDT', acc_bank: '', status: '0' }
const WITHDRAWAL = { ...WITHDRAWABLE, money: '1000.00', min: '100.00', pay_list: [CARD, OTHER] }

/** What the field that has the focus says of itself. */
function saidAtFocus(): string | undefined {
  const field = document.activeElement?.closest('[aria-describedby]')
  const note = document.getElementById(field?.getAttribute('aria-describedby') ?? '')
  return note?.textContent?.replaceAll('\u00a0', ' ')
}

type Form = {
  address: string
  stranger?: true
  button: string
  /** What the form says, and the field that is filled in after it. */
  asks: readonly (readonly [says: string, label?: string, typed?: string])[]
}

const FORMS: Record<string, Form> = {
  'the login': {
    address: href('login'),
    stranger: true,
    button: 'Log in',
    asks: [
      ['Please enter your username', 'Username or email', 'ann'],
      ['Please enter your password', 'Password', 'a long password'],
    ],
  },
  'the registration': {
    address: href('register'),
    stranger: true,
    button: 'Create account',
    asks: [
      ['Please enter a username', 'Username', 'ann'],
      ['Please enter your email', 'Email', 'ann@example.com'],
      ['Please enter the verification code', 'Verification code', '314159'],
      ['Please enter a password', 'Password', 'a long password'],
      ['Please confirm that you are 18 or older and accept the rules'],
    ],
  },
  'a forgotten password': {
    address: href('passwordReset'),
    stranger: true,
    button: 'Set the new password',
    asks: [
      ['Please enter your email', 'Email', 'ann@example.com'],
      ['Please enter the verification code', 'Verification code', '314159'],
      ['Please enter a new password', 'New password', 'another password'],
      ['Enter the new password again', 'Confirm password', 'another'],
      ['The two passwords are inconsistent'],
    ],
  },
  'a new password': {
    address: href('changePassword'),
    button: 'Change password',
    asks: [
      ['Please enter your old password', 'Old password', 'a long password'],
      ['Please enter a new password', 'New password', 'another password'],
      ['Enter the new password again', 'Confirm password', 'another'],
      ['The two passwords are inconsistent'],
    ],
  },
  'a bank card': {
    address: href('addBankCard'),
    button: 'Save',
    asks: [
      ['Please enter the card holder’s name', 'Card holder', 'Ann Lee'],
      ['Please enter the card number', 'Card number', '4111111111111111'],
      ['Please enter the bank’s name'],
    ],
  },
  'another security code': {
    address: href('securityCode', { isTrue: 'true' }),
    button: 'Change code',
    asks: [
      ['Please enter the six digits of your old security code', 'Old security code', '314159'],
      ['Please enter the six digits of your new security code'],
    ],
  },
  'a withdrawal': {
    address: href('withdrawal'),
    button: 'Continue',
    asks: [
      ['Please enter an amount', 'Amount', '99.99'],
      ['The minimum withdrawal is 100.00 u', 'Amount', '{Backspace>5/}100'],
      ['Please select a payment method'],
    ],
  },
}

/** The calls with which forms send what was entered. */
const SENDING = [login, register, resetPassword, newPass, setPayInfo, setSafety, withdrawAction]

function expectNothingSent(): void {
  expect(SENDING.flatMap((call) => server().requestsOf<Route>(call))).toEqual([])
  expect(screen.queryByRole('dialog')).toBe(null)
}

it.each(Object.entries(FORMS))('%s asks for what is missing', async (_, form) => {
  server().answer(withdrawInfo, WITHDRAWAL)
  server().answer(safetyInfo, { isTrue: true })
  const { person } = await showApp(form.address, form)
  for (const [says, label, typed] of form.asks) {
    await person.click(await screen.findByRole('button', { name: form.button }))
    await waitFor(() => expect(saidAtFocus()).toBe(says))
    if (label && typed) await fillIn(person, { [label]: typed })
  }
  expectNothingSent()
})

type SentForm = Pick<Form, 'address' | 'stranger' | 'button'> & {
  route: Route
  fields: Record<string, string>
}

const NEW_PASSWORD = { 'New password': 'another password', 'Confirm password': 'another password' }
const MAILED = { Email: 'ann@example.com', 'Verification code': '314159' }
const SENT: Record<string, SentForm> = {
  'the registration': {
    address: href('register'),
    stranger: true,
    button: 'Create account',
    route: register,
    fields: { Username: 'ann', ...MAILED, Password: 'a long password' },
  },
  'a forgotten password': {
    address: href('passwordReset'),
    stranger: true,
    button: 'Set the new password',
    route: resetPassword,
    fields: { ...MAILED, ...NEW_PASSWORD },
  },
  'a new password': {
    address: href('changePassword'),
    button: 'Change password',
    route: newPass,
    fields: { 'Old password': 'a long password', ...NEW_PASSWORD },
  },
  'a bank card': {
    address: href('addBankCard'),
    button: 'Save',
    route: setPayInfo,
    fields: { 'Card holder': 'Ann', 'Card number': '4111111111111111', 'Bank name': 'First' },
  },
  'a wallet': {
    address: href('addWallet'),
    button: 'Save',
    route: setPayInfo,
    fields: { 'Wallet address': WALLET },
  },
  'another security code': {
    address: href('securityCode', { isTrue: 'true' }),
    button: 'Change code',
    route: setSafety,
    fields: { 'Old security code': '314159', 'New security code': '271828' },
  },
  'the way back': {
    address: `${href('takeBack')}#${'a'.repeat(43)}`,
    button: 'It was not me: lock my account',
    route: takeBack,
    fields: {},
  },
}

const keysOf = (route: Route) => server().keysOf(route)

it.each(Object.entries(SENT))(
  '%s that got no answer is sent again with its key',
  async (_, form) => {
    server().answer(safetyInfo, { isTrue: true })
    server().cutOff(form.route)
    const { person } = await showApp(form.address, form)
    await fillIn(person, form.fields)
    const adult = screen.queryByRole('checkbox', { name: /^I am 18/ })
    if (adult) await person.click(adult)
    const button = await screen.findByRole('button', { name: form.button })
    for (const times of [1, 2]) {
      await person.click(button)
      await waitFor(() => expect(keysOf(form.route)).toHaveLength(times))
      await waitFor(() => expect(button.getAttribute('aria-busy')).toBe(null))
    }
    expect(new Set(keysOf(form.route)).size).toBe(1)
    if (form.route !== register) return
    await fillIn(person, { Username: '7' })
    await person.click(button)
    await waitFor(() => expect(new Set(keysOf(form.route)).size).toBe(2))
  },
)

it('after the proof that a form needs it is sent with another key, which is kept like the first', async () => {
  server().refuse(setPayInfo, { reason: 'proof_required', msg: 'Please confirm that it is you' })
  server().answer(prove, null)
  const { person } = await showApp(href('addWallet'))
  await fillIn(person, { 'Wallet address': WALLET })
  const save = screen.getByRole('button', { name: 'Save' })
  await person.click(save)
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  server().cutOff(setPayInfo)
  await fillIn(person, { 'Login password': 'a long password' })
  await person.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(keysOf(setPayInfo)).toHaveLength(2))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null))
  await person.click(save)
  await waitFor(() => expect(keysOf(setPayInfo)).toHaveLength(3))
  const [asked, sent, again] = keysOf(setPayInfo)
  expect(sent).not.toBe(asked)
  expect(again).toBe(sent)
})

it('a wallet of another type asks for its address, then for its type', async () => {
  const { person } = await showApp(href('addWallet'))
  await person.click(await screen.findByRole('radio', { name: 'Other' }))
  for (const says of ['Please enter the wallet address', 'Please enter the wallet type']) {
    await person.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saidAtFocus()).toBe(says))
    await fillIn(person, { 'Wallet address': WALLET })
  }
  expectNothingSent()
})

it('a code is sent only to an address, and the focus goes on to the code', async () => {
  const { person } = await showApp(href('passwordReset'), { stranger: true })
  await person.click(await screen.findByRole('button', { name: 'Send code' }))
  await waitFor(() => expect(saidAtFocus()).toBe('Please enter your email'))
  await fillIn(person, { Email: 'ann@example.com' })
  await person.click(screen.getByRole('button', { name: 'Send code' }))
  const sent = 'If the address can receive mail, the code is on its way'
  await waitFor(() => expect(saidAtFocus()).toBe(sent))
  const [mailed, ...more] = server().requestsOf(sendCode)
  expect(mailed?.input).toEqual({ email: 'ann@example.com', event: 'resetpwd' })
  expect(more).toEqual([])
})

it.each([
  [[], 'Please add a payment method first', href('payMethods', { type: '0' })],
  [[CARD], 'Please set a security code first', href('securityCode', { isTrue: 'false' })],
])('a withdrawal needs a method and a code first: %j', async (pay_list, says, leadsTo) => {
  server().answer(withdrawInfo, { ...WITHDRAWAL, pay_list })
  server().answer(safetyInfo, { isTrue: false })
  server().answer(payInfo, null)
  const { person } = await showApp(href('withdrawal'))
  await person.click(await screen.findByRole('button', { name: 'Continue' }))
  await screen.findByText(says)
  await waitFor(() => expect(`${location.pathname}${location.search}`).toBe(leadsTo))
})

it('a withdrawal that the server refuses shows its words', async () => {
  server().answer(withdrawInfo, { ...WITHDRAWAL, pay_list: [CARD] })
  server().answer(safetyInfo, { isTrue: true })
  server().refuse(withdrawAction, { reason: 'withdrawal_on_hold', msg: 'The bank is closed' })
  const { person } = await showApp(href('withdrawal'))
  await fillIn(person, { Amount: '100' })
  await person.click(screen.getByRole('button', { name: 'Continue' }))
  await fillIn(person, { 'Security code': '314159' })
  const popup = await screen.findByRole('alertdialog', { name: 'Transfer failed' })
  expect(popup.textContent).toContain('The bank is closed')
})

it('a withdrawal that cannot be loaded says so, and can be tried again', async () => {
  server().refuse(withdrawInfo, { reason: 'fault', msg: 'Try later' })
  const { person } = await showApp(href('withdrawal'))
  const alert = await screen.findByRole('alert')
  for (const words of ['Withdrawal information error', 'Try later'])
    expect(alert.textContent).toContain(words)
  server().answer(withdrawInfo, WITHDRAWAL)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByLabelText('Amount')
})

it('twelve digits are the first security code and its repetition, and the popup leads back', async () => {
  server().answer(userInfo, { ...PROFILE, is_safety: false })
  server().answer(setSafety, null)
  const { person } = await showApp(href('settings', { type: '2' }))
  await person.click(await screen.findByRole('link', { name: /^Security code/ }))
  await screen.findByText('It must differ from your bank card password and your login password')
  expect(screen.queryByRole('button', { name: 'Change code' })).toBe(null)
  await fillIn(person, { 'Choose six digits': '31415931415' })
  expect(server().requestsOf(setSafety)).toEqual([])
  await person.keyboard('9')
  await screen.findByRole('alertdialog', { name: 'Security code saved' })
  expect(server().requestsOf(setSafety)[0]?.input).toEqual({
    new_code: '314159',
    repeated_code: '314159',
  })
  await person.click(screen.getByRole('button', { name: 'OK' }))
  await screen.findByRole('link', { name: /^Security code/ })
})

it.each([
  ['card', '0', 'Add bank card', href('addBankCard')],
  ['wallet', '1', 'Add virtual wallet', href('addWallet')],
] as const)('without a saved %s the page leads to its form', async (_, type, name, to) => {
  server().answer(payInfo, null)
  await showApp(href('payMethods', { type }))
  expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(to)
})

it.each([true, false])(
  'the settings lead to the security code; there is one: %s',
  async (isSafe) => {
    server().answer(userInfo, { ...PROFILE, is_safety: isSafe })
    await showApp(href('settings', { type: '2' }))
    const to = href('securityCode', { isTrue: isSafe ? 'true' : 'false' })
    await waitFor(() =>
      expect(screen.getByRole('link', { name: /^Security code/ }).getAttribute('href')).toBe(to),
    )
  },
)

it('the login leads to a reset and back, and to the registration, which has the version', async () => {
  const { person } = await showApp(href('login'), { stranger: true })
  const forgot = await screen.findByRole('link', { name: 'Forgot password?' })
  expect(screen.queryByRole('button', { name: /guest/i })).toBe(null)
  await person.click(forgot)
  await person.click(await screen.findByRole('link', { name: 'Back to log in' }))
  await screen.findByRole('link', { name: 'Forgot password?' })
  await person.click(screen.getByRole('link', { name: 'Register' }))
  await screen.findByText('Version 21.04.03')
})

it('a password can be pasted', async () => {
  const { person } = await showApp(href('register'), { stranger: true })
  await person.click(await screen.findByLabelText('Password'))
  await person.paste('a long password')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('a long password')
})

it.each([
  ['Deposit', href('deposit', { group_id: '2' })],
  ['Withdraw', href('withdrawal', { group_id: '2' })],
])('a visitor who wants to %s is asked to register first, and led back', async (name, address) => {
  server().answer(userInfo, { ...PROFILE, group_id: 2 })
  const { person } = await showApp(href('me'))
  if (name === 'Deposit') {
    await person.click(await screen.findByRole('button', { name }))
    await person.click(await screen.findByText('Deposit by yourself'))
  } else await person.click(await screen.findByRole('link', { name }))
  await screen.findByText(/Please register as a full member first/)
  expect(`${location.pathname}${location.search}`).toBe(address)
  await person.click(screen.getByRole('button', { name: 'OK' }))
  await waitFor(() => expect(location.pathname).toBe(href('me')))
})
