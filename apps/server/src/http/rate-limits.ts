/** How often one network may call, by the contract's rate classes. */
import type { RateClass } from '@sum28/contract/route.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '#src/network-of.ts'

type Limit = {
  max: number
  timeWindow: number
  hook: 'preHandler'
  keyGenerator: (r: FastifyRequest) => string
}

export type RateLimits = { of(rate: RateClass): Limit | false }

const MINUTE_MS = 60_000

/** Calls a minute from one network. Sign-in is counted for each account besides, so that a stranger
 * on another address cannot lock the owner out. */
const PER_MINUTE: Record<RateClass, number> = {
  read: 300,
  poll: 600,
  write: 240,
  sign_in: 20,
  mail: 10,
  export: 10,
  upload: 10,
}

export function rateLimits(on: boolean): RateLimits {
  return {
    of: (rate) =>
      on && {
        max: PER_MINUTE[rate],
        timeWindow: MINUTE_MS,
        hook: 'preHandler',
        keyGenerator: (request) =>
          rate === 'sign_in' ? signInKey(request) : networkOf(request.ip),
      },
  }
}

/** The calls that name an account: elsewhere a field of that name is the caller's to make up. */
const SIGN_INS = [login.path, staffLogin.path].map((path) => path.toLowerCase())

function signInKey(request: FastifyRequest): string {
  const network = networkOf(request.ip)
  const { account } = (request.body ?? {}) as { account?: unknown }
  const named = SIGN_INS.includes(request.routeOptions.url?.toLowerCase() ?? '')
  return named && typeof account === 'string'
    ? // As the name is read: with spaces around it, it is no other account.
      `${network} ${account.trim().toLowerCase().slice(0, 254)}`
    : network
}
