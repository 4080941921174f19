import type { FastifyInstance } from 'fastify'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import type { CapturedMails } from '#src/adapters/mail/transport.ts'
import { keyStore } from '#src/db/key-store.ts'
import type { FindCaller, FindStaff } from '#src/http/caller.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/sealer.ts'
import type { RouteBinding } from './binding.ts'
import { keepConsoleApart } from './console-origin.ts'
import { serveDevPages } from './dev-pages.ts'
import { isSecure } from './open-http.ts'
import { type Operations, serveOperations } from './operations.ts'
import { rateLimits } from './rate-limits.ts'
import { ABANDONED_AFTER_MS, replayByKey } from './replay-by-key.ts'
import { type DownloadBinding, serveDownloads } from './serve-downloads.ts'
import { serveRoutes } from './serve-routes.ts'
import { type StreamBinding, serveStreams } from './serve-stream.ts'
import { type ReadPicture, serveUploads } from './serve-uploads.ts'
import { serveApps } from './static-apps.ts'

/** The calls and pages for players and staff. */
export type Product = {
  findCaller: FindCaller
  doubtfulSessions: (tokenHashes: readonly Buffer[]) => Promise<Buffer[]>
  findStaff: FindStaff
  routes: readonly RouteBinding[]
  streams: readonly StreamBinding[]
  downloads: readonly DownloadBinding[]
  readPicture: ReadPicture
}

type ServedDeps = Pick<
  Resources,
  'config' | 'db' | 'secretKey' | 'log' | 'build' | 'metrics' | 'tuning'
>

/**
 * Serves everything over HTTP: the operator's endpoints, in the demo its own pages, and the modules' calls with
 * pictures and apps.
 */
export async function serveProduct(
  http: FastifyInstance,
  deps: ServedDeps & {
    /** Null if this process does not serve players. */
    product: Product | null
    readiness: Operations['readiness']
    engineMetrics: Operations['engineMetrics']
    /** What the demo shows at /dev. */
    dev: { mails: CapturedMails | null; chain: LocalTronNode | null }
  },
): Promise<void> {
  const { config, product } = deps
  const demo = config.profile === 'demo'
  serveOperations(http, {
    readiness: deps.readiness,
    metrics: deps.metrics,
    engineMetrics: deps.engineMetrics,
    metricsToken: config.metricsToken,
    open: demo,
    build: deps.build,
  })
  if (demo) serveDevPages(http, deps.dev)
  if (product) await servePeople(http, product, deps)
}

function hashKeyOf(secretKey: string): Buffer {
  return deriveKey(secretKey, 'inputs of idempotency keys')
}

async function servePeople(
  http: FastifyInstance,
  product: Product,
  deps: ServedDeps,
): Promise<void> {
  const { config, log } = deps
  const { answerWithinMs } = deps.tuning
  const serving = {
    metrics: deps.metrics,
    answerWithinMs,
    findCaller: product.findCaller,
    doubtfulSessions: product.doubtfulSessions,
    findStaff: product.findStaff,
    rateLimits: rateLimits(config.rateLimits),
    secureCookies: isSecure(config),
    consoleOrigin: config.consoleUrl,
    origins: [...(config.publicUrl ? [config.publicUrl] : []), ...(config.lines ?? [])],
  }
  const once = replayByKey({
    ...(answerWithinMs ? { waitMs: answerWithinMs } : {}),
    keys: keyStore(deps.db, { abandonedAfterMs: ABANDONED_AFTER_MS }),
    hashKeys: [hashKeyOf(deps.secretKey), ...config.secretKeysPrevious.map(hashKeyOf)],
    onError: (error) => log.warn({ error }, 'what came of an idempotency key could not be kept'),
  })
  serveRoutes(http, product.routes.map(once), serving)
  serveStreams(http, product.streams, serving)
  serveDownloads(http, product.downloads, serving)
  serveUploads(http, product.readPicture)
  if (config.consoleUrl) keepConsoleApart(http, config.consoleUrl)
  await serveApps(http)
}
