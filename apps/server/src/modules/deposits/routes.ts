import { recharge } from '@sum28/contract/user-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { AccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import type { UsdtTransfer } from '#src/adapters/chain/usdt-transfers.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { ReadBalance } from '#src/modules/wallet/balance.ts'
import { depositAddress } from './deposit-address.ts'
import { transfersOf } from './deposit-store.ts'

const TRANSFERS_SHOWN = 20

export function depositRoutes(deps: {
  db: Database
  balance: ReadBalance
  accountKey: AccountKey
  /** Transfers to an address that are not solid yet. */
  seenTo: (address: string) => readonly UsdtTransfer[]
}): RouteBinding[] {
  const { db, balance, accountKey, seenTo } = deps
  return [
    bind(recharge, async ({ caller }) => {
      const [money, usdt] = await Promise.all([
        balance(caller.playerId),
        depositAddress(db, accountKey, caller.playerId),
      ])
      const arrived = await transfersOf(db, caller.playerId, TRANSFERS_SHOWN)
      const done = new Set(arrived.map(({ txId }) => txId))
      return {
        money: formatAmount(money),
        usdt,
        transfers: [
          ...seenTo(usdt)
            .filter(({ txId }) => !done.has(txId))
            .map(({ txId, amountMicro, blockTime }) => ({
              tx_id: txId,
              quantity: formatAmount(amountMicro),
              status: 'seen' as const,
              createtime: Math.floor((blockTime?.getTime() ?? 0) / 1000),
            })),
          ...arrived.map(({ txId, amount, at }) => ({
            tx_id: txId,
            quantity: formatAmount(amount),
            status: 'credited' as const,
            createtime: Math.floor(at / 1000),
          })),
        ],
      }
    }),
  ]
}
