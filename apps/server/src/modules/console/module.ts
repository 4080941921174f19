/** What the console's areas show and do: a folder for each, `figures` for the start page and the reports. */
import type { RouteBinding } from '#src/http/call.ts'
import type { ReadLogProof } from '#src/modules/public-log/log-proof.ts'
import type { MailsOfStaff } from '#src/modules/staff/change-members.ts'
import type { Resources } from '#src/resources.ts'
import { contentRoutes } from './content/routes.ts'
import { reportDownloads, reportRoutes } from './figures/report-routes.ts'
import { startRoutes } from './figures/start-routes.ts'
import { gamesRoutes } from './games/routes.ts'
import { listFiles } from './list-files-routes.ts'
import { moneyDownloads, moneyRoutes } from './money/routes.ts'
import type { AddressDeps } from './players/reset-address.ts'
import { playersRoutes } from './players/routes.ts'
import { proposalRoutes } from './proposals/routes.ts'

export function consoleModule(
  deps: Resources &
    AddressDeps & {
      readLogProof: ReadLogProof
      usdtContract: string
      mails: MailsOfStaff
      /** The calls of the modules before this one, among which are lists of the console. */
      otherRoutes: readonly RouteBinding[]
    },
) {
  const routes = [
    ...startRoutes(deps),
    ...proposalRoutes(deps),
    ...playersRoutes(deps),
    ...moneyRoutes(deps),
    ...gamesRoutes(deps),
    ...contentRoutes(deps),
    ...reportRoutes(deps),
  ]
  return {
    routes,
    downloads: [
      ...moneyDownloads(deps),
      ...reportDownloads(deps),
      ...listFiles(deps, [...deps.otherRoutes, ...routes]),
    ],
  }
}
