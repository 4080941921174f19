/** A console with its own origin: staff and players do not share a browser origin. */
import type { FastifyInstance } from 'fastify'
import { languageOfRequest } from '#src/http/bodies.ts'
import { refusalReply } from '#src/http/envelope.ts'
import { pathOf } from '#src/http/path-of.ts'
import { refuse } from '#src/refusal/refusal.ts'

const OF_THE_CONSOLE = /^\/(console|api\/staff)(\/|$)/i
const OF_THE_APP = /^\/api(\/|$)/i

/**
 * Serves the console and the calls of staff only under the console's host, and the players' calls only under other
 * hosts.
 *
 * @param origin such as `https://console.example`
 */
export function keepConsoleApart(fastify: FastifyInstance, origin: string): void {
  const { host } = new URL(origin)
  fastify.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    const here = request.host.toLowerCase() === host
    if (here && path === '/') return reply.redirect('/console')
    if (OF_THE_CONSOLE.test(path) ? here : !(here && OF_THE_APP.test(path))) return
    const refused = refusalReply(refuse('not_found'), languageOfRequest(request))
    return reply.code(refused.http).send(refused.envelope)
  })
}
