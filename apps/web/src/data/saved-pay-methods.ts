/** The saved pay methods: one bank card and one virtual wallet at most. */
import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import { bareCardNumber } from '@sum28/domain/card-number.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import {
  numberOfKind,
  type PayKind,
  type PayMethod,
  payMethodFromWire,
} from '#src/data/pay-method.ts'
import { queryClient } from '#src/data/query-client.ts'
import { withdrawalQuery } from '#src/data/withdrawal.ts'

/** The saved method of a kind, or null. */
export function payMethodQuery(kind: PayKind) {
  return queryOptions({
    queryKey: ['pay-method', kind],
    queryFn: async ({ signal }): Promise<PayMethod | null> => {
      const item = await call(payInfo, { type: numberOfKind(kind) }, { signal })
      return item && payMethodFromWire(item)
    },
  })
}

/** Saves a bank card in place of the old one. Rejects with a message for each wrong field. */
export function saveBankCard(card: {
  holder: string
  /** May have spaces and dashes. */
  number: string
  bank: string
  branchCode: string
  branchName: string
}): Promise<void> {
  return save('card', {
    acc: card.holder,
    acc_name: bareCardNumber(card.number),
    acc_bank: card.bank,
    sub: card.branchCode,
    sub_name: card.branchName,
  })
}

/** Saves a wallet in place of the old one. Rejects with a message for each wrong field. */
export function saveWallet(wallet: { address: string; type: string }): Promise<void> {
  return save('wallet', { acc: wallet.address, acc_name: wallet.type })
}

type Fields = { acc: string; acc_name: string; acc_bank?: string; sub?: string; sub_name?: string }

async function save(kind: PayKind, fields: Fields): Promise<void> {
  const saved = await call(setPayInfo, { type: numberOfKind(kind), ...fields })
  queryClient.setQueryData(payMethodQuery(kind).queryKey, payMethodFromWire(saved))
  // The server decides what the change means for withdrawals.
  queryClient.removeQueries({ queryKey: withdrawalQuery.queryKey })
}
