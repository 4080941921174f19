import { quantityLogList } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { entryFromWire } from '#src/screens/statement/statement-screen.tsx'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const ROW: LedgerRow = {
  id: 1,
  createtime: 1_795_000_000,
  type: 0,
  mark: '',
  status: 1,
  quantity: '50.000001',
  over: '150.000001',
}

it('a movement shows all its decimals and the balance after it', async () => {
  server().answer(quantityLogList, { list: [ROW], total: 1, page: 1 })
  await showApp(href('statement'))
  await screen.findByText('+50.000001')
  await screen.findByText('150.000001')
})

it('a rejected withdrawal and its returned money are distinguished', async () => {
  const rejected = { ...ROW, id: 2, type: 1, status: 2, quantity: '-20.00' }
  const returned = { ...ROW, id: 3, type: 1, quantity: '20.00' }
  server().answer(quantityLogList, { list: [returned, rejected], total: 2, page: 1 })
  await showApp(href('statement'))
  await screen.findByText('Rejected')
  await screen.findByText('Withdrawal returned')
})

const WIN = {
  id: 11,
  createtime: 1_795_209_540,
  type: 3,
  mark: 'Win in round 20261121319',
  status: 1,
  quantity: '384.123456',
  over: '25884.00',
}

it('reads a movement from the wire, to the micro-unit', () => {
  expect(entryFromWire(WIN)).toEqual({
    id: 11,
    postedAt: 1_795_209_540_000,
    kind: 'profit',
    state: 'passed',
    mark: 'Win in round 20261121319',
    amount: 384_123_456n,
    balanceAfter: 25_884_000_000n,
  })
  expect(entryFromWire({ ...WIN, type: 1, status: 0, quantity: '-100.00' })).toMatchObject({
    kind: 'withdrawal',
    state: 'waiting',
    amount: -100_000_000n,
  })
})

it('a win that pays no more than its bet cost is a part of the stake that came back', () => {
  const kindWith = (stake: string) => entryFromWire({ ...WIN, stake }).kind
  expect(kindWith('384.123455')).toBe('profit')
  expect(kindWith('384.123456')).toBe('partReturn')
  expect(kindWith('400.00')).toBe('partReturn')
})

it('recognises a returned stake by its mark', () => {
  expect(entryFromWire({ ...WIN, type: 2, mark: 'refund' })).toMatchObject({
    kind: 'refund',
    mark: '',
  })
  expect(entryFromWire({ ...WIN, type: 2 }).kind).toBe('purchase')
})

it('recognises the returned money of a rejected withdrawal by its sign', () => {
  const held = { ...WIN, type: 1, mark: 'Withdrawal', status: 2, quantity: '-100.00' }
  expect(entryFromWire(held)).toMatchObject({ kind: 'withdrawal', state: 'rejected' })
  expect(entryFromWire({ ...held, status: 1, quantity: '100.00' })).toMatchObject({
    kind: 'restored',
    state: 'passed',
    amount: 100_000_000n,
  })
})
