import type { FastifyInstance } from 'fastify'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import type { CapturedMail } from '#src/adapters/mail/transport.ts'
import { keyStore } from '#src/db/key-store.ts'
import type { FindCaller } from '#src/modules/accounts/caller.ts'
import type { FindStaff } from '#src/modules/staff/staff-caller.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/sealer.ts'
import type { RouteBinding } from './binding.ts'
import { keepConsoleApart } from './console-origin.ts'
import { serveDevPages } from './dev-pages.ts'
import { ABANDONED_AFTER_MS, onceByKey } from './once-by-key.ts'
import { isSecure } from './open-http.ts'
import { type Operations, serveOperations } from './operations.ts'
import { rateLimits } from './rate-limits.ts'
import { type DownloadBinding, serveDownloads } from './serve-downloads.ts'
import { serveRoutes } from './serve-routes.ts'
import { type StreamBinding, serveStreams } from './serve-stream.ts'
import { serveUploads } from './serve-uploads.ts'
import { serveApps } from './static-apps.ts'

/** Serves all that is reached over HTTP: the modules' calls, operations, pictures and the apps. */
export async function serveProduct(
  http: FastifyInstance,
  deps: Pick<Resources, 'config' | 'db' | 'secretKey' | 'log' | 'build' | 'metrics'> & {
    findCaller: FindCaller
    findStaff: FindStaff
    routes: readonly RouteBinding[]
    streams: readonly StreamBinding[]
    downloads: readonly DownloadBinding[]
    readiness: Operations['readiness']
    /** The folder of the players' pictures. */
    uploads: string
    /** What the demo shows at /dev. */
    dev: { mails: readonly CapturedMail[] | null; chain: LocalTronNode | null }
  },
): Promise<void> {
  const { config, log, build } = deps
  const serving = {
    metrics: deps.metrics,
    findCaller: deps.findCaller,
    findStaff: deps.findStaff,
    rateLimits: rateLimits(config.rateLimits),
    secureCookies: isSecure(config),
    consoleOrigin: config.consoleUrl,
    origins: [...(config.publicUrl ? [config.publicUrl] : []), ...(config.lines ?? [])],
  }
  const once = onceByKey({
    keys: keyStore(deps.db, { abandonedAfterMs: ABANDONED_AFTER_MS }),
    hashKey: deriveKey(deps.secretKey, 'inputs of idempotency keys'),
    onError: (error) => log.warn({ error }, 'what came of an idempotency key could not be kept'),
  })
  const demo = config.profile === 'demo'
  serveRoutes(http, deps.routes.map(once), serving)
  serveStreams(http, deps.streams, serving)
  serveDownloads(http, deps.downloads, serving)
  serveOperations(http, {
    readiness: deps.readiness,
    metrics: deps.metrics,
    metricsToken: config.metricsToken,
    open: demo,
    build,
  })
  if (demo) serveDevPages(http, deps.dev)
  await serveUploads(http, deps.uploads)
  if (config.consoleUrl) keepConsoleApart(http, config.consoleUrl)
  await serveApps(http)
}
