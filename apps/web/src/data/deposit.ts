import { recharge } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { lineBase } from '#src/data/lines.ts'

export type DepositInfo = ReplyOf<typeof recharge>

/** The ways to deposit, and the player's transfers. */
export const depositQuery = queryOptions({
  queryKey: ['deposit'],
  queryFn: ({ signal }) => call(recharge, {}, { signal }),
})

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
