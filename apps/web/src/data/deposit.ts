import { recharge } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { lineBase } from '#src/data/lines.ts'
import { type Money, moneyFromWire } from '#src/data/money.ts'

/** Money on its way to the player's address, or arrived. */
export type Transfer = {
  /** The transaction's, which may hold several transfers. */
  readonly transactionId: string
  readonly amount: Amount
  /** `seen`: can still be reverted. `solid`: final. `returned`: it was held, and was paid back. */
  readonly status: 'seen' | 'solid' | 'credited' | 'returned'
  /** Milliseconds since 1970; 0 if the block does not say. */
  readonly createdAt: number
  /** On its way: how many blocks confirm it, of about how many. */
  readonly confirmations: { readonly count: number; readonly needed: number } | null
}

/** The operator's account. */
export type BankAccount = {
  readonly bank: string
  readonly number: string
  readonly holder: string | undefined
  /** Names the player in a transfer. */
  readonly reference: string | undefined
}

/** The player's balance, the ways to deposit that there are, and his transfers, newest first. */
export type DepositInfo = {
  readonly money: Money
  readonly usdtAddress: string | undefined
  readonly bankAccount: BankAccount | undefined
  readonly transfers: readonly Transfer[]
}

export const depositQuery = queryOptions({
  queryKey: ['deposit'],
  queryFn: async ({ signal }): Promise<DepositInfo> => {
    const reply = await call(recharge, {}, { signal })
    return {
      money: moneyFromWire(reply),
      usdtAddress: reply.usdt,
      bankAccount: bankAccountFromWire(reply),
      transfers: reply.transfers.map(transferFromWire),
    }
  },
})

function bankAccountFromWire(reply: ReplyOf<typeof recharge>): BankAccount | undefined {
  const { bankname: bank, banknum: number, bankxm: holder, reference } = reply
  return bank !== undefined && number !== undefined
    ? { bank, number, holder, reference }
    : undefined
}

function transferFromWire(transfer: ReplyOf<typeof recharge>['transfers'][number]): Transfer {
  const { confirmations: count, confirmations_needed: needed } = transfer
  return {
    transactionId: transfer.tx_id,
    amount: amountFromWire(transfer.quantity),
    status: transfer.status,
    createdAt: transfer.createtime * 1_000,
    confirmations: count !== undefined && needed !== undefined ? { count, needed } : null,
  }
}

/**
 * In the demo only: makes the local TRON node send test USDT. It arrives like any deposit. Rejects
 * if the node refuses or does not answer.
 *
 * @param amount plain decimal, at most six decimals
 */
export async function sendTestUsdt(transfer: { to: string; amount: string }): Promise<void> {
  const reply = await fetch(`${lineBase()}/dev/chain/transfer`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(transfer),
    signal: AbortSignal.timeout(7_000),
  })
  if (!reply.ok) throw new Error(`the test network answered ${reply.status}`)
}
