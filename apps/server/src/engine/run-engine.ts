/** The engine with everything that it needs: connections, clock, beacon, seeds. */
import { QUICKNET, QUICKNET_HOSTS } from '@sum28/fairness/quicknet.ts'
import Fastify from 'fastify'
import type { Beacon, HostFailure } from '#src/adapters/beacon/beacon.ts'
import { createDrandBeacon } from '#src/adapters/beacon/drand-beacon.ts'
import { createLocalBeacon } from '#src/adapters/beacon/local-beacon.ts'
import { localBeaconRoutes } from '#src/adapters/beacon/local-beacon-routes.ts'
import { databaseClock, keepInStep } from '#src/adapters/clock/clock.ts'
import { type Database, openDatabase } from '#src/db/database.ts'
import { startInOrder } from '#src/lifetime.ts'
import { poolUse } from '#src/metrics.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { sealer } from '#src/sealer.ts'
import { driveGames } from './drive-games.ts'
import type { EngineLog } from './engine-log.ts'
import {
  type EngineSettings,
  type EngineState,
  LATE_DRAW_MS,
  type RoundCounts,
} from './engine-messages.ts'
import { leadership } from './leadership.ts'

export type RunningEngine = {
  state(): Omit<EngineState, 'loopDelayMs'>
  stop(): Promise<void>
}

/** Connections for steps with a deadline: opening, sealing, drawing. */
const PROMPT_CONNECTIONS = 6
/** Connections for long steps, separate from the others: settling, refunding. */
const SLOW_CONNECTIONS = 3

const DAY_MS = 86_400_000

export async function runEngine(
  settings: EngineSettings,
  log: EngineLog,
  onStep: (gameId: number) => void,
): Promise<RunningEngine> {
  const { result, stop } = await startInOrder(run)
  return { ...result, stop }

  async function run(ending: AsyncDisposableStack): Promise<Omit<RunningEngine, 'stop'>> {
    function open(connectionsMax: number): Database {
      const opened = openDatabase(settings.databaseUrl, {
        work: 'engine',
        connectionsMax,
        limits: settings.limits ?? {},
        onError: (error) => log.warn({ error: error.message }, 'a database connection broke'),
      })
      ending.defer(() => opened.close())
      return opened
    }
    const db = open(PROMPT_CONNECTIONS)
    const slowDb = open(SLOW_CONNECTIONS)
    const clock = databaseClock(db)
    ending.defer(await keepInStep(clock, settings.clockSyncMs))

    const beacon = settings.localBeacon
      ? await ownBeacon(settings.localBeacon, clock.now, ending)
      : drand(QUICKNET_HOSTS)
    const seeds = seedKeeper({
      db,
      sealer: sealer(settings.secretKey, settings.secretKeysPrevious),
      roundsADay: Math.ceil(DAY_MS / settings.schedule.roundMs),
      ...(settings.seedChainLength ? { length: settings.seedChainLength } : {}),
    })
    const rounds: RoundCounts = { drawn: 0, drawnLate: 0, voided: 0 }
    let drawDelayMs: number | null = null
    const games = driveGames({
      db,
      slowDb,
      schedule: settings.schedule,
      beacon,
      beaconDeadlineMs: settings.beaconDeadlineMs,
      seeds,
      now: clock.now,
      log,
      onStep,
      onDrawn(delayMs) {
        rounds.drawn += 1
        if (delayMs > LATE_DRAW_MS) rounds.drawnLate += 1
        drawDelayMs = delayMs
      },
      onVoided() {
        rounds.voided += 1
      },
      leadership: leadership(settings.databaseUrl, {
        ...(settings.leadSilenceMs ? { silenceMs: settings.leadSilenceMs } : {}),
      }),
      gameIds: settings.gameIds,
    })
    ending.defer(() => games.stop())
    return {
      state: () => ({
        ...games.state(),
        rounds,
        drawDelayMs,
        pools: { prompt: poolUse(db.pool), slow: poolUse(slowDb.pool) },
        residentBytes: process.memoryUsage.rss(),
      }),
    }
  }

  /**
   * The operator's own beacon, served here on a loopback address in drand's format. Its values are fetched and
   * verified like those of any other beacon, and load on the server does not affect it.
   */
  async function ownBeacon(
    { secretHex, genesisTime }: NonNullable<EngineSettings['localBeacon']>,
    now: () => number,
    ending: AsyncDisposableStack,
  ): Promise<Beacon> {
    const source = createLocalBeacon({ secret: Buffer.from(secretHex, 'hex'), genesisTime, now })
    const server = Fastify({ forceCloseConnections: true })
    await server.register(localBeaconRoutes, { prefix: '/beacon', beacon: source })
    ending.defer(() => server.close())
    const origin = await server.listen({ host: '127.0.0.1', port: 0 })
    return createDrandBeacon({ info: source.info, hosts: [`${origin}/beacon`], onHostFailure })
  }

  function drand(hosts: readonly string[]): Beacon {
    return createDrandBeacon({ info: QUICKNET, hosts, onHostFailure })
  }

  function onHostFailure(failure: HostFailure): void {
    if (failure.failure === 'lies') log.error(failure, 'a beacon host lies')
    else log.debug(failure, 'a beacon host failed')
  }
}
