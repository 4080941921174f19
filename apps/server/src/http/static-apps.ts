/** The built apps: the player's at /, the operator's at /console. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { refusalReply } from '#src/http/envelope.ts'
import { languageOfRequest } from '#src/http/serve-routes.ts'
import { refuse } from '#src/refusal.ts'

const APPS = [
  { prefix: '/console/', folder: fileURLToPath(new URL('../../../console/dist', import.meta.url)) },
  { prefix: '/', folder: fileURLToPath(new URL('../../../web/dist', import.meta.url)) },
]

/** Paths that are never a screen of an app. */
const NOT_A_SCREEN =
  /^\/(api|dev|beacon|tron|healthz|readyz|metrics|openapi\.json|docs|assets)(\/|$|\?)/i

export async function serveApps(fastify: FastifyInstance): Promise<void> {
  const built = APPS.filter(({ folder }) => existsSync(folder))
  for (const [index, { prefix, folder }] of built.entries()) {
    await fastify.register(fastifyStatic, {
      root: folder,
      prefix,
      wildcard: false,
      decorateReply: index === 0,
      index: 'index.html',
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Names of built files carry a hash of their content; all else may change at any time.
        const forever = /[\\/]assets[\\/]/.test(path)
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }

  fastify.setNotFoundHandler((request, reply) => {
    const app = built.find(({ prefix }) => `${request.url.split('?', 1)[0]}/`.startsWith(prefix))
    const isScreen = request.method === 'GET' && !NOT_A_SCREEN.test(request.url)
    if (app && isScreen) {
      return reply.header('cache-control', 'no-cache').sendFile('index.html', app.folder)
    }
    const { http, envelope } = refusalReply(refuse('not_found'), languageOfRequest(request))
    return reply.code(http).send(envelope)
  })
}
