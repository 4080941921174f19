/** Of the console's area money: held deposits, adjustments, bank batches, the books. */
import type { Resources } from '#src/resources.ts'
import { consoleMoneyDownloads, consoleMoneyRoutes } from './routes.ts'

export function consoleMoneyModule(deps: Resources) {
  return { routes: consoleMoneyRoutes(deps), downloads: consoleMoneyDownloads(deps) }
}
