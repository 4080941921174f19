/** What the product's parts are made from: opened once, in this order, for all of them. */
import { mkdirSync } from 'node:fs'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import type { FastifyBaseLogger } from 'fastify'
import { Registry } from 'prom-client'
import type { Bus } from '#src/adapters/bus/postgres-bus.ts'
import { postgresBus } from '#src/adapters/bus/postgres-bus.ts'
import { type Clock, databaseClock, keepInStep } from '#src/adapters/clock/clock.ts'
import { cipherOf, type Keys, keysOf, type LocalKeys } from '#src/adapters/local-keys.ts'
import type { Config } from '#src/config.ts'
import { type Database, openDatabase } from '#src/db/database.ts'
import type { Limits, Work } from '#src/db/limits.ts'
import type { Addresses } from '#src/db/logins.ts'
import { poolUse, showPools } from '#src/db/pool-metrics.ts'
import type { EngineProcess } from '#src/engine/supervise-engine.ts'
import { startTracing } from '#src/process/tracing.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

export type AppOptions = {
  config: Config
  /** The database's address for each part; the migrations have run. */
  addresses: Addresses
  log: FastifyBaseLogger
  /** The build's version, shown to players. */
  build: string
  /**
   * For tests: shorter seed chains, a clock that is read often, fewer connections, a callback for the end, calls and
   * their statements that may take longer.
   */
  tuning?: {
    watchPollMs?: number
    seedChainLength?: number
    clockSyncMs?: number
    connections?: Partial<typeof CONNECTIONS>
    mailTimeoutMs?: number
    drain?: () => Promise<void>
    answerWithinMs?: number
    limits?: Partial<Record<Work, Limits>>
  }
  /** The engine, if it is a process of its own; without it, it runs in this one. */
  engineProcess?: EngineProcess
}

/** Each part takes what it needs from these. */
export type Resources = Required<Omit<AppOptions, 'engineProcess'>> & {
  /** What ends with the product, the last added first. */
  readonly ending: AsyncDisposableStack
  readonly keys: LocalKeys
  /** The present one, and earlier ones. */
  readonly secretKeys: Keys
  /** Encrypts everything but seeds. */
  readonly cipher: SecretCipher
  /** Encrypts seeds; for the engine alone. */
  readonly seedCipher: SecretCipher
  /** Connections for requests, for orders, for jobs and for downloads. */
  readonly db: Database
  readonly orderDb: Database
  readonly jobDb: Database
  readonly fileDb: Database
  /** How many connections each kind of work has at the most. */
  readonly connections: typeof CONNECTIONS
  /** Milliseconds since 1970, by the database's clock. */
  readonly now: () => number
  /** Measures the database's clock anew, for `now`. */
  readonly measureClock: Clock['sync']
  /** Waits for a time of the database's clock; see {@link Clock.wait}. */
  readonly wait: Clock['wait']
  readonly schedule: ScheduleRules
  readonly timeZone: string
  readonly bus: Bus
  /** Each part registers its metrics here. */
  readonly metrics: Registry
  /** Publishes to every process that a round of these games has changed, or who may bet in it: a step, a stop, robots. */
  readonly roundChanged: (...gameIds: number[]) => void
}

/**
 * Each kind of work has its own connections, so that none waits for another kind: bets and rounds continue while
 * pages are slow. A download holds a connection for as long as its reader takes. Of orders one batch runs at a time,
 * and beside it the results of repeated keys are read.
 */
export const CONNECTIONS = {
  requests: 16,
  orders: 4,
  jobs: 6,
  files: 6,
  /** The queue's own: its workers take jobs and give them back. */
  queue: 10,
  /** Steps of rounds with a deadline: opening, sealing, drawing. */
  engine: 6,
  /** Long steps of rounds: settling, refunding. */
  settling: 3,
}

export async function openResources(
  options: AppOptions,
  ending: AsyncDisposableStack,
): Promise<Resources> {
  const { config, addresses, log, tuning = {} } = options
  mkdirSync(config.dataDir, { recursive: true })
  if (config.tracesTo) {
    const onError = (error: Error) => log.warn({ error }, 'traces could not be sent')
    ending.defer(await startTracing({ endpoint: config.tracesTo, build: options.build, onError }))
  }
  const { local: keys, secretKeys, seedKeys } = keysOf(config)

  const cipher = cipherOf(secretKeys)
  const connections = { ...CONNECTIONS, ...tuning.connections }

  function open(work: 'requests' | 'orders' | 'jobs' | 'files'): Database {
    const opened = openDatabase(work === 'jobs' ? addresses.jobs : addresses.api, {
      work,
      connectionsMax: connections[work],
      limits: tuning.limits?.[work] ?? {},
      cipher,
      onError: (error) => log.warn({ work, error: error.message }, 'a database connection broke'),
    })
    ending.defer(() => opened.close())
    return opened
  }
  const db = open('requests')
  const orderDb = open('orders')
  const jobDb = open('jobs')
  const fileDb = open('files')
  const clock = databaseClock(db)
  ending.defer(await keepInStep(clock, tuning.clockSyncMs))
  const metrics = new Registry()
  showPools(metrics, 'sum28_pool_connections', 'Connections to the database, by pool.', () => ({
    requests: poolUse(db.pool),
    orders: poolUse(orderDb.pool),
    jobs: poolUse(jobDb.pool),
    files: poolUse(fileDb.pool),
  }))
  const bus = postgresBus(addresses.api, (error) =>
    log.warn({ error: error.message }, 'the event bus is away'),
  )
  ending.defer(() => bus.close())
  bus.subscribe(({ topic }) => {
    if (topic === 'clockMoved') void clock.moved().catch(() => {})
  })

  return {
    ...options,
    tuning,
    ending,
    keys,
    secretKeys,
    cipher,
    seedCipher: cipherOf(seedKeys),
    db,
    orderDb,
    jobDb,
    fileDb,
    connections,
    now: clock.now,
    measureClock: clock.sync,
    wait: clock.wait,
    schedule: config.schedule,
    timeZone: config.schedule.timeZone,
    bus,
    metrics,
    roundChanged: (...gameIds) => bus.publish(gameIds.map((id) => ({ topic: 'roundChanged', id }))),
  }
}
