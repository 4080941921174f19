import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import type { RefusalData } from '@sum28/contract/envelope.ts'
import { describe, expect, it } from 'vitest'
import { resetFaults } from '#src/screens/password-reset/reset-faults.ts'

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
