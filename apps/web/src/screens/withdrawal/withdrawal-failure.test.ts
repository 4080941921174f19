import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import type { Reason } from '@sum28/contract/envelope.ts'
import { describe, expect, it } from 'vitest'
import { withdrawalFailure } from '#src/screens/withdrawal/withdrawal-failure.ts'

function refused(reason: Reason, code = 0) {
  return new Refusal({ code, msg: 'no', time: '0', data: { reason } })
}

describe('a failed request for a withdrawal', () => {
  it.each([
    ['security_code_wrong', 'code_wrong'],
    ['security_code_locked', 'locked'],
    ['security_code_not_set', 'no_code'],
    ['pay_method_missing', 'no_method'],
    ['insufficient_balance', 'insufficient'],
    ['withdrawal_pending', 'refused'],
    ['withdrawal_on_hold', 'refused'],
    ['idempotency_conflict', 'refused'],
  ] as const)('that was refused for %s means %s', (reason, meaning) => {
    expect(withdrawalFailure(refused(reason))).toBe(meaning)
  })

  it('may have been made if no answer came, or a broken one', () => {
    expect(withdrawalFailure(new Unreachable({ timedOut: true }))).toBe('unanswered')
    expect(withdrawalFailure(new Unreachable({ timedOut: false }))).toBe('unanswered')
    expect(withdrawalFailure(refused('fault', 500))).toBe('unanswered')
    expect(withdrawalFailure(new Error('something'))).toBe('unanswered')
  })
})
