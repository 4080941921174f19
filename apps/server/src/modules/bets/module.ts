/** Bets: placing them, their history, receipts and files. */
import type { ReadBalance } from '#src/modules/wallet/balance.ts'
import type { Resources } from '#src/resources.ts'
import { betPlacer } from './place-bet.ts'
import { playerMoney } from './player-money.ts'
import { betDownloads, betRoutes } from './routes.ts'

export function betsModule(
  deps: Pick<
    Resources,
    'db' | 'orderDb' | 'fileDb' | 'timeZone' | 'now' | 'bus' | 'log' | 'metrics' | 'tuning'
  > & {
    balance: ReadBalance
  },
) {
  const { db, timeZone, now, bus, log, balance } = deps
  const placeBet = betPlacer({
    db: deps.orderDb,
    metrics: deps.metrics,
    answerWithinMs: deps.tuning.answerWithinMs,
    onAccepted: (bets) => {
      log.debug({ bets: bets.length }, 'accepted')
      const rooms = new Set(bets.map(({ roomId }) => roomId))
      bus.publish([...rooms].map((id) => ({ topic: 'betsPlaced', id })))
    },
  })
  return {
    placeBet,
    money: playerMoney({ db, balance, timeZone, now }),
    routes: betRoutes({ db, placeBet, timeZone, now }),
    downloads: betDownloads({ db: deps.fileDb, timeZone, now }),
  }
}
