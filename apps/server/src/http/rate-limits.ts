/** How often one network may call, by the contract's rate classes, and the counts that all processes share. */
import { createHmac, hash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { RateClass, Route } from '@sum28/contract/route.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  confirmPasskeyEnrolment,
} from '@sum28/contract/staff-own-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/db/database.ts'
import { networkOf, networksOf } from '#src/formats/network-of.ts'

type Limit = {
  max: number
  timeWindow: number
  hook: 'onRequest' | 'preValidation'
  keyGenerator: (r: FastifyRequest) => string
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

/** Each call is counted before its body is read, except that sign-in needs the name. */
export function rateLimits(on: boolean): RateLimits {
  return {
    of: ({ path, rate }) => {
      if (!on) return false
      const limit = { max: PER_MINUTE[rate], timeWindow: MINUTE_MS }
      if (rate === 'own_poll') return { ...limit, hook: 'onRequest', keyGenerator: tokenKey }
      return SIGN_INS.includes(path)
        ? { ...limit, hook: 'preValidation', keyGenerator: signInKey }
        : { ...limit, hook: 'onRequest', keyGenerator: ({ ip }) => networkOf(ip) }
    },
  }
}

/**
 * A player behind a shared address has his own count. Invented tokens also get their own counts; the limit of all
 * calls of a network, which comes first, stops those clients.
 */
function tokenKey({ ip, headers: { token } }: FastifyRequest): string {
  const network = networkOf(ip)
  return typeof token === 'string' ? `${network} ${hash('sha256', token)}` : network
}

/** The calls that name an account: in other calls the client could put anything into a field of that name. */
const SIGN_INS: readonly string[] = [
  ...[login.path, staffLogin.path],
  ...[beginEnrolment.path, confirmEnrolment.path, confirmPasskeyEnrolment.path],
]

function signInKey({ ip, body }: FastifyRequest): string {
  const network = networkOf(ip)
  const { account } = (body ?? {}) as { account?: unknown }
  return typeof account === 'string'
    ? // As the name is read: with spaces around it, it is no other account.
      `${network} ${asciiLowerCase(account.trim()).slice(0, 254)}`
    : network
}

export type SharedCounts = {
  /** For the limiter's option `store`. */
  readonly Store: FastifyRateLimitStoreCtor
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
  const far = new LRUCache<string, Count>({ max: COUNTS_MAX })
  /**
   * Near a limit: kept to the end of their window, however many others come. There are fewer of them than calls that
   * this process can answer in a window.
   */
  const near = new Map<string, Count>()
  const toSend = new Map<string, Count>()

  function add(id: string, windowMs: number, max: number): { current: number; ttl: number } {
    const at = now()
    let count = near.get(id) ?? far.get(id)
    if (!count || count.endsAt <= at) {
      count = { id, shared: 0, unsent: 0, endsAt: at + windowMs }
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

  class Store implements FastifyRateLimitStore {
    readonly name: string
    constructor(options: object) {
      const { routeInfo } = options as { routeInfo?: { url?: string } }
      this.name = routeInfo?.url ?? 'all'
    }
    /**
     * Counts a call for its network and those around it; a call that is too many for one is not counted for wider
     * ones, so that a neighbour cannot use up theirs. The one that is nearest to its limit decides.
     *
     * @param whose a network, and after a blank a caller in it
     */
    incr(
      whose: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
      max: number,
    ): void {
      const [network = '', ...who] = whose.split(' ')
      let nearest = { current: 0, ttl: 0 }
      for (const { name, share } of networksOf(network)) {
        if (nearest.current > max) break
        const id = [this.name, name, ...who].join(' ')
        const { current, ttl } = add(id, windowMs, max * share)
        const part = Math.ceil(current / share)
        if (part > nearest.current) nearest = { current: part, ttl }
      }
      done(null, nearest)
    }
    child(options: object): Store {
      return new Store(options)
    }
  }
  return {
    Store,
    exchange,
    async stop() {
      clearInterval(timer)
      await exchanging
    },
  }
}
