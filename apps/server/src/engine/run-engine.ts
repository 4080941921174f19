/** The engine with everything that it needs: connections, beacon, seeds. */
import type { BeaconInfo } from '@sum28/fairness/beacon.ts'
import { QUICKNET, QUICKNET_HOSTS } from '@sum28/fairness/quicknet.ts'
import { createDrandBeacon } from '#src/adapters/beacon/drand-beacon.ts'
import { type Database, openDatabase } from '#src/db/database.ts'
import { leadership } from '#src/db/leadership.ts'
import { poolUse } from '#src/db/pool-metrics.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import type { Resources } from '#src/resources.ts'
import { driveGames } from './drive-games.ts'
import { engineMetrics } from './engine-metrics.ts'

/** Connections for steps with a deadline: opening, sealing, drawing. */
const PROMPT_CONNECTIONS = 6
/** Connections for long steps, separate from the others: settling, refunding. */
const SLOW_CONNECTIONS = 3

const DAY_MS = 86_400_000

/**
 * Drives the rounds of all games in this process until it ends.
 *
 * @param deps.ownBeacon the operator's own beacon, which this process serves at an address in drand's form: its values
 *   are fetched and verified like those of any other; null: drand
 * @returns the engine's metrics, in Prometheus' format
 */
export function runEngine(
  deps: Pick<
    Resources,
    | 'config'
    | 'databaseUrl'
    | 'ending'
    | 'log'
    | 'now'
    | 'roundChanged'
    | 'schedule'
    | 'cipher'
    | 'tuning'
    | 'wait'
  > & { ownBeacon: { info: BeaconInfo; address: string } | null; gameIds: readonly number[] },
): { metrics: () => Promise<string> } {
  const { config, ending, log, schedule, tuning, ownBeacon } = deps
  function open(connectionsMax: number): Database {
    const opened = openDatabase(deps.databaseUrl, {
      work: 'engine',
      connectionsMax,
      limits: tuning.limits?.engine ?? {},
      onError: (error) => log.warn({ error: error.message }, 'a database connection broke'),
    })
    ending.defer(() => opened.close())
    return opened
  }
  const db = open(PROMPT_CONNECTIONS)
  const slowDb = open(SLOW_CONNECTIONS)
  const metrics = engineMetrics({
    clocks: () => games.clocks(),
    pools: () => ({ prompt: poolUse(db.pool), slow: poolUse(slowDb.pool) }),
  })
  ending.defer(() => void metrics.stop())
  const games = driveGames({
    ...deps,
    db,
    slowDb,
    beacon: createDrandBeacon({
      info: ownBeacon?.info ?? QUICKNET,
      hosts: ownBeacon ? [ownBeacon.address] : QUICKNET_HOSTS,
      onHostFailure(failure) {
        if (failure.failure === 'lies') log.error(failure, 'a beacon host lies')
        else log.debug(failure, 'a beacon host failed')
      },
    }),
    beaconDeadlineMs: config.beacon.deadlineMs,
    seeds: seedKeeper({
      db,
      cipher: deps.cipher,
      roundsADay: Math.ceil(DAY_MS / schedule.roundMs),
      ...(tuning.seedChainLength ? { length: tuning.seedChainLength } : {}),
    }),
    onDrawn: metrics.drawn,
    onVoided: metrics.voided,
    leadership: leadership(deps.databaseUrl),
  })
  ending.defer(() => games.stop())
  return { metrics: metrics.text }
}
