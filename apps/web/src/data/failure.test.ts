import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import type { RefusalData } from '@sum28/contract/envelope.ts'
import { describe, expect, it } from 'vitest'
import { faultsBy } from '#src/data/failure.ts'

function faultsOf(data: RefusalData) {
  const refusal = new Refusal({ code: 0, msg: 'The code is wrong', time: '0', data })
  return faultsBy(refusal, { email: 'email', email_code_wrong: 'code', captcha: 'code' })
}

describe('the faults of a form', () => {
  it('are shown at the field that the reason is about', () => {
    expect(faultsOf({ reason: 'email_code_wrong' })).toEqual({ code: 'The code is wrong' })
  })

  it('are shown at each field that the server names, by its name on the wire', () => {
    const fields = { email: 'no address', captcha: 'six digits' }
    expect(faultsOf({ reason: 'invalid_input', fields })).toEqual({
      email: 'no address',
      code: 'six digits',
    })
  })

  it('are shown at no field if the refusal names none, or there is no answer', () => {
    expect(faultsOf({ reason: 'account_locked' })).toEqual({})
    expect(faultsBy(new Unreachable({ timedOut: true }), { email: 'email' })).toEqual({})
  })
})
