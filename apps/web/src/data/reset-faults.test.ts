import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import type { RefusalData } from '@sum28/contract/envelope.ts'
import { describe, expect, it } from 'vitest'
import { resetFaults } from '#src/data/reset-faults.ts'

const NONE = { email: undefined, code: undefined, password: undefined }

describe('what is wrong with a password reset', () => {
  it.each(['email_code_wrong', 'email_code_expired'] as const)(
    'is told at the code for %s',
    (reason) => {
      expect(resetFaults(refusal({ reason }, 'The code is wrong'))).toEqual({
        ...NONE,
        code: 'The code is wrong',
      })
    },
  )

  it.each(['password_common', 'password_same'] as const)(
    'is told at the password for %s',
    (reason) => {
      const fault = refusal({ reason }, 'Please choose another')
      expect(resetFaults(fault)).toEqual({ ...NONE, password: 'Please choose another' })
    },
  )

  it('is told at each field that the server names, under its names on the wire', () => {
    const fields = { email: 'no address', captcha: 'six digits', newpassword: 'too short' }
    expect(resetFaults(refusal({ reason: 'invalid_input', fields }, 'Wrong input'))).toEqual({
      email: 'no address',
      code: 'six digits',
      password: 'too short',
    })
  })

  it('is told at no field where it is about none', () => {
    expect(resetFaults(refusal({ reason: 'account_locked' }, 'Locked'))).toEqual(NONE)
    expect(resetFaults(new Unreachable({ timedOut: true }))).toEqual(NONE)
  })
})

function refusal(data: RefusalData, msg: string): Refusal {
  return new Refusal({ code: 0, msg, time: '0', data })
}
