import { describe, expect, it } from 'vitest'
import {
  kindOfNumber,
  maskedNumber,
  numberOfKind,
  payMethodFromWire,
  payMethodName,
} from '#src/data/pay-method.ts'

const CARD = {
  id: 7,
  acc: 'Nguyễn Minh Anh',
  acc_name: '4242',
  acc_bank: 'Vietcombank',
  sub: '',
  sub_name: 'Hà Nội',
  status: '1',
} as const

const WALLET = {
  id: 8,
  acc: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  acc_name: 'TRC20 (USDT)',
  acc_bank: '',
  sub: '',
  sub_name: '',
  status: '0',
} as const

describe('a pay method', () => {
  it('is a bank card if its status is 1', () => {
    const method = payMethodFromWire(CARD)
    expect(method).toMatchObject({ kind: 'card', id: 7, holder: 'Nguyễn Minh Anh' })
    expect([payMethodName(method), maskedNumber(method)]).toEqual(['Vietcombank', '•••• 4242'])
  })

  it('is a virtual wallet if its status is 0', () => {
    const method = payMethodFromWire(WALLET)
    expect(method).toMatchObject({ kind: 'wallet', id: 8, address: WALLET.acc })
    expect([payMethodName(method), maskedNumber(method)]).toEqual(['TRC20 (USDT)', 'TUEZSd…GWYdH'])
  })

  it('shows only the last four digits, for any kind of masking', () => {
    const method = payMethodFromWire({ ...CARD, acc_name: '**** **** **** 1881' })
    expect(maskedNumber(method)).toBe('•••• 1881')
  })
})

describe('the type in an address', () => {
  it('is 0 for a bank card and 1 for a virtual wallet', () => {
    expect([numberOfKind('card'), numberOfKind('wallet')]).toEqual(['0', '1'])
    expect([kindOfNumber('0'), kindOfNumber('1')]).toEqual(['card', 'wallet'])
  })

  it.each([undefined, '', '2', '-1', 'wallet', '0.5'])(
    'means a bank card where it is %j',
    (type) => {
      expect(kindOfNumber(type)).toBe('card')
    },
  )
})
