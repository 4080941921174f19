/** The engine with all that it needs of its own: connections, clock, beacon, seeds. */
import { QUICKNET, QUICKNET_HOSTS } from '@sum28/fairness/quicknet.ts'
import Fastify from 'fastify'
import type { Beacon, HostFailure } from '#src/adapters/beacon/beacon.ts'
import { createDrandBeacon } from '#src/adapters/beacon/drand-beacon.ts'
import { createLocalBeacon } from '#src/adapters/beacon/local-beacon.ts'
import { localBeaconRoutes } from '#src/adapters/beacon/local-beacon-routes.ts'
import { CLOCK_SYNC_MS, databaseClock } from '#src/adapters/clock/clock.ts'
import { openDatabase } from '#src/db/database.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { sealer } from '#src/sealer.ts'
import { startEngine } from './engine.ts'
import type { EngineLog } from './engine-log.ts'
import type { EngineSettings, EngineState } from './engine-messages.ts'
import { leadership } from './leadership.ts'

export type RunningEngine = {
  state(): Omit<EngineState, 'loopDelayMs'>
  stop(): Promise<void>
}

/** Connections for what has its time: opening, sealing, drawing. */
const PROMPT_CONNECTIONS = 6
/** Connections for what takes its time, and so takes none from the others: settling, refunding. */
const SLOW_CONNECTIONS = 3

const DAY_MS = 86_400_000

export async function runEngine(
  settings: EngineSettings,
  log: EngineLog,
  onStep: (gameId: number) => void,
): Promise<RunningEngine> {
  const undo: (() => Promise<unknown> | unknown)[] = []
  async function stop() {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return await run()
  } catch (error) {
    await stop()
    throw error
  }

  async function run(): Promise<RunningEngine> {
    const onError = (error: Error) =>
      log.warn({ error: error.message }, 'a database connection broke')
    const db = openDatabase(settings.databaseUrl, {
      work: 'engine',
      connectionsMax: PROMPT_CONNECTIONS,
      onError,
    })
    undo.push(() => db.close())
    const slowDb = openDatabase(settings.databaseUrl, {
      work: 'engine',
      connectionsMax: SLOW_CONNECTIONS,
      onError,
    })
    undo.push(() => slowDb.close())
    const clock = databaseClock(db)
    await clock.sync()
    const syncing = setInterval(
      () => void clock.sync().catch(() => {}),
      settings.clockSyncMs ?? CLOCK_SYNC_MS,
    )
    undo.push(() => clearInterval(syncing))

    const beacon = settings.localBeacon
      ? await ownBeacon(settings.localBeacon, clock.now)
      : drand(QUICKNET_HOSTS)
    const seeds = seedKeeper({
      db,
      sealer: sealer(settings.secretKey, settings.secretKeysPrevious),
      roundsADay: Math.ceil(DAY_MS / settings.schedule.roundMs),
      ...(settings.seedChainLength ? { length: settings.seedChainLength } : {}),
    })
    const engine = startEngine({
      db,
      slowDb,
      schedule: settings.schedule,
      beacon,
      beaconDeadlineMs: settings.beaconDeadlineMs,
      seeds,
      now: clock.now,
      log,
      onStep,
      leadership: leadership(settings.databaseUrl),
      gameIds: settings.gameIds,
    })
    undo.push(() => engine.stop())
    return { state: engine.state, stop }
  }

  /**
   * The operator's own beacon, served here on an address that only this machine reaches, in drand's
   * form; fetched and verified like any other, and out of the way of whatever keeps the server busy.
   */
  async function ownBeacon(
    { secretHex, genesisTime }: NonNullable<EngineSettings['localBeacon']>,
    now: () => number,
  ): Promise<Beacon> {
    const source = createLocalBeacon({ secret: Buffer.from(secretHex, 'hex'), genesisTime, now })
    const server = Fastify({ forceCloseConnections: true })
    await server.register(localBeaconRoutes, { prefix: '/beacon', beacon: source })
    undo.push(() => server.close())
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
