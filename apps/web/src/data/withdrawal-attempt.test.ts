import { describe, expect, it } from 'vitest'
import { type Withdrawal, withdrawalAttemptFor } from '#src/data/withdrawal-attempt.ts'

const method = {
  kind: 'wallet',
  id: 8,
  address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  type: 'TRC20 (USDT)',
} as const
const withdrawal: Withdrawal = { method, amount: 150_000_000n }

function keys() {
  let made = 0
  return () => `key-${++made}`
}

describe('the key of a withdrawal', () => {
  it('is reused when the same withdrawal is sent again after no answer came', () => {
    const newKey = keys()
    const first = withdrawalAttemptFor(withdrawal, null, newKey)
    const again = withdrawalAttemptFor({ ...withdrawal, method: { ...method } }, first, newKey)
    expect(again.key).toBe('key-1')
  })

  it('is a new one after every answer', () => {
    const newKey = keys()
    withdrawalAttemptFor(withdrawal, null, newKey)
    expect(withdrawalAttemptFor(withdrawal, null, newKey).key).toBe('key-2')
  })

  it.each([{ amount: 150_000_001n }, { method: { ...method, id: 9 } }])(
    'is a new one when the withdrawal is another',
    (change) => {
      const newKey = keys()
      const first = withdrawalAttemptFor(withdrawal, null, newKey)
      expect(withdrawalAttemptFor({ ...withdrawal, ...change }, first, newKey).key).toBe('key-2')
    },
  )
})
