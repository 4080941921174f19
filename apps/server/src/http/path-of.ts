/** The path of a request as the router reads it, for every decision that depends on the path. */
import type { FastifyRequest } from 'fastify'

/** Scheme and host, where a request names its whole address (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i

/**
 * The path of the route that answers, such as `/api/user/login` or `/uploads/:name`; without a route, the request's
 * path in decoded form. The address as it was sent decides nothing: `/%61pi` is the same path as `/api`.
 */
export function pathOf({ url, routeOptions }: FastifyRequest): string {
  // Only the route of all OPTIONS requests has no path of its own.
  if (routeOptions.url?.startsWith('/')) return routeOptions.url
  return decodeURI(url.replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? '')
}
