/** A console with an origin of its own: staff and players do not meet in one browser's origin. */
import type { FastifyInstance } from 'fastify'
import { languageOfRequest } from '#src/http/bodies.ts'
import { refusalReply } from '#src/http/envelope.ts'
import { refuse } from '#src/refusal.ts'

const OF_THE_CONSOLE = /^\/(console|api\/staff)(\/|$)/i
const OF_THE_APP = /^\/api(\/|$)/i

/**
 * The console and the calls of staff are answered under the console's host alone, and the players' calls
 * under every other.
 *
 * @param origin such as `https://console.example`
 */
export function keepConsoleApart(fastify: FastifyInstance, origin: string): void {
  const { host } = new URL(origin)
  fastify.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const here = request.host === host
    if (here && path === '/') return reply.redirect('/console')
    if (OF_THE_CONSOLE.test(path) ? here : !(here && OF_THE_APP.test(path))) return
    const refused = refusalReply(refuse('not_found'), languageOfRequest(request))
    return reply.code(refused.http).send(refused.envelope)
  })
}
