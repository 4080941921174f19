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

it('two passwords that differ are not sent', async () => {
  const { person } = await showApp(href('passwordReset'), { stranger: true })
  await fillIn(person, { ...ENTERED, 'Confirm password': 'another passwort' })
  await person.click(document.querySelector('[type=submit]') as Element)
  await screen.findAllByText('The two passwords are inconsistent')
  expect(server().requestsOf(resetPassword)).toEqual([])
})

it('a wrong code is marked, and the input stays', async () => {
  server().refuse(resetPassword, { reason: 'email_code_wrong', msg: 'The code is wrong' })
  const { person } = await showApp(href('passwordReset'), { stranger: true })
  await fillIn(person, ENTERED)
  await person.click(document.querySelector('[type=submit]') as Element)
  await screen.findAllByText('The code is wrong')
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('ann@example.com')
})
