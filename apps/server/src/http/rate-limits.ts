/** How often one network may call, by the contract's rate classes, and the counts that all processes share. */
import { createHmac, hash } from 'node:crypto'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { RateClass, Route } from '@sum28/contract/route.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  confirmPasskeyEnrolment,
} from '@sum28/contract/staff-own-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/db/database.ts'
import { networkOf, networksOf } from '#src/formats/network-of.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { Refused } from './envelope.ts'
import { pathOf } from './request-parts.ts'

type Limit = {
  /** Calls a minute. */
  max: number
  hook: 'onRequest' | 'preValidation'
  /** A network, and after a blank a caller in it. */
  whose: (request: FastifyRequest) => string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rateLimit?: Limit | false
  }
  interface FastifyRequest {
    /** The client's network: looked up once, for it depends on all proxies that the request passed. */
    network: string | null
  }
}

export type RateLimits = { of(call: Pick<Route, 'rate'> & { path: string }): Limit | false }

const MINUTE_MS = 60_000

/**
 * Calls a minute from one network; for `own_poll`, with one token. Sign-in also has a count for each account, so that
 * a stranger on another address cannot lock the owner out.
 */
const PER_MINUTE: Record<RateClass, number> = {
  read: 300,
  poll: 600,
  own_poll: 120,
  write: 240,
  sign_in: 20,
  mail: 10,
  export: 10,
  upload: 10,
}

/**
 * Requests a minute from one network, of all kinds together. A mobile network may have hundreds of players behind one
 * address; each call also has its own limit after this one.
 */
export const REQUESTS_A_MINUTE = 3_000

/** Each call is counted before its body is read, except that sign-in needs the name. */
export function rateLimits(on: boolean): RateLimits {
  return {
    of: ({ path, rate }) => {
      if (!on) return false
      const max = PER_MINUTE[rate]
      if (rate === 'own_poll') return { max, hook: 'onRequest', whose: tokenKey }
      return SIGN_INS.includes(path)
        ? { max, hook: 'preValidation', whose: signInKey }
        : { max, hook: 'onRequest', whose: networkOfRequest }
    },
  }
}

/** The client's network. */
export function networkOfRequest(request: FastifyRequest): string {
  request.network ??= networkOf(request.ip)
  return request.network
}

/**
 * Refuses the requests of a network that calls too often, before any other work; and those beyond the limit of their
 * call.
 *
 * @param requestsAMinute of all kinds; null: no limit
 */
export function limitCalls(
  fastify: FastifyInstance,
  counts: Counts,
  requestsAMinute: number | null,
): void {
  fastify.decorateRequest('network', null)
  if (requestsAMinute !== null) limitRequests(fastify, counts, requestsAMinute)
  fastify.addHook('onRoute', (route) => {
    const limit = route.config?.rateLimit
    if (!limit) return
    const { hook, whose, max } = limit
    route[hook] = [
      ...[route[hook] ?? []].flat(),
      (request: FastifyRequest, _reply: unknown, next: (error?: Error) => void) => {
        const { current, ttl } = counts.count(route.url, whose(request), max)
        next(current > max ? tooMany(ttl) : undefined)
      },
    ]
  })
}

function limitRequests(fastify: FastifyInstance, counts: Counts, max: number): void {
  fastify.addHook('onRequest', (request, reply, next) => {
    if (isOwnCall(request)) return next()
    const { current, ttl } = counts.count('all', networkOfRequest(request), max)
    if (current <= max) return next()
    // A network that continues after this many refusals gets no more answers.
    if (current <= 2 * max || !isDirect(request)) return next(tooMany(ttl))
    reply.hijack()
    request.raw.destroy()
  })
}

function tooMany(ttlMs: number): Refused {
  return new Refused(refuse('too_many_requests', { retry_after: Math.ceil(ttlMs / 1_000) }))
}

/** Requests of this server to itself in the demo: its own beacon and chain. */
const OWN_CALLS = /^\/(beacon|tron)\//

function isOwnCall(request: FastifyRequest): boolean {
  const { socket, headers } = request
  return (
    OWN_CALLS.test(pathOf(request)) &&
    socket.remoteAddress === socket.localAddress &&
    headers['x-forwarded-for'] === undefined
  )
}

/** A connection of our proxy is never closed: the proxy would take the server for broken. */
function isDirect(request: FastifyRequest): boolean {
  return networkOf(request.socket.remoteAddress ?? '') === networkOfRequest(request)
}

/**
 * A player behind a shared address has his own count. Invented tokens also get their own counts; the limit of all
 * calls of a network, which comes first, stops those clients.
 */
function tokenKey(request: FastifyRequest): string {
  const { token } = request.headers
  const network = networkOfRequest(request)
  return typeof token === 'string' ? `${network} ${hash('sha256', token)}` : network
}

/** The calls that name an account: in other calls the client could put anything into a field of that name. */
const SIGN_INS: readonly string[] = [
  ...[login.path, staffLogin.path],
  ...[beginEnrolment.path, confirmEnrolment.path, confirmPasskeyEnrolment.path],
]

function signInKey(request: FastifyRequest): string {
  const network = networkOfRequest(request)
  const { account } = (request.body ?? {}) as { account?: unknown }
  return typeof account === 'string'
    ? // As the name is read: with spaces around it, it is no other account.
      `${network} ${asciiLowerCase(account.trim()).slice(0, 254)}`
    : network
}

export type Counts = {
  /**
   * Counts a call for its network and those around it; a call that is too many for one is not counted for wider
   * ones, so that a neighbour cannot use up theirs. The one that is nearest to its limit decides.
   *
   * @param name of the call
   * @param whose a network, and after a blank a caller in it
   * @param max calls a minute
   * @returns the calls in this minute, and how long it goes on, in milliseconds
   */
  count(name: string, whose: string, max: number): { current: number; ttl: number }
}

export type SharedCounts = Counts & {
  /** Adds this process's counts to the database's now. Never rejects. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

const EXCHANGE_MS = 500

/** A count is shared when it reaches this part of a limit. */
const NEAR = 1 / 8

/** How many counts that are far from their limit a process keeps, the latest; and how many one statement carries. */
const COUNTS_MAX = 50_000
const SENT_MAX = 2_000

type Count = {
  readonly id: string
  /** The calls of all processes, as far as this one knows. */
  shared: number
  /** Calls of this process that are not sent yet. */
  unsent: number
  /** By the clock `now`, in milliseconds. */
  endsAt: number
}

/**
 * Counts of this process alone.
 *
 * @param now a monotonic clock in milliseconds
 */
export function ownCounts(now = () => performance.now()) {
  const far = new LRUCache<string, Count>({ max: COUNTS_MAX })
  /**
   * Near a limit: kept to the end of their window, however many others come. There are fewer of them than calls that
   * this process can answer in a window.
   */
  const near = new Map<string, Count>()
  const toSend = new Map<string, Count>()

  function add(id: string, max: number): { current: number; ttl: number } {
    const at = now()
    let count = near.get(id) ?? far.get(id)
    if (!count || count.endsAt <= at) {
      count = { id, shared: 0, unsent: 0, endsAt: at + MINUTE_MS }
      near.delete(id)
      far.set(id, count)
    }
    count.unsent += 1
    const current = count.shared + count.unsent
    if (current >= max * NEAR) {
      far.delete(id)
      near.set(id, count)
      toSend.set(id, count)
    }
    return { current, ttl: count.endsAt - at }
  }

  return {
    near,
    toSend,
    count(name: string, whose: string, max: number) {
      const [network = '', ...who] = whose.split(' ')
      let nearest = { current: 0, ttl: 0 }
      for (const { name: counted, share } of networksOf(network)) {
        if (nearest.current > max) break
        const { current, ttl } = add([name, counted, ...who].join(' '), max * share)
        const part = Math.ceil(current / share)
        if (part > nearest.current) nearest = { current: part, ttl }
      }
      return nearest
    },
  }
}

/**
 * Counts of calls that all processes share, stored in the database.
 *
 * Each process counts locally, and twice a second adds to the database those counts that come near a limit; the calls
 * of most networks cost nothing. So a client that uses several processes has at most an eighth of a limit more at
 * each, plus what it sends within half a second. Without the database each process uses its own count.
 *
 * @param key hashes a count's owner: no network address is stored
 * @param everyMs how often counts are sent
 * @param now a monotonic clock in milliseconds
 */
export function sharedCounts(deps: {
  db: Queryable
  key: Buffer
  onError: (error: unknown) => void
  everyMs?: number
  now?: () => number
}): SharedCounts {
  const { db, key, onError, everyMs = EXCHANGE_MS, now = () => performance.now() } = deps
  const { near, toSend, count } = ownCounts(now)

  function forgetEnded(): void {
    const at = now()
    for (const [id, { endsAt }] of near) if (endsAt <= at) near.delete(id)
  }

  /** Sends the unsent part of these counts, and receives the totals of all processes. */
  async function send(batch: readonly Count[]): Promise<void> {
    const at = now()
    const sent = batch.map(({ unsent }) => unsent)
    const ids = batch.map(({ id }) => createHmac('sha256', key).update(id).digest())
    const left = batch.map(({ endsAt }) => Math.max(1, Math.ceil(endsAt - at)))
    const rows = await db.query<{ counter: Buffer; calls: number; left: number }>(
      `select counter, calls, (extract(epoch from ends_at - app.now()) * 1000)::float8 as left
       from app.count_calls($1, $2, $3)`,
      [ids, sent, left],
    )
    const byId = new Map(rows.map((row) => [row.counter.toString('hex'), row]))
    batch.forEach((count, index) => {
      const row = byId.get(ids[index]?.toString('hex') ?? '')
      if (!row) return
      count.shared = row.calls
      count.unsent -= sent[index] ?? 0
      count.endsAt = now() + row.left
    })
  }

  async function exchange(): Promise<void> {
    forgetEnded()
    const batch = [...toSend.values()].slice(0, SENT_MAX)
    for (const { id } of batch) toSend.delete(id)
    if (batch.length > 0) await send(batch).catch(onError)
  }

  let exchanging: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    if (near.size > 0) exchanging = exchanging.then(exchange)
  }, everyMs)
  timer.unref()

  return {
    count,
    exchange,
    async stop() {
      clearInterval(timer)
      await exchanging
    },
  }
}
