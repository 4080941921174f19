/** Players' money: the balance, and the statement. */
import type { Resources } from '#src/resources.ts'
import { walletRoutes } from './routes.ts'
import { balanceReader } from './wallet-store.ts'

export function walletModule(deps: Pick<Resources, 'db' | 'timeZone' | 'now'>) {
  const { db, timeZone, now } = deps
  return {
    balance: balanceReader(db),
    routes: walletRoutes({ db, timeZone, now }),
  }
}
