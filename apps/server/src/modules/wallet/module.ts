/** Players' money: the balance, and the statement. */
import type { Resources } from '#src/resources.ts'
import { balanceReader } from './balance.ts'
import { walletRoutes } from './routes.ts'

export function walletModule(deps: Pick<Resources, 'db' | 'timeZone' | 'now'>) {
  const { db, timeZone, now } = deps
  return {
    balance: balanceReader(db),
    routes: walletRoutes({ db, timeZone, now }),
  }
}
