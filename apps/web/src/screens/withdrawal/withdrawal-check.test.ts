import { describe, expect, it } from 'vitest'
import { checkWithdrawal } from '#src/screens/withdrawal/withdrawal-check.ts'

const wallet = {
  kind: 'wallet',
  id: 8,
  address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  type: 'TRC20 (USDT)',
} as const

const good = {
  methods: [wallet],
  hasSecurityCode: true,
  amount: '150',
  tag: 'en',
  methodId: '8',
  min: 100_000_000n,
  balance: 500_000_000n,
}

function faultOf(change: Partial<typeof good> | { methods: [] }) {
  const checked = checkWithdrawal({ ...good, ...change })
  return checked.ok ? null : checked.fault
}

describe('a withdrawal', () => {
  it('is reviewed if it has no fault', () => {
    expect(checkWithdrawal(good)).toEqual({
      ok: true,
      withdrawal: { method: wallet, amount: 150_000_000n },
    })
  })

  it('is checked in the specified order of faults', () => {
    const all = { methods: [], hasSecurityCode: false, amount: '', methodId: '' } as const
    const mended = [
      {},
      { methods: [wallet] },
      { hasSecurityCode: true },
      { amount: '1.234' },
      { amount: '99.99' },
      { amount: '500.01' },
      { methodId: '8' },
      { amount: '500' },
    ]
    let wish = { ...good, ...all }
    const faults = mended.map((change) => {
      wish = { ...wish, ...change } as typeof wish
      const checked = checkWithdrawal(wish)
      return checked.ok ? null : checked.fault
    })
    expect(faults).toEqual([
      'no_method_saved',
      'no_security_code',
      'amount_missing',
      'amount_wrong',
      'below_minimum',
      'no_method_chosen',
      'insufficient_balance',
      null,
    ])
  })

  it.each(['100', '100.00', '100,00', ' 100.5 ', '500', '１００'])('may be of %j', (amount) => {
    expect(faultOf({ amount })).toBeNull()
  })

  it.each(['1e3', '-200', '10,00.00', 'all', '100.001'])('is no amount as %j', (amount) => {
    expect(faultOf({ amount })).toBe('amount_wrong')
  })

  it('is of 1,284 units if the language writes them as 1.284', () => {
    const rich = { ...good, balance: 5_000_000_000n }
    for (const amount of ['1.284', '1.284,00', '1284']) {
      expect(checkWithdrawal({ ...rich, amount, tag: 'vi' })).toMatchObject({
        withdrawal: { amount: 1_284_000_000n },
      })
    }
  })

  it('may not be of more than the balance, for any amount', () => {
    expect(faultOf({ amount: '500.01' })).toBe('insufficient_balance')
    expect(faultOf({ amount: '9'.repeat(40) })).toBe('insufficient_balance')
  })

  it('needs a saved pay method', () => {
    expect(faultOf({ methodId: '9' })).toBe('no_method_chosen')
    expect(faultOf({ methods: [] })).toBe('no_method_saved')
  })
})
