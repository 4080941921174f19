/** How often one network may call, by the contract's rate classes. */
import { hash } from 'node:crypto'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { RateClass, Route } from '@sum28/contract/route.ts'
import { beginEnrolment, confirmEnrolment } from '@sum28/contract/staff-own-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '#src/formats/network-of.ts'

type Limit = {
  max: number
  timeWindow: number
  hook: 'onRequest' | 'preHandler'
  keyGenerator: (r: FastifyRequest) => string
}

export type RateLimits = { of(call: Pick<Route, 'path' | 'rate'>): Limit | false }

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
        ? { ...limit, hook: 'preHandler', keyGenerator: signInKey }
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
  ...[beginEnrolment.path, confirmEnrolment.path],
]

function signInKey({ ip, body }: FastifyRequest): string {
  const network = networkOf(ip)
  const { account } = (body ?? {}) as { account?: unknown }
  return typeof account === 'string'
    ? // As the name is read: with spaces around it, it is no other account.
      `${network} ${asciiLowerCase(account.trim()).slice(0, 254)}`
    : network
}
