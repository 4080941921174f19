import { expect, it } from 'vitest'
import {
  keyedTransfers,
  newlyCredited,
  type Transfer,
} from '#src/screens/deposit/deposit-transfers.ts'

it('finds the transfers that were credited since the last reply', () => {
  const seen = (tx_id: string): Transfer => ({
    tx_id,
    quantity: '10.00',
    status: 'seen',
    createtime: 1_790_000_000,
  })
  const credited = (tx_id: string): Transfer => ({ ...seen(tx_id), status: 'credited' })
  const before = [seen('b'), credited('a')]
  // One was seen before; another one arrived between two looks.
  const after = [seen('d'), credited('c'), credited('b'), credited('a')]
  expect(newlyCredited(before, after).map(({ tx_id }) => tx_id)).toEqual(['c', 'b'])
  expect(newlyCredited(after, after)).toEqual([])
})

it('distinguishes several transfers of one transaction', () => {
  const transfer = (status: Transfer['status'], quantity: string): Transfer => ({
    tx_id: 'a',
    quantity,
    status,
    createtime: 1_790_000_000,
  })
  const before = [transfer('solid', '1.00'), transfer('solid', '2.00')]
  const after = [transfer('credited', '1.00'), transfer('credited', '2.00')]
  expect(keyedTransfers(after).map(({ key }) => key)).toEqual(['a:0', 'a:1'])
  expect(newlyCredited(before, after).map(({ quantity }) => quantity)).toEqual(['1.00', '2.00'])
})
