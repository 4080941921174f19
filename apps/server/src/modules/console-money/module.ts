/** The console's area money: withdrawals, deposits, adjustments, the books. */
import type { Resources } from '#src/resources.ts'
import { consoleMoneyDownloads, consoleMoneyRoutes } from './routes.ts'

export function consoleMoneyModule(deps: Resources) {
  return { routes: consoleMoneyRoutes(deps), downloads: consoleMoneyDownloads(deps) }
}
