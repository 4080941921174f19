/** Deposits: addresses for USDT, bank transfers, and unmatched transfers. */
import type { AccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import type { ReadBalance } from '#src/modules/wallet/wallet-store.ts'
import type { Resources } from '#src/resources.ts'
import { bankAccountOf } from './bank-deposit-store.ts'
import { depositRoutes, depositStaffRoutes } from './routes.ts'

export function depositsModule(
  deps: Pick<Resources, 'db' | 'timeZone' | 'now'> & {
    balance: ReadBalance
    accountKey: AccountKey
    /** The chain that is watched. */
    chain: string
  },
) {
  const { db, timeZone, now, balance, accountKey, chain } = deps
  return {
    /** Whether there is a bank account that players can send to. */
    takesBankDeposits: async () => (await bankAccountOf(db)) !== null,
    routes: [
      ...depositRoutes({ db, balance, accountKey, chain }),
      ...depositStaffRoutes({ db, timeZone, now }),
    ],
  }
}
