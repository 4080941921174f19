/** The only place where things are wired: from configuration to a running product, and back. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gamesStream, stream } from '@sum28/contract/stream.ts'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createLocalBeacon } from '#src/adapters/beacon/local-beacon.ts'
import { localBeaconRoutes } from '#src/adapters/beacon/local-beacon-routes.ts'
import { natsBus } from '#src/adapters/bus/nats-bus.ts'
import { postgresBus } from '#src/adapters/bus/postgres-bus.ts'
import { openAccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import { type LocalTronNode, localTronNode } from '#src/adapters/chain/local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { tronNode } from '#src/adapters/chain/tron-node.ts'
import { CLOCK_SYNC_MS, databaseClock } from '#src/adapters/clock/clock.ts'
import { fileStore } from '#src/adapters/files/file-store.ts'
import { type LocalKeys, localKeys } from '#src/adapters/local-keys.ts'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import { type CapturedMail, capturedMail, smtpTransport } from '#src/adapters/mail/transport.ts'
import { StartError } from '#src/adapters/postgres/start-error.ts'
import type { Config } from '#src/config.ts'
import { type Database, openDatabase } from '#src/db/database.ts'
import { keyStore } from '#src/db/key-store.ts'
import { lastKnown } from '#src/db/last-known.ts'
import type { Work } from '#src/db/limits.ts'
import { engineMetrics, engineParts } from '#src/engine/engine-health.ts'
import { type EngineHost, startEngineProcess } from '#src/engine/engine-host.ts'
import { leadership } from '#src/engine/leadership.ts'
import { serveDevPages } from '#src/http/dev-pages.ts'
import { showTime } from '#src/http/envelope.ts'
import { REQUESTS_A_MINUTE } from '#src/http/flood-guard.ts'
import { ABANDONED_AFTER_MS, onceByKey } from '#src/http/once-by-key.ts'
import { serveOperations } from '#src/http/operations.ts'
import { rateLimits } from '#src/http/rate-limits.ts'
import { serveDownloads } from '#src/http/serve-downloads.ts'
import { serveRoutes } from '#src/http/serve-routes.ts'
import { bindStream, serveStreams } from '#src/http/serve-stream.ts'
import { serveUploads } from '#src/http/serve-uploads.ts'
import { httpServer } from '#src/http/server.ts'
import { serveApps } from '#src/http/static-apps.ts'
import { rescanChain } from '#src/jobs/chain-rescan.ts'
import { type DepositWatcher, startDepositWatcher } from '#src/jobs/deposit-watcher.ts'
import { ensurePartitions } from '#src/jobs/partitions.ts'
import { ROBOTS_LEAD, startRobots } from '#src/jobs/robot-driver.ts'
import { startWorker } from '#src/jobs/worker.ts'
import { accountRoutes } from '#src/modules/accounts/routes.ts'
import { sessionFinder } from '#src/modules/accounts/session.ts'
import type { Bet } from '#src/modules/bets/bet-store.ts'
import { betPlacer } from '#src/modules/bets/place-bet.ts'
import { playerMoney } from '#src/modules/bets/player-money.ts'
import { betDownloads, betRoutes } from '#src/modules/bets/routes.ts'
import { announcementReader } from '#src/modules/content/announcements.ts'
import { clientConfig } from '#src/modules/content/client-config.ts'
import { contentRoutes } from '#src/modules/content/routes.ts'
import { bankAccountOf } from '#src/modules/deposits/bank-deposit-store.ts'
import { watcherPlace } from '#src/modules/deposits/deposit-store.ts'
import { depositRoutes, depositStaffRoutes } from '#src/modules/deposits/routes.ts'
import { fairnessRoutes } from '#src/modules/fairness/routes.ts'
import { catalogReader } from '#src/modules/games/catalog.ts'
import { gameRoutes } from '#src/modules/games/routes.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { inboxRoutes } from '#src/modules/inbox/routes.ts'
import { seatDemoRobots } from '#src/modules/robots/robot-store.ts'
import { robotStaffRoutes } from '#src/modules/robots/routes.ts'
import { roomBoard } from '#src/modules/rooms/board.ts'
import { gameStreams } from '#src/modules/rooms/game-streams.ts'
import { heartbeat as roomHeartbeat } from '#src/modules/rooms/heartbeat.ts'
import { lobbyReader } from '#src/modules/rooms/lobby.ts'
import { roomStreams } from '#src/modules/rooms/room-streams.ts'
import { roomRoutes, roomStaffRoutes } from '#src/modules/rooms/routes.ts'
import { roundRoutes, roundStaffRoutes } from '#src/modules/rounds/routes.ts'
import { auditHeads } from '#src/modules/staff/audit-heads.ts'
import { ensureDemoStaff } from '#src/modules/staff/demo-staff.ts'
import { staffRoutes } from '#src/modules/staff/routes.ts'
import { staffFinder } from '#src/modules/staff/staff-session.ts'
import { balanceReader } from '#src/modules/wallet/balance.ts'
import { walletRoutes } from '#src/modules/wallet/routes.ts'
import { withdrawalReviewRoutes, withdrawalRoutes } from '#src/modules/withdrawals/routes.ts'
import { deriveKey, sealer } from '#src/sealer.ts'

export type App = {
  readonly url: string
  readonly db: Database
  /** Captured mail, newest first; null where mail goes out by SMTP. */
  readonly mails: readonly CapturedMail[] | null
  /** The demo's chain; null where a real node is read. */
  readonly chain: LocalTronNode | null
  /** The process that drives the rounds. */
  readonly engine: EngineHost
  stop(): Promise<void>
}

export type AppOptions = {
  config: Config
  /** Where the application's role connects; the migrations have run. */
  databaseUrl: string
  log: FastifyBaseLogger
  /** The build's version, shown to players. */
  build: string
  /** For tests: a quicker chain, shorter seed chains, a clock that is read often. */
  tuning?: {
    chainPeriodMs?: number
    watchPollMs?: number
    seedChainLength?: number
    clockSyncMs?: number
    mailTimeoutMs?: number
  }
}

const GAME_IDS = [1, 2, 3, 4]

/** Files for download that are made at the same time; the next waits, and is refused after a while. */
const FILES_AT_ONCE = 4

/** One batch of orders is under way at a time; beside it, what came of repeated keys is read. */
const ORDER_CONNECTIONS = 4
const JOB_CONNECTIONS = 6

/** How many robots the demo's rooms begin with: basic, senior, master, expert. */
const DEMO_ROBOTS = [6, 4, 3, 2]

/** Starts the whole product on a database that is up to date. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, log, tuning = {} } = options
  const undo: (() => Promise<unknown> | unknown)[] = []
  async function stop() {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return await start()
  } catch (error) {
    await stop()
    throw error
  }

  async function start(): Promise<App> {
    mkdirSync(config.dataDir, { recursive: true })
    const keys = localKeys(config.dataDir)
    const secretKey = config.secretKey ?? keys.secretKey
    const secrets = sealer(secretKey, config.secretKeysPrevious)
    const heads = auditHeads(config.dataDir)
    const timeZone = config.schedule.timeZone

    function openFor(work: Work, connectionsMax: number): Database {
      const opened = openDatabase(options.databaseUrl, {
        work,
        connectionsMax,
        onError: (error) => log.warn({ work, error: error.message }, 'a database connection broke'),
      })
      undo.push(() => opened.close())
      return opened
    }
    const db = openFor('requests', 16)
    // Kinds of work have connections of their own, so that none waits for those of another: bets and
    // rounds go on while pages are slow. A file holds one for as long as its reader takes.
    const orders = openFor('orders', ORDER_CONNECTIONS)
    const background = openFor('jobs', JOB_CONNECTIONS)
    const files = openFor('files', FILES_AT_ONCE)
    const clock = databaseClock(db)
    await clock.sync()
    const syncing = setInterval(
      () => void clock.sync().catch(() => {}),
      tuning.clockSyncMs ?? CLOCK_SYNC_MS,
    )
    undo.push(() => clearInterval(syncing))
    await ensurePartitions({ db: background, log })
    if (config.profile === 'demo') {
      await ensureDemoStaff({ db, sealer: secrets, dataDir: config.dataDir })
      if (config.robots) await seatDemoRobots(db, DEMO_ROBOTS)
    }

    const captured = config.smtpUrl ? null : capturedMail()
    const mail =
      captured ??
      smtpTransport({
        url: config.smtpUrl ?? '',
        from: config.mailFrom,
        timeoutMs: tuning.mailTimeoutMs,
      })
    const mails = captured?.mails ?? null
    undo.push(() => mail.close())

    const busAway = (error: Error) => log.warn({ error: error.message }, 'the event bus is away')
    const bus = config.natsUrl
      ? natsBus(config.natsUrl, busAway)
      : postgresBus(options.databaseUrl, busAway)
    undo.push(() => bus.close())
    const pictures = fileStore(resolve(config.dataDir, 'uploads'))
    const catalog = catalogReader(db)
    const balance = balanceReader(db)
    const board = roomBoard({ db, schedule: config.schedule, now: clock.now })
    const placeBet = betPlacer({
      db: orders,
      onAccepted: (bets: readonly Bet[]) => {
        log.debug({ bets: bets.length }, 'accepted')
        const rooms = new Set(bets.map(({ roomId }) => roomId))
        bus.publish([...rooms].map((id) => ({ topic: 'room', id })))
      },
    })
    const heartbeat = roomHeartbeat({ db, board, catalog, balance, now: clock.now })
    const streams = roomStreams({
      heartbeat,
      board,
      schedule: config.schedule,
      now: clock.now,
      onError: (error) => log.debug({ error }, 'a room could not be looked at'),
    })
    undo.push(() => streams.stop())
    const readLobby = lobbyReader({ board, catalog, robots: config.robots, now: clock.now })
    const games = gameStreams({
      db,
      lobby: readLobby,
      schedule: config.schedule,
      now: clock.now,
      onError: (error) => log.debug({ error }, 'the games could not be looked at'),
    })
    undo.push(() => games.stop())
    bus.subscribe((news) => {
      board.changed(news)
      streams.hear(news)
      games.hear(news)
    })

    const gamesChanged = (gameIds: readonly number[]) =>
      bus.publish(gameIds.map((id) => ({ topic: 'game', id })))

    const features = lastKnown(
      async () => ({
        bankDeposits: (await bankAccountOf(db)) !== null,
        robots: config.robots && (await catalog()).rooms.some(({ robots }) => robots > 0),
      }),
      { bankDeposits: false, robots: false },
    )
    const withdrawals = {
      db,
      balance,
      sealer: secrets,
      timeZone,
      now: clock.now,
    }

    const secure = config.publicUrl?.startsWith('https://') ?? false
    const http = await httpServer({
      log,
      secure,
      origins: config.lines ?? [],
      trustedProxies: config.trustedProxies,
      requestsAMinute: config.rateLimits ? REQUESTS_A_MINUTE : null,
    })
    undo.push(() => http.close())
    showTime(http, clock.now)

    if (config.beacon.kind === 'local') await serveLocalBeacon(http, keys, clock.now)
    const local = config.tron ? null : await localChain(http, config, db, tuning)
    const depositKey = accountKey(config.tron?.xpub ?? keys.tronXpub)
    const seenTo: { current: DepositWatcher['seenTo'] } = { current: () => [] }

    const once = onceByKey({
      keys: keyStore(db, { abandonedAfterMs: ABANDONED_AFTER_MS }),
      hashKey: deriveKey(secretKey, 'inputs of idempotency keys'),
      onError: (error) => log.warn({ error }, 'what came of an idempotency key could not be kept'),
    })
    const engine: { host: EngineHost | null } = { host: null }
    const serving = {
      findCaller: sessionFinder(db),
      findStaff: staffFinder(db),
      rateLimits: rateLimits(config.rateLimits),
      secureCookies: secure,
      origins: [...(config.publicUrl ? [config.publicUrl] : []), ...(config.lines ?? [])],
    }
    serveRoutes(
      http,
      [
        ...contentRoutes({
          db,
          clientConfig: async (origin) =>
            clientConfig(config, {
              origin,
              build: options.build,
              ...(await features()),
            }),
        }),
        ...accountRoutes({
          db,
          outbox: queueOutbox,
          codeKey: deriveKey(secretKey, 'mailed codes'),
          files: pictures,
          log,
          publicUrl: config.publicUrl,
          limits: config.rateLimits,
          sealer: secrets,
          notifyOfChange: notify,
          money: playerMoney({ db, balance, timeZone, now: clock.now }),
        }),
        ...inboxRoutes({ db, announcements: announcementReader(db) }),
        ...walletRoutes({ db, timeZone, now: clock.now }),
        ...staffRoutes({ db, sealer: secrets, heads, limits: config.rateLimits }),
        ...fairnessRoutes({ db }),
        ...withdrawalRoutes(withdrawals),
        ...withdrawalReviewRoutes(withdrawals),
        ...gameRoutes({
          db,
          schedule: config.schedule,
          openingHours: config.openingHours,
          beaconDeadlineMs: config.beacon.deadlineMs,
          now: clock.now,
        }),
        ...roundRoutes({ db, timeZone, now: clock.now }),
        ...betRoutes({ db, placeBet, timeZone, now: clock.now }),
        ...roomRoutes({ db, heartbeat, readLobby }),
        ...roomStaffRoutes({ db, catalog, onChange: gamesChanged }),
        ...roundStaffRoutes({ db, onChange: gamesChanged }),
        ...robotStaffRoutes({ db, catalog, on: config.robots, onChange: gamesChanged }),
        ...depositRoutes({
          db,
          balance,
          accountKey: depositKey,
          seenTo: (address) => seenTo.current(address),
        }),
        ...depositStaffRoutes({ db, timeZone, now: clock.now }),
      ].map(once),
      serving,
    )
    serveStreams(
      http,
      [
        bindStream(stream, (caller, { game_id: gameId, plan_id: roomId, after = null }, tell) =>
          streams.watch({ gameId, roomId, after }, { caller, tell }),
        ),
        bindStream(gamesStream, (_stranger, _asked, tell) => games.watch(tell)),
      ],
      serving,
    )
    serveDownloads(http, betDownloads({ db: files, timeZone, now: clock.now }), serving)
    serveOperations(http, {
      readiness: async () => {
        const database = await db.query('select').then(
          () => true,
          () => false,
        )
        const parts = { database, ...engineParts(engine.host) }
        return { ready: Object.values(parts).every(Boolean), parts }
      },
      metrics: engineMetrics(() => engine.host),
      metricsToken: config.metricsToken,
      open: config.profile === 'demo',
      build: options.build,
    })
    if (config.profile === 'demo') serveDevPages(http, { mails, chain: local })
    await serveUploads(http, pictures.folder)
    await serveApps(http)

    await http.listen({ port: config.port, host: config.host })
    const origin = originOf(http, config)

    const node = tronNode({
      url: config.tron?.apiUrl ?? `${origin}/tron`,
      ...(config.tron?.apiKey ? { apiKey: config.tron.apiKey } : {}),
    })
    const watched = {
      db: background,
      node,
      contract: config.tron?.usdtContract ?? USDT_MAINNET_CONTRACT,
      chain: config.tron ? 'tron' : 'local',
      pollMs: tuning.watchPollMs ?? 3_000,
      log,
    }
    const watcher = startDepositWatcher({
      ...watched,
      accountKey: depositKey,
      timeZone,
      now: clock.now,
    })
    seenTo.current = watcher.seenTo
    undo.push(() => watcher.stop())

    const worker = await startWorker({
      url: options.databaseUrl,
      db: background,
      mail,
      sealer: secrets,
      pictures,
      retention: config.retention,
      heads,
      now: clock.now,
      compareWithChain: (signal) => rescanChain(watched, signal),
      log,
    })
    undo.push(() => worker.stop())

    const engineHost = startEngineProcess(
      {
        databaseUrl: options.databaseUrl,
        schedule: config.schedule,
        beaconDeadlineMs: config.beacon.deadlineMs,
        localBeacon:
          config.beacon.kind === 'local'
            ? { secretHex: keys.beaconSecret, genesisTime: keys.beaconGenesis }
            : null,
        secretKey,
        secretKeysPrevious: config.secretKeysPrevious,
        gameIds: GAME_IDS,
        ...(tuning.seedChainLength ? { seedChainLength: tuning.seedChainLength } : {}),
        ...(tuning.clockSyncMs ? { clockSyncMs: tuning.clockSyncMs } : {}),
      },
      { log, onStep: (id) => bus.publish([{ topic: 'game', id }]) },
    )
    undo.push(() => engineHost.stop())
    engine.host = engineHost
    await engineHost.started
    if (config.robots) {
      const lead = leadership(options.databaseUrl)
      undo.push(() => lead.close())
      const robots = startRobots({
        db: background,
        catalog,
        placeBet,
        schedule: config.schedule,
        now: clock.now,
        log,
        leads: () => lead.holds(ROBOTS_LEAD),
      })
      undo.push(() => robots.stop())
    }

    const url = config.publicUrl ?? origin.replace('//127.0.0.1:', '//localhost:')
    return { url, db, mails, chain: local, engine: engineHost, stop }
  }
}

/** The operator's own beacon, for whoever checks a draw; the engine has one for itself. */
async function serveLocalBeacon(
  http: FastifyInstance,
  keys: LocalKeys,
  now: () => number,
): Promise<void> {
  const beacon = createLocalBeacon({
    secret: Buffer.from(keys.beaconSecret, 'hex'),
    genesisTime: keys.beaconGenesis,
    now,
  })
  await http.register(localBeaconRoutes, { prefix: '/beacon', beacon })
}

async function localChain(
  http: FastifyInstance,
  config: Config,
  db: Database,
  tuning: NonNullable<AppOptions['tuning']>,
): Promise<LocalTronNode> {
  const node = localTronNode({
    file: join(config.dataDir, 'chain.jsonl'),
    heightMin: (await watcherPlace(db, 'local')) ?? 0,
    ...(tuning.chainPeriodMs ? { periodMs: tuning.chainPeriodMs } : {}),
  })
  await http.register(node.plugin, { prefix: '/tron' })
  return node
}

function accountKey(xpub: string) {
  const opened = openAccountKey(xpub)
  if (opened.ok) return opened.key
  throw new StartError(`TRON_XPUB cannot be used: ${opened.message}`)
}

/** The address under which this process reaches itself. */
function originOf(http: FastifyInstance, config: Config): string {
  const address = http.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
