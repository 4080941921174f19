import { CODES } from '@sum28/contract/envelope.ts'
import { withdrawInfo } from '@sum28/contract/money-routes.ts'
import { closeAccount, closing } from '@sum28/contract/own-routes.ts'
import { prove, secondFactor } from '@sum28/contract/passkey-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { queryClient } from '#src/data/query-client.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { href } from '#src/navigation/routes.ts'
import { closingQuery } from '#src/screens/close-account/close-account-screen.tsx'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { WITHDRAWABLE } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const EMPTY = {
  running: '0.00',
  withdrawing: '0.00',
  held: '0.00',
  balance: '0.00',
  withdraw_min: '100.00',
  may_close: true,
  kept_days: 1_826,
}

/** Enters the password; returns how the button is pressed, which the question has too. */
async function fillForm(rest: Partial<typeof EMPTY> = {}) {
  server().answer(closing, { ...EMPTY, ...rest })
  const { person } = await showApp(href('closeAccount'))
  await fillIn(person, { 'Login password': 'a long password' })
  const press = () => person.click(screen.getByRole('button', { name: 'Close for good' }))
  return { person, press }
}

const question = () => screen.findByRole('alertdialog', { name: 'Close your account for good?' })

/** Enters the password, and says that the account is to be closed for good. */
async function confirmClosing() {
  const { person, press } = await fillForm()
  await press()
  await question()
  await press()
  return person
}

it('open bets and money are listed with links, and there is no form to close the account', async () => {
  server().answer(closing, { ...EMPTY, running: '50.00', balance: '300.00', may_close: false })
  await showApp(href('closeAccount'))
  await screen.findByText('Something is still open')
  screen.getByText('Running bets')
  screen.getByText(/300\.00/)
  screen.getByRole('link', { name: 'Withdraw the balance' })
  expect(screen.queryByText('Held deposit')).toBeNull()
  expect(screen.queryByLabelText('Login password')).toBeNull()
})

it('the account is closed after the password and a confirmation, and the session is deleted', async () => {
  server().answer(closeAccount, null)
  const { press } = await fillForm()
  await press()
  await question()
  expect(server().requestsOf(closeAccount)).toEqual([])
  await press()
  await waitFor(() => expect(currentSession()).toBeNull())
  expect(location.pathname).toBe('/')
  expect(server().requestsOf(closeAccount)[0]?.input).toMatchObject({ password: 'a long password' })
})

it('a player whose second factor is on confirms that it is him, and then the account is closed', async () => {
  server().answer(secondFactor, { since: 1_795_000_000, app: true, recovery_codes: 10 })
  server().refuse(closeAccount, { reason: 'proof_required', msg: 'Please confirm it is you' })
  const person = await confirmClosing()
  const sheet = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  server().answer(prove, null)
  server().answer(closeAccount, null)
  await person.type(sheet.getByLabelText('Login password'), 'a long password')
  await person.type(await sheet.findByLabelText(/code/i), '123456')
  await person.click(sheet.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(currentSession()).toBeNull())
  expect(server().requestsOf(prove)[0]?.input).toEqual({
    password: 'a long password',
    code: '123456',
  })
  expect(server().requestsOf(closeAccount)).toHaveLength(2)
})

it('a player who does not confirm that it is him keeps the account, and can try again', async () => {
  server().refuse(closeAccount, { reason: 'proof_required', msg: 'Please confirm it is you' })
  const person = await confirmClosing()
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await person.click(screen.getByRole('button', { name: 'Close for good' }))
  await question()
  expect(currentSession()).not.toBeNull()
})

describe('while the account is being closed, another call is told that the session has ended', () => {
  async function closeSlowly() {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const answerClosing = server().hold(closeAccount)
    await confirmClosing()
    await waitFor(() => expect(server().requestsOf(closeAccount)).toHaveLength(1))
    server().refuse(closing, {
      reason: 'session_unknown',
      code: CODES.tokenUnknown,
      msg: 'Please log in again',
    })
    const count = server().requestsOf(closing).length
    void queryClient.refetchQueries(closingQuery)
    // The screen itself asks from time to time too.
    await waitFor(() => expect(server().requestsOf(closing).length).toBeGreaterThan(count))
    // Its answer has been read by now.
    await new Promise((done) => setTimeout(done, 50))
    expect(reload).not.toHaveBeenCalled()
    return { reload, answerClosing }
  }

  it('the player still comes home and is told', async () => {
    server().answer(closeAccount, null)
    const { reload, answerClosing } = await closeSlowly()
    answerClosing()
    await screen.findByText('Your account is closed')
    expect(location.pathname).toBe('/')
    expect(currentSession()).toBeNull()
    expect(reload).not.toHaveBeenCalled()
  })

  it('and the closing is refused: the page is loaded again without the session', async () => {
    server().refuse(closeAccount, { reason: 'something_open', msg: 'Something is still open' })
    const { reload, answerClosing } = await closeSlowly()
    answerClosing()
    await waitFor(() => expect(reload).toHaveBeenCalled())
    expect(currentSession()).toBeNull()
  })
})

it('a player whose account an earlier try has closed comes home and is told', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  server().refuse(closeAccount, {
    reason: 'session_replaced',
    code: CODES.tokenReplaced,
    msg: 'Please log in again',
    data: { cause: 'account_closed' },
  })
  await confirmClosing()
  await screen.findByText('Your account is closed')
  expect([location.pathname, currentSession()]).toEqual(['/', null])
  expect(reload).not.toHaveBeenCalled()
})

it('a wrong password closes nothing and is marked', async () => {
  server().refuse(closeAccount, { reason: 'password_wrong', msg: 'The password is wrong' })
  await confirmClosing()
  await screen.findAllByText('The password is wrong')
  expect(screen.getByLabelText('Login password').getAttribute('aria-invalid')).toBe('true')
  expect(currentSession()).not.toBeNull()
})

it('a rest of less than a hundredth of a unit, which nobody pays, is not asked about', async () => {
  const { press } = await fillForm({ balance: '0.009999' })
  expect(screen.queryByText('Where should the rest be paid to?')).toBe(null)
  await press()
  await question()
})

it('a small rest is paid out by a saved method with the security code, or left booked', async () => {
  server().answer(closeAccount, null)
  server().answer(withdrawInfo, { ...WITHDRAWABLE, money: '7.25', min: '100.00' })
  const { person, press } = await fillForm({ balance: '7.25' })
  await press()
  const fault = await screen.findByText('Please choose what happens to the rest')
  expect(document.activeElement).toBe(screen.getAllByRole('radio')[0])
  expect(document.activeElement?.getAttribute('aria-describedby')).toBe(fault.id)
  screen.getByText(/ask support for it later, before your account is made anonymous/)
  await person.click(await screen.findByRole('radio', { name: /First Bank/ }))
  await fillIn(person, { 'Security code': '271828' })
  await press()
  await question()
  await press()
  await waitFor(() => expect(currentSession()).toBeNull())
  expect(server().requestsOf(closeAccount)[0]?.input).toMatchObject({
    password: 'a long password',
    pay_id: 3,
    security_code: '271828',
  })
})
