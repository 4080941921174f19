import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import type { RefusalData } from '@sum28/contract/envelope.ts'
import { resetPassword } from '@sum28/contract/user-routes.ts'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { resetFaults } from '#src/screens/password-reset/password-reset-screen.tsx'
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

it('a wrong code is marked, and the input stays', async () => {
  server().refuse(resetPassword, { reason: 'email_code_wrong', msg: 'The code is wrong' })
  const { person } = await showApp(href('passwordReset'), { stranger: true })
  await fillIn(person, ENTERED)
  await person.click(document.querySelector('[type=submit]') as Element)
  await screen.findAllByText('The code is wrong')
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('ann@example.com')
})

const NONE = { email: undefined, code: undefined, password: undefined }

describe('the faults of a password reset', () => {
  it.each(['email_code_wrong', 'email_code_expired'] as const)(
    'are shown at the code for %s',
    (reason) => {
      expect(resetFaults(refusal({ reason }, 'The code is wrong'))).toEqual({
        ...NONE,
        code: 'The code is wrong',
      })
    },
  )

  it.each(['password_common', 'password_same'] as const)(
    'are shown at the password for %s',
    (reason) => {
      const fault = refusal({ reason }, 'Please choose another')
      expect(resetFaults(fault)).toEqual({ ...NONE, password: 'Please choose another' })
    },
  )

  it('are shown at each field that the server names, by its name on the wire', () => {
    const fields = { email: 'no address', captcha: 'six digits', newpassword: 'too short' }
    expect(resetFaults(refusal({ reason: 'invalid_input', fields }, 'Wrong input'))).toEqual({
      email: 'no address',
      code: 'six digits',
      password: 'too short',
    })
  })

  it('are shown at no field if the refusal names none', () => {
    expect(resetFaults(refusal({ reason: 'account_locked' }, 'Locked'))).toEqual(NONE)
    expect(resetFaults(new Unreachable({ timedOut: true }))).toEqual(NONE)
  })
})

function refusal(data: RefusalData, msg: string): Refusal {
  return new Refusal({ code: 0, msg, time: '0', data })
}
