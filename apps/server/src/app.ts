/**
 * The product's table of contents: makes each part from what it needs, in this order, and ends them in the reverse
 * order. The details are in the parts: `modules/<name>/module.ts`, `http/`, `jobs/`.
 */
import { serveLocalBeacon } from '#src/adapters/beacon/local-beacon-routes.ts'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import { type Chain, openChain } from '#src/adapters/chain/open-chain.ts'
import type { CapturedMails } from '#src/adapters/mail/transport.ts'
import { openMail } from '#src/adapters/mail/transport.ts'
import type { Role } from '#src/config.ts'
import { type Database, isReachable } from '#src/db/database.ts'
import { engineParts, showOverdue } from '#src/engine/engine-health.ts'
import { runEngine } from '#src/engine/run-engine.ts'
import { listen, openHttp, serveProduct, untilUnasked } from '#src/http/serve-product.ts'
import { startJobs } from '#src/jobs/start-jobs.ts'
import { jobParts, showDatabase, showJobs, showNeeds } from '#src/jobs/watch-needs.ts'
import { accountsModule } from '#src/modules/accounts/module.ts'
import { betsModule } from '#src/modules/bets/module.ts'
import { consoleModule } from '#src/modules/console/module.ts'
import { contentModule } from '#src/modules/content/module.ts'
import { watcherHeight } from '#src/modules/deposits/deposit-store.ts'
import { depositsModule } from '#src/modules/deposits/module.ts'
import { disclosureModule } from '#src/modules/disclosure/module.ts'
import { fairnessModule } from '#src/modules/fairness/module.ts'
import { GAME_IDS, gamesModule } from '#src/modules/games/module.ts'
import { inboxModule } from '#src/modules/inbox/module.ts'
import { notify, unreadOf } from '#src/modules/inbox/notify.ts'
import { ownAccountModule } from '#src/modules/own-account/module.ts'
import { protectionModule } from '#src/modules/protection/module.ts'
import { publicLogModule } from '#src/modules/public-log/module.ts'
import { robotsModule } from '#src/modules/robots/module.ts'
import { roomsModule } from '#src/modules/rooms/module.ts'
import { roundsModule } from '#src/modules/rounds/module.ts'
import { staffModule } from '#src/modules/staff/module.ts'
import { walletModule } from '#src/modules/wallet/module.ts'
import { withdrawalsModule } from '#src/modules/withdrawals/module.ts'
import { startInOrder } from '#src/process/lifetime.ts'
import { type AppOptions, openResources, type Resources } from '#src/resources.ts'

export type App = {
  /** Where it is reached: by players, if it serves them; else on this machine. */
  readonly url: string
  readonly db: Database
  /** Null if mail is sent by SMTP. */
  readonly mails: CapturedMails | null
  /** The demo's chain; null if a real node is read, or another process serves it. */
  readonly chain: LocalTronNode | null
  /** What the engine shows of itself, in Prometheus' format; nothing if another role drives the rounds. */
  engineMetrics(): Promise<string>
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
  const people = does.api || does.jobs
  const mail = people ? openMail({ ...resources, db: does.jobs ? resources.jobDb : db }) : null
  const http = await openHttp(resources)
  const beacon = does.api || does.engine ? await serveLocalBeacon(http, resources) : null
  const chain = await openChain(http, {
    ...resources,
    heightMin: () => watcherHeight(db, 'local'),
    serves: does.jobs,
  })
  const rounds = { ...resources, gameIds: GAME_IDS }
  showOverdue(resources.metrics, rounds)
  if (people) {
    showNeeds(resources.metrics, resources)
    showJobs(resources.metrics, db)
  }
  showDatabase(resources.metrics, db)
  let engineMetrics = options.engineProcess?.metrics ?? (async () => '')
  let draining = false

  const product = people ? await makeProduct(resources, chain) : null
  await serveProduct(http, {
    ...resources,
    product: does.api ? product : null,
    readiness: async () => {
      const [database, ofEngine, ofJobs] = await Promise.all([
        isReachable(db),
        does.engine ? engineParts(rounds) : null,
        does.jobs ? jobParts(db) : null,
      ])
      // Players read and withdraw whatever else fails: a process that serves them goes on.
      const works = does.api || ofEngine?.engine !== false
      return {
        ready: database && works && !draining,
        parts: { database, ...ofEngine, ...ofJobs, ...(draining ? { serving: false } : {}) },
      }
    },
    engineMetrics: () => engineMetrics(),
    dev: { mails: mail?.captured ?? null, chain: chain.local, app: does.api },
  })
  const origin = await listen(http, resources)

  if (does.engine && !options.engineProcess) {
    const ownBeacon = beacon && { info: beacon, address: `${origin}/beacon` }
    engineMetrics = runEngine({ ...rounds, ownBeacon }).metrics
  }
  const jobs = ending.use(new AsyncDisposableStack())
  if (does.jobs && product && mail) {
    const parts = { ...resources, ...product, chain, origin, ending: jobs }
    await startJobs({ ...parts, mail: mail.transport })
  }
  if (does.api && (config.role === 'api' || config.profile === 'production')) {
    const { drain = () => untilUnasked(http) } = resources.tuning
    // Before everything that it needs ends; for jobs nobody waits.
    ending.defer(async () => {
      draining = true
      await Promise.all([drain(), jobs.disposeAsync()])
    })
  }
  // Players' address leads to no process of another part.
  const url = (does.api && config.publicUrl) || origin.replace('//127.0.0.1:', '//localhost:')
  return { url, db, mails: mail?.captured ?? null, chain: chain.local, engineMetrics }
}

/** The modules, each made from those before it. */
async function makeProduct(resources: Resources, chain: Chain) {
  const staff = await staffModule(resources)
  const { balance, ...wallet } = walletModule(resources)
  const protection = protectionModule(resources)
  const { catalog, ...games } = gamesModule(resources)
  const fairness = fairnessModule(resources)
  const { readLogFile, readLogProof, readOwedLog, signReceipt } = publicLogModule(resources)
  const rounds = roundsModule({ ...resources, readLogProof })
  const bets = betsModule({ ...resources, balance, readLogProof, signReceipt })
  const accounts = accountsModule({
    ...resources,
    money: bets.money,
    notifyOfChange: notify,
    noteMark: protection.noteMark,
    noteSignInChange: protection.noteSignInChange,
    unreadOf: (playerId) => unreadOf(resources.db, playerId),
    notifyOfAddress: protection.notifyOfAddress,
    notifyOfDevice: (tx, { playerId, device, link }) =>
      notify(tx, { playerId, kind: 'new_device', facts: { device: device || '—' }, link }),
  })
  const rooms = roomsModule({ ...resources, catalog })
  const robots = await robotsModule({ ...resources, catalog })
  const deposits = depositsModule({
    ...resources,
    balance,
    accountKey: chain.accountKey,
    ownersProof: staff.ownersProof,
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

  const ownAccount = ownAccountModule({ ...resources, provePassword: accounts.provePassword })

  const disclosure = disclosureModule({ ...resources, readOwedLog })
  const otherRoutes = [staff, deposits, withdrawals].flatMap(({ routes }) => routes)
  const console = consoleModule({ ...resources, readLogProof, otherRoutes, mails: staff.mails })

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
    ownAccount,
    disclosure,
    console,
  ]
  return {
    findCaller: accounts.findCaller,
    doubtfulSessions: accounts.doubtfulSessions,
    watchOwn: ownAccount.watchOwn,
    findStaff: staff.findStaff,
    routes: modules.flatMap(({ routes }) => routes),
    streams: rooms.streams,
    downloads: [bets, ownAccount, console].flatMap(({ downloads }) => downloads),
    readPicture: accounts.readPicture,
    readLogFile,
    heads: staff.heads,
    consoleAt: staff.mails.consoleAt,
    catalog,
    placeBet: bets.placeBet,
  }
}
