/** Content: articles, announcements, banners, and the configuration that a client needs before login. */
import { staleIfDown } from '#src/db/stale-if-down.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import type { Resources } from '#src/resources.ts'
import { announcementReader } from './announcements.ts'
import { clientConfig } from './client-config.ts'
import { contentRoutes } from './routes.ts'
import { winnersReader } from './winners.ts'

export function contentModule(
  deps: Pick<Resources, 'db' | 'config' | 'build'> & {
    catalog: () => Promise<Catalog>
    takesBankDeposits: () => Promise<boolean>
  },
) {
  const { db, config, build, catalog, takesBankDeposits } = deps
  const features = staleIfDown(
    async () => ({
      bankDeposits: await takesBankDeposits(),
      robots: config.robots && (await catalog()).rooms.some(({ robots }) => robots > 0),
    }),
    { bankDeposits: false, robots: false },
  )
  return {
    readAnnouncements: announcementReader(db),
    routes: contentRoutes({
      db,
      latestWinners: winnersReader(db),
      clientConfig: async (origin) =>
        clientConfig(config, { origin, build, ...(await features()) }),
    }),
  }
}
