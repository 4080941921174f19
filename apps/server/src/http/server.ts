/** The HTTP server: plugins, limits, errors as envelopes. It contains no route of the product. */
import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import type { FastifyRequest } from 'fastify'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  LogController,
} from 'fastify'
import { timedOut } from '#src/concurrency/concurrency.ts'
import { exhausted, isDatabaseAway, isTimedOut } from '#src/db/database.ts'
import { beginRequestSpan, isTracing, type RequestSpan } from '#src/process/tracing.ts'
import { malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { bodyOf, Refused, refusalAnswer, retryAfterOf, wordedForStaff } from './envelope.ts'
import { endUnreadBodies, limitConnections, limitRequestsAtOnce } from './flood-guard.ts'
import { type Counts, limitCalls, ownCounts } from './rate-limits.ts'
import {
  BODY_MAX_BYTES,
  languageOfRequest,
  pathOf,
  queryFields,
  readBodies,
} from './request-parts.ts'
import { endDeadlines, STAFF_PATH } from './serve-calls.ts'

export type HttpOptions = {
  log: FastifyBaseLogger
  /** Whether players use https. */
  secure: boolean
  /** Origins of pages that may call: of the app and its lines; none if there is one line. */
  origins: readonly string[]
  /** Addresses and networks whose `X-Forwarded-For` is trusted; none by default. */
  trustedProxies?: readonly string[]
  /** Requests of one network a minute, of all kinds; null, the default, means no limit. */
  requestsAMinute?: number | null
  /** Where calls are counted; by default each server counts separately. */
  counts?: Counts
  /** Time limits for clients; shorter in tests. */
  patience?: Patience
  /** The time of answers, in milliseconds since 1970; by default the machine's. */
  now?: () => number
}

/** In milliseconds. */
type Patience = {
  /** From the first byte of a request to the end of its head, and of its body. */
  head: number
  body: number
  /** For a connection without traffic. */
  silence: number
  /** How often the first two are checked. */
  look: number
}

/** A phone on a slow network sends a picture of 5 MB in a minute. */
const PATIENCE: Patience = { head: 10_000, body: 60_000, silence: 90_000, look: 5_000 }

/** The greatest length of an address with its query. */
const URL_MAX = 2_048

/**
 * Tokens, our cookies and the headers of proxies take some hundred bytes; on localhost a browser also sends the cookies
 * of all other programs.
 */
const HEAD_MAX_BYTES = 16 * 1024

/** The answers to requests that never reach a route, by the error of Node's parser; in English, before any language. */
const UNREADABLE: Record<string, readonly [status: string, sentence: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of the request are larger than 16 kB: delete the cookies of this address, also those of other programs.',
  ],
}

export async function httpServer({
  log,
  secure,
  origins,
  trustedProxies = [],
  requestsAMinute = null,
  counts = ownCounts(),
  patience = PATIENCE,
  now = Date.now,
}: HttpOptions): Promise<FastifyInstance> {
  const fastify = Fastify({
    // Of its own lines only warnings: the greeting names the addresses.
    loggerInstance: log.level === 'info' ? log.child({}, { level: 'warn' }) : log,
    logController: new LogController({ disableRequestLogging: true }),
    // One for each request would cost 3 µs, as it redacts its facts anew; lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: patience.body,
    connectionTimeout: patience.silence,
    http: {
      headersTimeout: patience.head,
      requestTimeout: patience.body,
      connectionsCheckingInterval: patience.look,
      maxHeaderSize: HEAD_MAX_BYTES,
    },
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: true,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      querystringParser: queryFields,
    },
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    clientErrorHandler: (error, socket) => {
      if (socket.destroyed) return
      const [status, sentence] = UNREADABLE[error.code] ?? [
        '400 Bad Request',
        'This is no request.',
      ]
      if (socket.writable) {
        socket.write(
          `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${sentence.length}\r\n\r\n${sentence}`,
        )
      }
      socket.destroy(error)
    },
  })
  limitConnections(fastify.server, trustedProxies)
  setSecurityHeaders(fastify, { secure, origins })
  if (origins.length > 0) {
    await fastify.register(cors, {
      origin: [...origins],
      methods: ['GET', 'POST'],
      allowedHeaders: ['Content-Type', 'Token', 'Idempotency-Key'],
      exposedHeaders: [
        'Content-Disposition',
        'Idempotency-Replayed',
        'Retry-After',
        'X-Total-Count',
      ],
    })
  }
  fastify.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
  if (isTracing()) traceRequests(fastify)
  fastify.decorate('now', now)
  fastify.decorateRequest('call')
  endDeadlines(fastify)
  endUnreadBodies(fastify)
  limitCalls(fastify, counts, requestsAMinute)
  if (requestsAMinute !== null) limitRequestsAtOnce(fastify)
  await fastify.register(cookie, { hook: false })
  await readBodies(fastify)

  if (log.level === 'debug' || log.level === 'trace') logAnswers(fastify)

  fastify.setErrorHandler((error: FastifyError | Refused, request, reply) => {
    const refusal = error instanceof Refused ? error.refusal : refusalOf(error, request)
    const isToStaff = request.routeOptions.url?.startsWith(STAFF_PATH)
    const worded = isToStaff ? wordedForStaff(refusal) : refusal
    const { http, answer } = refusalAnswer(worded, languageOfRequest(request))
    const wait = retryAfterOf(refusal)
    if (wait !== undefined) reply.header('Retry-After', wait)
    reply.code(http).send(bodyOf(reply, answer))
  })
  return fastify
}

/** Writes a line for each answer. */
function logAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, reply, next) => {
    // Only the path: a query may contain private data.
    const path = request.url.split('?', 1)[0]
    request.log.debug(
      {
        reqId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    next()
  })
}

/**
 * An address whose path cannot be decoded, such as /%zz, counts as not found: the router would answer it without any
 * hook, and so without our headers and envelope. A query that is longer than any of ours is not read.
 */
function readableUrl(requested: string): string {
  const url = requested.length > URL_MAX ? (requested.split('?', 1)[0] ?? '') : requested
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  try {
    decodeURI(path)
    return url
  } catch {
    return ['/api/unreadable', ...query].join('?')
  }
}

/** The refusal that an error stands for; a fault of ours and an absent database are logged. */
function refusalOf(error: FastifyError, { id, log, call }: FastifyRequest): Refusal {
  if (error.statusCode === 413) return refuse('too_large')
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return malformed({ body: 'body' })
  }
  if (isTimedOut(error) || isDatabaseAway(error)) {
    const why = exhausted(error)
    if (why !== null) log.error({ reqId: id, code: error.code }, why)
    else log.warn({ reqId: id, code: error.code }, 'the database is away')
    return isTimedOut(error) || call?.mayBeDone ? timedOut() : refuse('unavailable')
  }
  log.error({ reqId: id, error }, 'a fault of ours')
  return refuse('fault', { request_id: id })
}

type Headers = Readonly<Record<string, string>>

/** Calls of the API: their answers are data, and no page. */
const API_CALL = /^\/api\//i

/**
 * Sets the headers before everything else, so that refusals and missing pages have them too. Answers of the API are
 * never cached, and have none of the headers that only concern pages: those would be most of their bytes.
 *
 * @param options `secure`: players use https, and browsers are told to keep to it; `origins`: other origins that
 *   pages may connect to
 */
function setSecurityHeaders(
  fastify: FastifyInstance,
  options: { secure: boolean; origins: readonly string[] },
): void {
  const ofData = headersOfData(options)
  const ofPages = headersOfPages(options)
  fastify.addHook('onRequest', (request, reply, next) => {
    reply.headers(API_CALL.test(pathOf(request)) ? ofData : ofPages)
    next()
  })
}

/** What OWASP's REST Security Cheat Sheet asks of answers that are data. */
function headersOfData({ secure }: { secure: boolean }): Headers {
  return {
    'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    ...headersOfAll(secure),
  }
}

function headersOfPages({
  secure,
  origins,
}: {
  secure: boolean
  origins: readonly string[]
}): Headers {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    // The other line serves both, at its own address.
    ["img-src 'self' data: blob:", ...origins].join(' '),
    ["connect-src 'self'", ...origins].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join(';'),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'X-DNS-Prefetch-Control': 'off',
    'X-Download-Options': 'noopen',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'X-XSS-Protection': '0',
    ...headersOfAll(secure),
  }
}

function headersOfAll(secure: boolean): Headers {
  return {
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(secure ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a call lasts for hours, as a stream does: it has no span, and a limit of its own. */
    lastsLong?: boolean
  }
}

/** Gives each call of the API a span that contains all of its work. */
function traceRequests(fastify: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  fastify.addHook('onRequest', (request, reply, next) => {
    const { url: route, config } = request.routeOptions
    if (!route?.startsWith('/api/') || config.lastsLong) return next()
    const span = beginRequestSpan({ method: request.method, route, id: request.id })
    if (!span) return next()
    spans.set(request, span)
    // Also if the client has left before the answer.
    reply.raw.once('close', () => span.end(reply.statusCode))
    span.run(next)
  })
  // Code that reads the body continues from the connection's events, and so outside of the span.
  fastify.addHook('preValidation', (request, _reply, next) => {
    const span = spans.get(request)
    if (span) span.run(next)
    else next()
  })
}
