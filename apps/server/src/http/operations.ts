/** What operators' machines ask: alive, ready, metrics, and the API's description. */
import { ALL_ROUTES } from '@sum28/contract/all-routes.ts'
import { openApi } from '@sum28/contract/openapi.ts'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'

export type Readiness = { ready: boolean; parts: Record<string, boolean> }

export function serveOperations(
  fastify: FastifyInstance,
  options: {
    readiness: () => Promise<Readiness>
    metricsToken: string | null
    open: boolean
    build: string
  },
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  fastify.get('/healthz', async () => ({ alive: true }))
  fastify.get('/readyz', async (_request, reply) => {
    const { ready, parts } = await options.readiness()
    return reply.code(ready ? 200 : 503).send({ ready, ...parts })
  })
  fastify.get('/metrics', async (request, reply) => {
    const { metricsToken, open } = options
    const allowed = metricsToken ? request.headers.authorization === `Bearer ${metricsToken}` : open
    if (!allowed) return reply.code(403).send('METRICS_TOKEN is needed\n')
    return reply.type(registry.contentType).send(await registry.metrics())
  })

  const description = openApi(ALL_ROUTES, options.build)
  fastify.get('/openapi.json', async () => description)
}
