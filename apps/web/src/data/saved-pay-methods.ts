import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import { bareCardNumber } from '@sum28/domain/card-number.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { fieldFaults } from '#src/data/failure.ts'
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

export type EnteredCard = {
  holder: string
  /** May have spaces and dashes. */
  number: string
  bank: string
  branchCode: string
  branchName: string
}

/** Saves a bank card in place of the old one. Rejects with a message for each wrong field. */
export function saveBankCard(card: EnteredCard, idempotencyKey: string): Promise<void> {
  const fields = {
    acc: card.holder,
    acc_name: bareCardNumber(card.number),
    acc_bank: card.bank,
    sub: card.branchCode,
    sub_name: card.branchName,
  }
  return save('card', fields, idempotencyKey)
}

export function bankCardFaults(error: unknown) {
  const { acc: holder, acc_name: number, acc_bank: bank, sub, sub_name } = fieldFaults(error)
  return { holder, number, bank, branchCode: sub, branchName: sub_name }
}

/** Saves a wallet in place of the old one. Rejects with a message for each wrong field. */
export function saveWallet(
  wallet: { address: string; type: string },
  idempotencyKey: string,
): Promise<void> {
  return save('wallet', { acc: wallet.address, acc_name: wallet.type }, idempotencyKey)
}

export function walletFaults(error: unknown) {
  const { acc: address, acc_name: type } = fieldFaults(error)
  return { address, type }
}

type Fields = { acc: string; acc_name: string; acc_bank?: string; sub?: string; sub_name?: string }

async function save(kind: PayKind, fields: Fields, idempotencyKey: string): Promise<void> {
  const request = { type: numberOfKind(kind), ...fields }
  const saved = await call(setPayInfo, request, { idempotencyKey })
  queryClient.setQueryData(payMethodQuery(kind).queryKey, payMethodFromWire(saved))
  // The server decides what the change means for withdrawals.
  queryClient.removeQueries({ queryKey: withdrawalQuery.queryKey })
}
