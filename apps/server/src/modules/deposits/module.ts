/** Deposits: addresses for USDT, bank transfers, and unmatched transfers. */
import type { AccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import type { ReadBalance } from '#src/modules/wallet/balance.ts'
import type { Resources } from '#src/resources.ts'
import { bankAccountOf } from './bank-deposit-store.ts'
import { depositRoutes, depositStaffRoutes } from './routes.ts'
import type { TransferOnItsWay } from './transfer-on-its-way.ts'

export function depositsModule(
  deps: Pick<Resources, 'db' | 'timeZone' | 'now'> & {
    balance: ReadBalance
    accountKey: AccountKey
    /** The chain that is watched. */
    chain: string
    /** Transfers to an address that are in a block and not credited yet. */
    seenTo: (address: string) => readonly TransferOnItsWay[]
  },
) {
  const { db, timeZone, now, balance, accountKey, chain, seenTo } = deps
  return {
    /** Whether there is a bank account that players can send to. */
    takesBankDeposits: async () => (await bankAccountOf(db)) !== null,
    routes: [
      ...depositRoutes({ db, balance, accountKey, chain, seenTo }),
      ...depositStaffRoutes({ db, timeZone, now }),
    ],
  }
}
