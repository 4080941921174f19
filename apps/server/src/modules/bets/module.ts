/** Bets: placing them, their history, receipts and files. */
import type { Amount } from '@sum28/domain/money.ts'
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { ReadBalance } from '#src/modules/wallet/wallet-store.ts'
import type { Resources } from '#src/resources.ts'
import { profitsOf } from './bet-store.ts'
import { betPlacer } from './place-bet.ts'
import type { ReceiptLog } from './receipt.ts'
import { betDownloads, betRoutes } from './routes.ts'

export function betsModule(
  deps: Pick<
    Resources,
    'config' | 'db' | 'orderDb' | 'fileDb' | 'timeZone' | 'now' | 'bus' | 'log' | 'metrics'
  > &
    ReceiptLog & {
      balance: ReadBalance
    },
) {
  const { db, timeZone, now, bus, log, balance } = deps
  const placeBet = betPlacer({
    db: deps.orderDb,
    // A process of jobs alone bets for robots.
    by: deps.config.role === 'jobs' ? 'bets.place_of_robots' : 'bets.place',
    metrics: deps.metrics,
    onAccepted: (bets) => {
      log.debug({ bets: bets.length }, 'accepted')
      const rooms = new Set(bets.map(({ roomId }) => roomId))
      bus.publish([...rooms].map((id) => ({ topic: 'betsPlaced', id })))
    },
  })
  return {
    placeBet,
    money: playerMoney({ db, balance, timeZone, now }),
    routes: betRoutes({ ...deps, placeBet }),
    downloads: betDownloads({ db: deps.fileDb, timeZone, now }),
  }
}

type Profits = { today: Amount; yesterday: Amount; all: Amount }

/**
 * What a profile shows of a player's money: his balance, and payouts minus stakes of today's, of yesterday's and of
 * all settled bets. Days are the operator's; simultaneous calls share a statement.
 */
function playerMoney(deps: {
  db: Queryable
  balance: ReadBalance
  timeZone: string
  now: () => number
}): { balance: ReadBalance; profits: (playerId: number) => Promise<Profits> } {
  const read = readTogether<number, Profits>((ids) => {
    const today = dayOf(deps.timeZone, deps.now())
    return profitsOf(deps.db, ids, { today, yesterday: addDays(today, -1) })
  })
  return {
    balance: deps.balance,
    profits: async (playerId) => (await read(playerId)) ?? { today: 0n, yesterday: 0n, all: 0n },
  }
}
