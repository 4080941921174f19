import { expect, it } from 'vitest'
import { entryFromWire } from '#src/data/statement-entry.ts'

const ROW = {
  id: 11,
  createtime: 1_795_209_540,
  type: 3,
  mark: 'Win in round 20261121319',
  status: 1,
  quantity: '384.123456',
  over: '25884.00',
}

it('reads a movement from the wire, to the micro-unit', () => {
  expect(entryFromWire(ROW)).toEqual({
    id: 11,
    postedAt: 1_795_209_540_000,
    kind: 'profit',
    state: 'passed',
    mark: 'Win in round 20261121319',
    amount: 384_123_456n,
    balanceAfter: 25_884_000_000n,
  })
  expect(entryFromWire({ ...ROW, type: 1, status: 0, quantity: '-100.00' })).toMatchObject({
    kind: 'withdrawal',
    state: 'waiting',
    amount: -100_000_000n,
  })
})

it('a win that pays no more than its bet cost is a part of the stake that came back', () => {
  const kindWith = (stake: string) => entryFromWire({ ...ROW, stake }).kind
  expect(kindWith('384.123455')).toBe('profit')
  expect(kindWith('384.123456')).toBe('partReturn')
  expect(kindWith('400.00')).toBe('partReturn')
})

it('recognises a returned stake by its mark', () => {
  expect(entryFromWire({ ...ROW, type: 2, mark: 'refund' })).toMatchObject({
    kind: 'refund',
    mark: '',
  })
  expect(entryFromWire({ ...ROW, type: 2 }).kind).toBe('purchase')
})

it('recognises the returned money of a rejected withdrawal by its sign', () => {
  const held = { ...ROW, type: 1, mark: 'Withdrawal', status: 2, quantity: '-100.00' }
  expect(entryFromWire(held)).toMatchObject({ kind: 'withdrawal', state: 'rejected' })
  expect(entryFromWire({ ...held, status: 1, quantity: '100.00' })).toMatchObject({
    kind: 'restored',
    state: 'passed',
    amount: 100_000_000n,
  })
})
