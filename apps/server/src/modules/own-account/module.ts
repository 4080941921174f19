/** A player's requests about his own account: his figures, a file with his data, and closing the account. */
import type { Resources } from '#src/resources.ts'
import { type OwnDeps, ownAccountRoutes, ownDownloads } from './routes.ts'

export function ownAccountModule(
  deps: Pick<Resources, 'db' | 'fileDb' | 'timeZone' | 'now'> & Pick<OwnDeps, 'provePassword'>,
) {
  return { routes: ownAccountRoutes(deps), downloads: ownDownloads({ db: deps.fileDb }) }
}
