import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { keyStore } from '#src/db/key-store.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import type { RouteBinding } from './call.ts'
import type { FindCaller, FindStaff } from './caller.ts'
import { originsOf } from './http-settings.ts'
import { type Operations, serveDevPages, serveOperations } from './operations.ts'
import { keepConsoleApart } from './origins.ts'
import { REQUESTS_A_MINUTE, rateLimits, sharedCounts } from './rate-limits.ts'
import { replayByKey } from './replay-by-key.ts'
import { serveCalls } from './serve-calls.ts'
import { type DownloadBinding, serveDownloads } from './serve-downloads.ts'
import { type StreamBinding, serveStreams } from './serve-stream.ts'
import { httpServer } from './server.ts'
import { serveApps } from './static-apps.ts'

/** The calls and pages for players and staff. */
export type Product = {
  findCaller: FindCaller
  doubtfulSessions: (tokenHashes: readonly Buffer[]) => Promise<Buffer[]>
  watchOwn: (playerId: number, send: (json: string) => void) => () => void
  findStaff: FindStaff
  routes: readonly RouteBinding[]
  streams: readonly StreamBinding[]
  downloads: readonly DownloadBinding[]
  readPicture: ReadPicture
  readLogFile: ReadLogFile
}

type ServedDeps = Pick<
  Resources,
  'config' | 'db' | 'secretKeys' | 'log' | 'build' | 'metrics' | 'tuning'
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
    dev: Parameters<typeof serveDevPages>[1]
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
    consoleOrigin: config.consoleUrl,
    rateLimits: rateLimits(config.rateLimits),
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
  const [secretKey, ...earlierKeys] = deps.secretKeys
  const serving = {
    metrics: deps.metrics,
    answerWithinMs,
    findCaller: product.findCaller,
    doubtfulSessions: product.doubtfulSessions,
    watchOwn: product.watchOwn,
    findStaff: product.findStaff,
    rateLimits: rateLimits(config.rateLimits),
    secureCookies: isSecure(config),
    consoleOrigin: config.consoleUrl,
    origins: originsOf(config),
  }
  const once = replayByKey({
    ...(answerWithinMs ? { waitMs: answerWithinMs } : {}),
    keys: keyStore(deps.db),
    hashKeys: [hashKeyOf(secretKey), ...earlierKeys.map(hashKeyOf)],
    onError: (error) => log.warn({ error }, 'what came of an idempotency key could not be kept'),
  })
  // Before the calls: its hook holds for those that are registered after it.
  if (config.consoleUrl) keepConsoleApart(http, config.consoleUrl)
  serveCalls(http, product.routes.map(once), serving)
  serveStreams(http, product.streams, serving)
  serveDownloads(http, product.downloads, serving)
  serveUploads(http, product.readPicture)
  serveLog(http, product.readLogFile)
  await serveApps(http, config.publicUrl)
}

/** The configured HTTP server; it does not listen yet. */
export async function openHttp(
  deps: Pick<Resources, 'config' | 'db' | 'secretKeys' | 'log' | 'now' | 'ending'>,
): Promise<FastifyInstance> {
  const { config, log, now, ending } = deps
  const counts = config.rateLimits
    ? sharedCounts({
        db: deps.db,
        key: deriveKey(deps.secretKeys[0], 'counts of calls'),
        onError: (error) => log.warn({ error }, 'calls are counted by this process alone'),
      })
    : null
  if (counts) ending.defer(() => counts.stop())
  const http = await httpServer({
    log,
    secure: isSecure(config),
    origins: config.lines ? originsOf(config) : [],
    trustedProxies: config.trustedProxies,
    requestsAMinute: config.rateLimits ? REQUESTS_A_MINUTE : null,
    ...(counts ? { counts } : {}),
    now,
  })
  ending.defer(() => http.close())
  return http
}

/**
 * How long one of several processes that stops still answers, marked as not ready: longer than the balancer takes to
 * send it no more requests. It ends as soon as no request has come for a second.
 */
const DRAIN_MS = 5_000
const UNASKED_MS = 1_000

/**
 * Waits until the balancer sends no more requests. Operators, who ask how the process is, do not count.
 *
 * @param now, wait time in milliseconds, which a test moves
 */
export async function untilUnasked(
  http: Pick<FastifyInstance, 'server'>,
  { now = () => performance.now(), wait = (ms: number): Promise<unknown> => sleep(ms) } = {},
): Promise<void> {
  const began = now()
  let askedAt = began
  http.server.on('request', ({ url = '' }) => {
    if (!/^\/(readyz|healthz|metrics)/.test(url)) askedAt = now()
  })
  const soon = () => Math.min(askedAt + UNASKED_MS, began + DRAIN_MS) - now()
  for (let left = soon(); left > 0; left = soon()) await wait(left)
}

/** Whether players use https. */
function isSecure({ publicUrl }: Pick<Resources['config'], 'publicUrl'>): boolean {
  return publicUrl?.startsWith('https://') ?? false
}

/** Listens at the configured address. @returns the address under which this process reaches itself */
export async function listen(
  http: FastifyInstance,
  { config }: Pick<Resources, 'config'>,
): Promise<string> {
  await http.listen({ port: config.port, host: config.host })
  const address = http.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The content of a picture; null if there is none of that name. */
type ReadPicture = (name: string) => Promise<Buffer | null>

/** A file of the log; null if there is none of that path. */
type ReadLogFile = (
  path: string,
) => Promise<{ content: string | Uint8Array; fixed: boolean } | null>

/** Names of pictures contain a hash of the content, so the content of a name never changes. */
const NAME = /^[0-9a-f]{32}\.webp$/

const FOREVER = 'public, max-age=31536000, immutable'

const PUBLIC = {
  'x-content-type-options': 'nosniff',
  // A page of the other line shows them too; they are public.
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

function serveUploads(fastify: FastifyInstance, readPicture: ReadPicture): void {
  fastify.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const { name } = request.params
    if (!NAME.test(name)) return reply.callNotFound()
    const etag = `"${name}"`
    const isCurrent = request.headers['if-none-match'] === etag
    const bytes = isCurrent ? null : await readPicture(name)
    if (!isCurrent && !bytes) return reply.callNotFound()
    reply.headers({ etag, 'cache-control': FOREVER, ...PUBLIC })
    return isCurrent ? reply.code(304).send() : reply.type('image/webp').send(bytes)
  })
}

function serveLog(fastify: FastifyInstance, readLogFile: ReadLogFile): void {
  fastify.get<{ Params: { '*': string } }>('/tlog/*', async (request, reply) => {
    const file = await readLogFile(request.params['*'])
    if (!file) return reply.callNotFound()
    const { content, fixed } = file
    // No longer than a day: a log that is begun anew has the same paths.
    const maxAge = fixed ? 86_400 : 1
    reply.headers({ 'cache-control': `public, max-age=${maxAge}`, ...PUBLIC })
    return typeof content === 'string'
      ? reply.type('text/plain; charset=utf-8').send(content)
      : reply.type('application/octet-stream').send(Buffer.from(content))
  })
}
