/**
 * The product's table of contents: makes each part from what it needs, in this order, and ends them in the reverse
 * order. The details are in the parts: `modules/<name>/module.ts`, `http/`, `jobs/`.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { serveLocalBeacon } from '#src/adapters/beacon/serve-local-beacon.ts'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import { type Chain, openChain } from '#src/adapters/chain/open-chain.ts'
import { openFiles } from '#src/adapters/files/open-files.ts'
import { openMail } from '#src/adapters/mail/open-mail.ts'
import type { CapturedMails } from '#src/adapters/mail/transport.ts'
import type { Role } from '#src/config.ts'
import { type Database, isReachable } from '#src/db/database.ts'
import { engineParts, showEngine } from '#src/engine/engine-health.ts'
import type { EngineHost } from '#src/engine/engine-host.ts'
import { beginEngine, loadEngine } from '#src/engine/start-engine.ts'
import { listen, openHttp } from '#src/http/open-http.ts'
import { serveProduct } from '#src/http/serve-product.ts'
import { startJobs } from '#src/jobs/start-jobs.ts'
import { startInOrder } from '#src/lifetime.ts'
import { accountsModule } from '#src/modules/accounts/module.ts'
import { betsModule } from '#src/modules/bets/module.ts'
import { consoleContentModule } from '#src/modules/console-content/module.ts'
import { consoleGamesModule } from '#src/modules/console-games/module.ts'
import { consoleMoneyModule } from '#src/modules/console-money/module.ts'
import { consolePlayersModule } from '#src/modules/console-players/module.ts'
import { consoleReportsModule } from '#src/modules/console-reports/module.ts'
import { consoleStartModule } from '#src/modules/console-start/module.ts'
import { contentModule } from '#src/modules/content/module.ts'
import { watcherPlace } from '#src/modules/deposits/deposit-store.ts'
import { depositsModule } from '#src/modules/deposits/module.ts'
import { fairnessModule } from '#src/modules/fairness/module.ts'
import { GAME_IDS, gamesModule } from '#src/modules/games/module.ts'
import { inboxModule } from '#src/modules/inbox/module.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { ownAccountModule } from '#src/modules/own-account/module.ts'
import { protectionModule } from '#src/modules/protection/module.ts'
import { robotsModule } from '#src/modules/robots/module.ts'
import { roomsModule } from '#src/modules/rooms/module.ts'
import { roundsModule } from '#src/modules/rounds/module.ts'
import { staffModule } from '#src/modules/staff/module.ts'
import { walletModule } from '#src/modules/wallet/module.ts'
import { withdrawalsModule } from '#src/modules/withdrawals/module.ts'
import { type AppOptions, openResources, type Resources } from '#src/resources.ts'

export type App = {
  readonly url: string
  readonly db: Database
  /** Null if mail is sent by SMTP. */
  readonly mails: CapturedMails | null
  /** The demo's chain; null if a real node is read, or another process serves it. */
  readonly chain: LocalTronNode | null
  /** The process that drives the rounds; null if another role does that. */
  readonly engine: EngineHost | null
  stop(): Promise<void>
}

/** Starts the parts of the product that the configured role runs, on a database that is up to date. */
export async function startApp(options: AppOptions): Promise<App> {
  const { result, stop } = await startInOrder((ending) => start(options, ending))
  return { ...result, stop }
}

/** Which parts a process of each role runs. */
const ROLES = {
  all: { api: true, engine: true, jobs: true },
  api: { api: true, engine: false, jobs: false },
  engine: { api: false, engine: true, jobs: false },
  jobs: { api: false, engine: false, jobs: true },
  // It ends before any part starts.
  migrate: { api: false, engine: false, jobs: false },
} as const satisfies Record<Role, object>

async function start(
  options: AppOptions,
  ending: AsyncDisposableStack,
): Promise<Omit<App, 'stop'>> {
  const resources = await openResources(options, ending)
  const { config, db } = resources
  const does = ROLES[config.role]
  const engine = does.engine ? loadEngine(resources) : null
  const mail = openMail(resources)
  const http = await openHttp(resources)
  if (does.api) await serveLocalBeacon(http, resources)
  const chain = await openChain(http, {
    ...resources,
    heightMin: () => watcherPlace(db, 'local'),
    serves: does.jobs,
  })
  if (engine) showEngine(resources.metrics, () => engine)
  let draining = false

  const product = does.api || does.jobs ? await makeProduct(resources, chain) : null
  await serveProduct(http, {
    ...resources,
    product: does.api ? product : null,
    readiness: async () => {
      const parts = {
        database: await isReachable(db),
        ...(engine ? engineParts(engine) : {}),
        ...(draining ? { serving: false } : {}),
      }
      return { ready: Object.values(parts).every(Boolean), parts }
    },
    dev: { mails: mail.captured, chain: chain.local },
  })
  const origin = await listen(http, resources)

  if (engine) await beginEngine(engine, { ...resources, gameIds: GAME_IDS })
  if (does.jobs && product) {
    await startJobs({ ...resources, ...product, chain, origin, mail: mail.transport })
  }
  if (does.api && config.drainMs > 0) {
    const { drain = () => sleep(config.drainMs) } = resources.tuning
    // Before everything else ends.
    ending.defer(() => {
      draining = true
      return drain()
    })
  }
  const url = config.publicUrl ?? origin.replace('//127.0.0.1:', '//localhost:')
  return { url, db, mails: mail.captured, chain: chain.local, engine }
}

/** The modules, each made from those before it. */
async function makeProduct(resources: Resources, chain: Chain) {
  const pictures = await openFiles(resources)
  const staff = await staffModule(resources)
  const { balance, ...wallet } = walletModule(resources)
  const protection = protectionModule(resources)
  const { catalog, ...games } = gamesModule(resources)
  const fairness = fairnessModule(resources)
  const rounds = roundsModule(resources)
  const bets = betsModule({ ...resources, balance })
  const accounts = accountsModule({
    ...resources,
    money: bets.money,
    notifyOfChange: notify,
    noteMark: protection.noteMark,
    pictures,
  })
  const rooms = roomsModule({ ...resources, catalog })
  const robots = await robotsModule({ ...resources, catalog })
  const deposits = depositsModule({
    ...resources,
    balance,
    accountKey: chain.accountKey,
    chain: chain.name,
  })
  const withdrawals = withdrawalsModule({
    ...resources,
    balance,
    noteMark: protection.noteMark,
  })
  const content = contentModule({
    ...resources,
    catalog,
    takesBankDeposits: deposits.takesBankDeposits,
  })
  const inbox = inboxModule({ ...resources, readAnnouncements: content.readAnnouncements })

  const own = ownAccountModule({ ...resources, provePassword: accounts.provePassword })

  const areas = [
    consoleStartModule(resources),
    consolePlayersModule(resources),
    consoleMoneyModule(resources),
    consoleGamesModule(resources),
    consoleContentModule(resources, pictures),
    consoleReportsModule(resources),
  ]

  const modules = [
    accounts,
    staff,
    inbox,
    wallet,
    protection,
    games,
    fairness,
    rounds,
    bets,
    rooms,
    robots,
    deposits,
    withdrawals,
    content,
    own,
    ...areas,
  ]
  return {
    findCaller: accounts.findCaller,
    doubtfulSessions: accounts.doubtfulSessions,
    findStaff: staff.findStaff,
    routes: modules.flatMap(({ routes }) => routes),
    streams: rooms.streams,
    downloads: [bets, own, ...areas].flatMap(({ downloads }) => downloads),
    pictures,
    heads: staff.heads,
    catalog,
    placeBet: bets.placeBet,
  }
}
