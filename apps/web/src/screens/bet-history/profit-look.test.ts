import type { BetRecord } from '@sum28/contract/replies.ts'
import { describe, expect, it } from 'vitest'
import { betFromWire } from '#src/data/bet.ts'
import { profitLook } from '#src/screens/bet-history/profit-look.ts'

const RECORD: BetRecord = {
  orderNo: 'A1',
  createtime: 1_790_000_000,
  name: 'ETH',
  plan_name: 'Basic',
  status: 0,
  whether_hit: 0,
  profit: '0.00',
  issue: '20261120138',
  quantity: '200.00',
  lottery_code: '',
  play_method: 'long, 13',
  play_type: '[1,413]',
  witnessed: null,
}

describe('a row of the bet history', () => {
  it('is pending while its round is not drawn, for any other values of the record', () => {
    const bet = betFromWire({ ...RECORD, whether_hit: 1, profit: '5.00' })
    expect(profitLook(bet)).toBe('pending')
    expect(bet.digits).toBeNull()
  })

  it('shows a win if the payout is more than the stakes', () => {
    const drawn = { status: 1, whether_hit: 1, lottery_code: '4 7 8 19' }
    const bet = betFromWire({ ...RECORD, ...drawn, profit: '0.01' })
    expect(profitLook(bet)).toBe('win')
    expect(bet.digits).toEqual([4, 7, 8])
  })

  it('shows a figure and no win if the payout is not more than the stakes', () => {
    for (const profit of ['0.00', '-8.00']) {
      const bet = betFromWire({ ...RECORD, status: 1, whether_hit: 1, profit })
      expect(profitLook(bet)).toBe('figure')
    }
  })

  it('is not profitable if nothing hit', () => {
    const bet = betFromWire({ ...RECORD, status: 1, whether_hit: 0, profit: '-200.00' })
    expect(profitLook(bet)).toBe('lost')
  })

  it('is refunded if its round was voided', () => {
    expect(profitLook(betFromWire({ ...RECORD, status: 2 }))).toBe('refunded')
  })

  it('is pending if its status is unknown to this version', () => {
    expect(profitLook(betFromWire({ ...RECORD, status: 9 }))).toBe('pending')
  })
})
