/** The sign-in, as a keyboard and a screen reader meet it. */
import { beginEnrolment } from '@sum28/contract/staff-own-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sample, showConsole } from '#src/testing/show-console.tsx'

it('the tab names the sign-in', async () => {
  document.title = 'Withdrawals · Sum28'
  await showConsole('/login', () => {})
  await screen.findByRole('button', { name: 'Sign in' })
  expect(document.title).toBe('Sign in · Sum28')
})

it('the focus has a place while an answer is awaited, and comes back to the button if it is refused', async () => {
  const { mock, user } = await showConsole('/login', () => {})
  mock.refuse(staffLogin, { reason: 'account_or_password_wrong', msg: 'Wrong' })
  const answer = mock.hold(staffLogin)
  await user.type(await screen.findByLabelText(/^Name/), 'ann')
  await user.type(screen.getByLabelText(/^Password/), 'a password')
  await user.type(screen.getByLabelText('Code of your authenticator'), '123456')
  const button = screen.getByRole('button', { name: 'Sign in' })
  await user.click(button)
  await waitFor(() => expect(document.activeElement?.localName).toBe('main'))
  answer()
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('in a first sign-in the focus goes to the next step, also if that is a passkey alone', async () => {
  const { user } = await showConsole('/login', (mock) =>
    mock.answer(beginEnrolment, { ...sample(beginEnrolment), passkey_required: true }),
  )
  await user.click(await screen.findByRole('button', { name: 'First sign-in' }))
  expect(document.title).toBe('Your first sign-in · Sum28')
  await user.type(screen.getByLabelText(/^Name/), 'ann')
  await user.type(screen.getByLabelText(/^First password/), 'a password')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  const name = await screen.findByLabelText(/^Name of the new passkey/)
  await waitFor(() => expect(document.activeElement).toBe(name))
})
