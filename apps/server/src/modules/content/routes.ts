import { config as configRoute, home } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { winnersOfLastDay } from '#src/modules/bets/bet-store.ts'
import { maskedName } from '#src/modules/bets/bet-wire.ts'
import { shownBanners, textOf } from './content-store.ts'

/** The label that the home screen has borne since the first version; the build's own is in config. */
const VERSION_LABEL = '21.04.02'

const WINNERS_SHOWN = 20

export function contentRoutes(deps: {
  db: Database
  /** What the client must know; the origin is the one that it called. */
  clientConfig: (origin: string) => ReplyOf<typeof configRoute>
}): RouteBinding[] {
  const { db, clientConfig } = deps
  return [
    bind(home, async ({ lang }) => {
      const [banner, winners, content] = await Promise.all([
        shownBanners(db),
        winnersOfLastDay(db, WINNERS_SHOWN),
        textOf(db, 'version_notice', lang),
      ])
      return {
        banner,
        winners: winners.map(({ username, gameName, profit, settledAt }) => ({
          nickname: maskedName(username),
          game_name: gameName,
          profit: formatAmount(profit),
          createtime: Math.floor(settledAt / 1000),
        })),
        version_notice: { label: VERSION_LABEL, content: content ?? '' },
      }
    }),
    bind(configRoute, async ({ origin }) => clientConfig(origin)),
  ]
}
