/**
 * Whether a page of ours made the browser send a request. Only browsers report the origin of a request, and only they
 * keep cookies that a foreign page could make them set or send.
 */
import { changesSomething, type Route } from '@sum28/contract/route.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#src/refusal/refusal.ts'
import { Refused } from './envelope.ts'
import { pathOf } from './request-parts.ts'

/**
 * Whether a call changes something without a token, which any page can send: it would exchange a visitor's cookies, or
 * use up what his network may do.
 */
export function needsOwnPage(route: Pick<Route, 'auth' | 'rate'>): boolean {
  return route.auth === 'none' && changesSomething(route)
}

/**
 * Whether the browser reports, by Origin (RFC 6454, 7) or Sec-Fetch-Site (Fetch Metadata), an origin of ours: the
 * requested one, or one of these. Clients other than browsers send neither header.
 *
 * @param origins other origins of ours: the app's public address and its lines, or the console's
 */
export function isFromOwnPage(
  { headers, host }: Pick<FastifyRequest, 'headers' | 'host'>,
  origins: readonly string[],
): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || (origin !== undefined && origins.includes(origin))) return true
  // A browser that does not report the site.
  return site === undefined && (origin === undefined || hostIn(origin) === host)
}

/** The host of an origin as browsers write it; null if there is none, as in `null`. */
function hostIn(origin: string): string | null {
  const url = URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin ? url.host : null
}

const OF_THE_CONSOLE = /^\/(console|api\/staff)(\/|$)/i
/** The pictures of the app's content, which the console shows, and what operators ask. */
const OF_BOTH =
  /^\/((uploads|openapi\.json|docs|healthz|readyz|metrics)(\/|$)|(banners|promos)\/.*\.[^/]*$)/i

/**
 * Serves the console and the calls of staff only under the console's host, and the app and its calls only under other
 * hosts: what a link makes of the app, or its service worker, cannot act in the console.
 *
 * @param origin such as `https://console.example`
 */
export function keepConsoleApart(fastify: FastifyInstance, origin: string): void {
  const { host } = new URL(origin)
  fastify.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    const here = request.host.toLowerCase() === host
    if (here && path === '/') return reply.redirect('/console')
    if (OF_THE_CONSOLE.test(path) ? here : !here || OF_BOTH.test(path)) return
    throw new Refused(refuse('not_found'))
  })
}
