/** How often one network may call, by the contract's rate classes. */
import { hash } from 'node:crypto'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { RateClass, Route } from '@sum28/contract/route.ts'
import { beginEnrolment, confirmEnrolment } from '@sum28/contract/staff-own-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '#src/network-of.ts'

type Limit = {
  max: number
  timeWindow: number
  hook: 'onRequest' | 'preHandler'
  keyGenerator: (r: FastifyRequest) => string
}

export type RateLimits = { of(call: Pick<Route, 'path' | 'rate'>): Limit | false }

const MINUTE_MS = 60_000

/** Calls a minute from one network; of `own_poll` with one token from it. Sign-in is counted for each account besides, so that a stranger
 * on another address cannot lock the owner out. */
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

/** Each call counts for itself, before anything of it is read, but for the name of a sign-in. */
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
 * A player behind an address that he shares with many has his own count. Tokens that somebody makes up have
 * theirs, too: what stops him is the limit of all calls of a network, which stands before this one.
 */
function tokenKey({ ip, headers: { token } }: FastifyRequest): string {
  const network = networkOf(ip)
  return typeof token === 'string' ? `${network} ${hash('sha256', token)}` : network
}

/** The calls that name an account: elsewhere a field of that name is the caller's to make up. */
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
