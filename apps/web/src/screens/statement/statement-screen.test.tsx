import { quantityLogList } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { entryFromWire } from '#src/screens/statement/statement-screen.tsx'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const WIN: LedgerRow = {
  id: 11,
  createtime: 1_795_209_540,
  type: 3,
  mark: 'Win in round 20261121319',
  status: 1,
  quantity: '384.123456',
  over: '25884.000001',
}

it('each movement tells its kind, its state, all its decimals and the balance after it', async () => {
  const list = [
    { type: 0, quantity: '1000.00' },
    { type: 1, quantity: '-100.00', status: 0 },
    { type: 1, quantity: '-200.00' },
    { type: 1, quantity: '-300.00', status: 2 },
    { type: 1, quantity: '300.00' },
    { type: 2, quantity: '-10.00', mark: 'Bet' },
    { type: 3, quantity: '19.123456', stake: '10.00' },
    { type: 3, quantity: '9.123456', stake: '10.00' },
    { type: 4, quantity: '5.00' },
    { type: 2, quantity: '10.00', mark: 'refund' },
  ].map((row, at) => ({ ...WIN, mark: '', ...row, id: 20 - at }))
  server().answer(quantityLogList, { list, total: 10, page: 1 })
  await showApp(href('statement'))
  await screen.findByText('+1,000.00')
  const main = within(document.querySelector('main') as HTMLElement)
  const says = [
    /^Deposit.*\+1,000\.00.*25,884\.000001/,
    /^Withdrawal\s*Waiting.*−100\.00/,
    /^Withdrawal\s*Approved.*−200\.00/,
    /^Withdrawal\s*Rejected.*−300\.00/,
    /^Withdrawal returned.*\+300\.00/,
    /^Purchase.*−10\.00/,
    /^Profit.*\+19\.123456/,
    /^Part of the stake back.*\+9\.123456/,
    /^Bonus.*\+5\.00/,
    /^Refund.*\+10\.00/,
  ]
  const texts = main.getAllByRole('listitem').map((item) => item.textContent)
  expect(texts).toEqual(says.map((words) => expect.stringMatching(words)))
})

it('reads a movement from the wire, to the micro-unit', () => {
  expect(entryFromWire(WIN)).toEqual({
    id: 11,
    postedAt: 1_795_209_540_000,
    kind: 'profit',
    state: 'passed',
    mark: 'Win in round 20261121319',
    amount: 384_123_456n,
    balanceAfter: 25_884_000_001n,
  })
})

it('a win that pays no more than its bet cost is a part of the stake that came back', () => {
  const kindWith = (stake: string) => entryFromWire({ ...WIN, stake }).kind
  expect(kindWith('384.123455')).toBe('profit')
  expect(kindWith('384.123456')).toBe('partReturn')
  expect(kindWith('400.00')).toBe('partReturn')
})

it('recognises a returned stake by its mark', () => {
  const returned = entryFromWire({ ...WIN, type: 2, mark: 'refund' })
  expect(returned).toMatchObject({ kind: 'refund', mark: '' })
})
