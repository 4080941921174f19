import { recharge } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { lineBase } from '#src/data/lines.ts'
import { moneyFromWire } from '#src/data/money.ts'

export const depositQuery = queryOptions({
  queryKey: ['deposit'],
  queryFn: async ({ signal }) => depositFromWire(await call(recharge, {}, { signal })),
})

export type DepositInfo = ReturnType<typeof depositFromWire>

function depositFromWire(reply: ReplyOf<typeof recharge>) {
  return {
    money: moneyFromWire(reply),
    usdtAddress: reply.usdt,
    bankAccount: bankAccountFromWire(reply),
    transfers: reply.transfers.map(transferFromWire),
  }
}

export type BankAccount = NonNullable<DepositInfo['bankAccount']>

/** The operator's account; `reference` names the player in a transfer. */
function bankAccountFromWire(reply: ReplyOf<typeof recharge>) {
  const { bankname: bank, banknum: number, bankxm: holder, reference } = reply
  return bank !== undefined && number !== undefined
    ? { bank, number, holder, reference }
    : undefined
}

export type Transfer = ReturnType<typeof transferFromWire>

/** Money on its way to the player's address, or arrived. */
function transferFromWire(transfer: ReplyOf<typeof recharge>['transfers'][number]) {
  const { confirmations: count, confirmations_needed: needed } = transfer
  return {
    /** The transaction's, which may hold several transfers. */
    transactionId: transfer.tx_id,
    amount: amountFromWire(transfer.quantity),
    /** `seen`: can still be reverted. `solid`: final. `returned`: it was held, and was paid back. */
    status: transfer.status,
    /** Milliseconds since 1970; 0 if the block does not say. */
    createdAt: transfer.createtime * 1_000,
    /** On its way: how many blocks confirm it, of about how many. */
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
