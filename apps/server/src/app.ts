/**
 * The product's table of contents: makes each part from what it needs, in this order, and ends them in the reverse
 * order. The details are in the parts: `product.ts` with the modules, `http/`, `jobs/`.
 */
import { serveLocalBeacon } from '#src/adapters/beacon/local-beacon-routes.ts'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import { openChain } from '#src/adapters/chain/open-chain.ts'
import type { CapturedMails } from '#src/adapters/mail/transport.ts'
import { openTransport } from '#src/adapters/mail/transport.ts'
import type { Role } from '#src/config.ts'
import { type Database, isReachable } from '#src/db/database.ts'
import { engineParts, showOverdue } from '#src/engine/engine-health.ts'
import { runEngine } from '#src/engine/run-engine.ts'
import { listen, openHttp, serveProduct, untilUnasked } from '#src/http/serve-product.ts'
import { jobParts, showDatabase, showJobs, showNeeds } from '#src/jobs/watch-needs.ts'
import { GAME_IDS } from '#src/modules/games/catalog.ts'
import { startInOrder } from '#src/process/lifetime.ts'
import { type AppOptions, openResources } from '#src/resources.ts'

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
  const mail = people ? openTransport({ ...resources, db: does.jobs ? resources.jobDb : db }) : null
  const http = await openHttp(resources)
  const beacon = does.api || does.engine ? await serveLocalBeacon(http, resources) : null
  const chain = await openChain(http, {
    ...resources,
    localDb: does.jobs ? resources.jobDb : null,
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

  // An engine's process starts without what only people need, and so is sooner back after a fall.
  const product = people
    ? await (await import('#src/product.ts')).makeProduct(resources, chain)
    : null
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
    const { startJobs } = await import('#src/jobs/start-jobs.ts')
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
