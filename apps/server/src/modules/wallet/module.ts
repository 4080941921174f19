/** Players' money: the balance, and the statement. */
import type { Resources } from '#src/resources.ts'
import { balanceReader } from './balance.ts'
import { walletRoutes } from './routes.ts'

export function walletModule({ db, timeZone, now }: Pick<Resources, 'db' | 'timeZone' | 'now'>) {
  return {
    balance: balanceReader(db),
    routes: walletRoutes({ db, timeZone, now }),
  }
}
