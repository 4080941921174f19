import { resetPassword } from '@sum28/contract/user-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const ENTERED = {
  Email: 'ann@example.com',
  'Verification code': '123456',
  'New password': 'another password',
  'Confirm password': 'another password',
}

it('a new password is set by a mailed code, and leads to the login', async () => {
  const { person } = await showApp(href('passwordReset'), { stranger: true })
  await fillIn(person, ENTERED)
  await person.click(document.querySelector('[type=submit]') as Element)
  await screen.findByRole('heading', { name: 'Log in' })
  expect(server().requestsOf(resetPassword)[0]?.input).toEqual({
    email: 'ann@example.com',
    captcha: '123456',
    newpassword: 'another password',
  })
})

it.each([
  ['email_code_wrong', 'Verification code'],
  ['email_code_expired', 'Verification code'],
  ['password_common', 'New password'],
  ['password_same', 'New password'],
  // By their names on the wire.
  ['invalid_input', 'Email', 'email'],
  ['invalid_input', 'Verification code', 'captcha'],
  ['invalid_input', 'New password', 'newpassword'],
] as const)(
  'a refusal for %s is marked at its field %s, and the input stays',
  async (reason, label, name?) => {
    const msg = 'Please try another'
    const data = name ? { fields: { [name]: msg } } : {}
    server().refuse(resetPassword, { reason, msg, data })
    const { person } = await showApp(href('passwordReset'), { stranger: true })
    await fillIn(person, ENTERED)
    await person.click(document.querySelector('[type=submit]') as Element)
    await screen.findAllByText(msg)
    const marked = document.querySelector('[aria-invalid="true"]')
    expect(screen.getAllByLabelText(label)).toContain(marked)
    expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('ann@example.com')
  },
)
