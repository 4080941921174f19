import { describe, expect, it } from 'vitest'
import { betFromWire, orderNoOfItem, verdictOf } from '#src/data/bet.ts'

const RECORD = {
  orderNo: '2026112100000001',
  createtime: 1_795_209_510,
  game_id: 1,
  name: 'DOT',
  plan_name: 'Basic',
  status: 1,
  whether_hit: 1,
  profit: '184.00',
  issue: '20261121319',
  quantity: '200.00',
  lottery_code: '7 4 9 20',
  play_method: 'long, 20',
  play_type: '[1,420]',
  witnessed: true,
}

describe('a bet of the history', () => {
  it('is read from the wire', () => {
    expect(betFromWire(RECORD)).toEqual({
      orderNo: '2026112100000001',
      placedAt: 1_795_209_510_000,
      gameId: 1,
      game: 'DOT',
      room: 'Basic',
      roundId: '20261121319',
      result: 'won',
      staked: 200_000_000n,
      profit: 184_000_000n,
      digits: [7, 4, 9],
      outcomes: ['long', '20'],
      witnessed: true,
    })
  })

  it.each(['', '1 2', '12 3 4 19', 'x y z 1'])('has no digits where %j is no draw', (code) => {
    expect(betFromWire({ ...RECORD, lottery_code: code }).digits).toBeNull()
  })

  it('is pending, won, lost or refunded, and pending if its status is unknown to this version', () => {
    const result = (status: number, whether_hit: number) =>
      betFromWire({ ...RECORD, status, whether_hit }).result
    expect(result(0, 0)).toBe('pending')
    expect(result(1, 1)).toBe('won')
    expect(result(1, 0)).toBe('lost')
    expect(result(2, 0)).toBe('refunded')
    expect(result(9, 0)).toBe('pending')
  })
})

describe('the address of a bet', () => {
  it('contains only the order number of the record', () => {
    expect(orderNoOfItem(JSON.stringify(RECORD))).toBe('2026112100000001')
  })

  it('contains no order number if it has no record', () => {
    for (const item of [undefined, '', 'x', 'null', '[]', '{}', '{"orderNo":7}']) {
      expect(orderNoOfItem(item)).toBeNull()
    }
    expect(orderNoOfItem('{"orderNo":"<img onerror=1>"}')).toBeNull()
  })
})

describe('the verdict on a bet', () => {
  it.each([
    ['won', 1n, 'won'],
    ['won', 0n, 'lost'],
    ['won', -8_000_000n, 'lost'],
    ['lost', -1n, 'lost'],
    ['pending', 0n, 'pending'],
    ['refunded', 0n, 'refunded'],
  ] as const)('is, when it %s with a profit of %d: %s', (result, profit, verdict) => {
    expect(verdictOf({ result, profit })).toBe(verdict)
  })
})
