/** The engine with everything that it needs (connections, beacon, seeds), and its loop for each game. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BeaconInfo } from '@sum28/fairness/beacon.ts'
import { QUICKNET, QUICKNET_HOSTS } from '@sum28/fairness/quicknet.ts'
import { createDrandBeacon } from '#src/adapters/beacon/drand-beacon.ts'
import type { Clock } from '#src/adapters/clock/clock.ts'
import { repeatUntilEnded } from '#src/concurrency/repeat-until-ended.ts'
import { type Database, openDatabase } from '#src/db/database.ts'
import { type Leadership, leadership } from '#src/db/leadership.ts'
import { poolUse } from '#src/db/pool-metrics.ts'
import { overdueRounds, sealRound } from '#src/modules/bets/round-bets.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import type { Resources } from '#src/resources.ts'
import { type ClockState, type ClockWatch, watchClocks } from './clock-watch.ts'
import { engineMetrics } from './engine-health.ts'
import { type EngineDeps, gameDriver, soonest } from './game-engine.ts'

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
    | 'addresses'
    | 'connections'
    | 'ending'
    | 'log'
    | 'measureClock'
    | 'now'
    | 'roundChanged'
    | 'schedule'
    | 'seedCipher'
    | 'tuning'
    | 'wait'
  > & { ownBeacon: { info: BeaconInfo; address: string } | null; gameIds: readonly number[] },
): { metrics: () => Promise<string> } {
  const { config, connections, ending, log, schedule, tuning, ownBeacon } = deps
  function open(connectionsMax: number): Database {
    const opened = openDatabase(deps.addresses.engine, {
      work: 'engine',
      connectionsMax,
      limits: tuning.limits?.engine ?? {},
      onError: (error) => log.warn({ error: error.message }, 'a database connection broke'),
    })
    ending.defer(() => opened.close())
    return opened
  }
  const db = open(connections.engine)
  const slowDb = open(connections.settling)
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
      cipher: deps.seedCipher,
      roundsADay: Math.ceil(DAY_MS / schedule.roundMs),
      ...(tuning.seedChainLength ? { length: tuning.seedChainLength } : {}),
    }),
    onDrawn: metrics.drawn,
    onVoided: metrics.voided,
    leadership: leadership(deps.addresses.engine),
  })
  ending.defer(() => games.stop())
  return { metrics: metrics.text }
}

export type GamesDriver = {
  /** Ends after the running steps; what is left is due at the next start. */
  stop(): Promise<void>
  /** What is known of the two clocks, if this process compares them. */
  clocks(): ClockState
}

/** How long to wait after a failure, such as a database that is down. */
const AFTER_FAILURE_MS = 1_000

/** How often to check whether a game that another process drives has become free. */
const NOT_LEADING_MS = 500

/** How long a turn waits for its steps before the next turn checks what else is due. */
const TURN_MAX_MS = 250

/** If a seal is this late, its driver may be stuck: the process that notices it makes the seal. */
const SEAL_OVERDUE_MS = 3_000

/** The name of the lead of the clock watch, among the ids of games. */
const CLOCKS_LEAD = 1_000

type DriverDeps = EngineDeps & {
  leadership: Leadership
  measureClock: Clock['sync']
  wait: Clock['wait']
}

export function driveGames(deps: DriverDeps & { gameIds: readonly number[] }): GamesDriver {
  const drivers = deps.gameIds.map((gameId) => driveGame(deps, gameId))
  const clocks: ClockWatch = watchClocks({
    ...deps,
    leads: () => deps.leadership.holds(CLOCKS_LEAD),
  })
  return {
    async stop() {
      await Promise.all([...drivers, clocks].map((each) => each.stop()))
      await deps.leadership.close()
    },
    clocks: clocks.state,
  }
}

function driveGame(deps: DriverDeps, gameId: number): { stop(): Promise<void> } {
  const { log } = deps
  const driver = gameDriver(deps, gameId)

  async function lead(signal: AbortSignal): Promise<number> {
    const steps = Promise.allSettled(await driver.turn(signal))
    const enough = new AbortController()
    // Longer steps continue; the next turn starts what has become due meanwhile.
    const ended = await Promise.race([
      steps,
      sleep(TURN_MAX_MS, null, { signal: enough.signal }).catch(() => null),
    ])
    enough.abort()
    return ended ? soonest(ended) : 0
  }

  async function standBy(): Promise<number> {
    for (const round of await overdueRounds(deps.db, gameId, SEAL_OVERDUE_MS)) {
      if (!(await sealRound(deps.db, round))) continue
      log.error({ ...round }, 'sealed in the place of a driver that was late')
      deps.roundChanged(gameId)
    }
    return NOT_LEADING_MS
  }

  const turns = repeatUntilEnded(
    async (signal) => ((await deps.leadership.holds(gameId)) ? lead(signal) : standBy()),
    {
      wait: deps.wait,
      failed: (error) => log.error({ gameId, error }, 'the engine will try again'),
      afterFailureMs: AFTER_FAILURE_MS,
    },
  )
  return {
    async stop() {
      await turns.stop()
      await driver.idle()
    },
  }
}
