/** The endpoints for the operator's systems: liveness, readiness, metrics, and the API's description. */
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { openApi } from '@sum28/contract/openapi.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from '@sum28/contract/staff-routes.ts'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { escapeHtml, htmlPage } from '#src/http/html-page.ts'

const CALLS = [
  ...[...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS],
  ...[...STAFF_ROUTES, ...STAFF_DOWNLOADS],
]

export type Readiness = { ready: boolean; parts: Record<string, boolean> }

export type Operations = {
  readiness: () => Promise<Readiness>
  /** The product's own metrics; those of the process are added. */
  metrics: Registry
  /** Those of the engine, which may be another process, in the same format. */
  engineMetrics: () => Promise<string>
  /** The token required to read the metrics; null: there is none. */
  metricsToken: string | null
  /** Whether metrics may be read without a token. */
  open: boolean
  build: string
}

export function serveOperations(fastify: FastifyInstance, options: Operations): void {
  const registry = options.metrics
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
    const all = await Promise.all([registry.metrics(), options.engineMetrics()])
    return reply.type(registry.contentType).send(all.join('\n'))
  })

  const description = openApi(CALLS, options.build)
  fastify.get('/openapi.json', async () => description)
  const docs = docsPage()
  fastify.get('/docs', async (_request, reply) => reply.type('text/html').send(docs))
}

/** The calls of the API as a readable page. */
function docsPage(): string {
  const rows = CALLS.map(
    ({ method, path, auth, summary }) =>
      `<tr><td>${method}</td><td><code>${path}</code></td><td>${auth}</td><td>${escapeHtml(summary)}</td></tr>`,
  )
  return htmlPage(
    'Player API',
    `<p>Requests and replies in full: <a href="/openapi.json">openapi.json</a>.</p>
     <table><thead><tr><th>Method</th><th>Path</th><th>Needs</th><th>Does</th></tr></thead>
     <tbody>${rows.join('')}</tbody></table>`,
  )
}
