/** Pages and endpoints for the operator: liveness, readiness, metrics, the API's description; and the demo's own pages. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { gzipSync } from 'node:zlib'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import { openApi } from '@sum28/contract/openapi.ts'
import { parseAmount } from '@sum28/domain/money.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import * as z from 'zod'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import type { CapturedMail, CapturedMails } from '#src/adapters/mail/transport.ts'
import { showFigure, showFigures } from '#src/db/pool-metrics.ts'
import type { RateLimits } from './rate-limits.ts'

const PLAYERS_CALLS = [...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS]
const ALL_CALLS = [...PLAYERS_CALLS, ...STAFF_ROUTES, ...STAFF_DOWNLOADS]

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
  /** The console's own origin, which alone describes the calls of staff; null: the app's origin does. */
  consoleOrigin: string | null
  rateLimits: RateLimits
}

/** Begun once a process: nothing ends what prom-client begins to measure, and all that its registry names stays. */
let ofProcess: Registry | null = null

function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

export function serveOperations(fastify: FastifyInstance, options: Operations): void {
  const registry = options.metrics
  const ofThisProcess = processMetrics()

  showFigures(
    registry,
    {
      name: 'sum28_ready',
      label: 'part',
      help: 'The parts of /readyz: 1 if a part works, 0 if it does not.',
    },
    async () => {
      const { parts } = await options.readiness()
      return Object.fromEntries(Object.entries(parts).map(([part, is]) => [part, is ? 1 : 0]))
    },
  )
  showFigure(
    registry,
    {
      name: 'sum28_memory_max_bytes',
      help: 'The most memory that a process may use: of its machine, its container or its heap.',
    },
    async () =>
      Math.min(
        totalmem(),
        process.constrainedMemory() || Number.POSITIVE_INFINITY,
        getHeapStatistics().heap_size_limit,
      ),
  )
  fastify.get('/healthz', async () => ({ alive: true }))
  fastify.get('/readyz', async (_request, reply) => {
    const { ready, parts } = await options.readiness()
    return reply.code(ready ? 200 : 503).send({ ready, ...parts })
  })
  fastify.get('/metrics', async (request, reply) => {
    const { metricsToken, open } = options
    const allowed = metricsToken
      ? isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
      : open
    if (!allowed) return reply.code(403).send('METRICS_TOKEN is needed\n')
    const all = await Promise.all([
      ofThisProcess.metrics(),
      registry.metrics(),
      options.engineMetrics(),
    ])
    return reply.type(registry.contentType).send(all.join('\n'))
  })

  const consoleHost = options.consoleOrigin && new URL(options.consoleOrigin).host
  const descriptionFor = ({ host }: FastifyRequest) => {
    const isPlayers = consoleHost && host.toLowerCase() !== consoleHost
    return described(isPlayers ? PLAYERS_CALLS : ALL_CALLS, options.build)
  }
  const config = { rateLimit: options.rateLimits.of({ path: '/openapi.json', rate: 'export' }) }
  fastify.get('/openapi.json', { config }, async (request, reply) => {
    const { json, gzipped } = descriptionFor(request)
    reply.type('application/json; charset=utf-8').header('Vary', 'Accept-Encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(json)
    return reply.header('Content-Encoding', 'gzip').send(gzipped)
  })
  fastify.get('/docs', { config }, async (request, reply) =>
    reply.type('text/html').send(descriptionFor(request).page),
  )
}

/** Whether two texts are equal, in a time that does not reveal where they differ. */
function isSame(one: string, other: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashOf(one), hashOf(other))
}

type Call = (typeof ALL_CALLS)[number]

type Description = { json: Buffer; gzipped: Buffer; page: string }

/** Of each list of calls: the descriptions of all builds are one in a process. */
const descriptions = new Map<readonly Call[], Description>()

/** The description of these calls, made once in a process, when the first one asks: a large text that strangers can request. */
function described(calls: readonly Call[], build: string): Description {
  const before = descriptions.get(calls)
  if (before) return before
  const json = Buffer.from(JSON.stringify(openApi(calls, build)))
  const made = { json, gzipped: gzipSync(json), page: docsPage(calls) }
  descriptions.set(calls, made)
  return made
}

/** The calls of the API as a readable page. */
function docsPage(calls: readonly Call[]): string {
  const rows = calls.map(
    ({ method, path, auth, summary }) =>
      `<tr><td>${method}</td><td><code>${path}</code></td><td>${auth}</td><td>${escapeHtml(summary)}</td></tr>`,
  )
  return htmlPage(
    'API',
    `<p>Requests and replies in full: <a href="/openapi.json">openapi.json</a>.</p>
     <table><thead><tr><th>Method</th><th>Path</th><th>Needs</th><th>Does</th></tr></thead>
     <tbody>${rows.join('')}</tbody></table>`,
  )
}

/** A plain page for developers and operators: no scripts, no styles, no external resources. */
function htmlPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)} · Sum28</title></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>`
}

/** Escapes text for HTML. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const transferBody = z.object({ to: z.string(), amount: z.union([z.string(), z.number()]) })

/** The demo's own calls: read captured mail, send test USDT. They never exist in production. */
export function serveDevPages(
  fastify: FastifyInstance,
  options: {
    mails: CapturedMails | null
    chain: LocalTronNode | null
    /** Whether this process serves the app. */
    app: boolean
  },
): void {
  const { mails, chain, app } = options

  if (mails) {
    fastify.get('/dev/mail', async (request, reply) => {
      const latest = await mails.latest()
      if (!/text\/html/.test(request.headers.accept ?? '')) return latest
      return reply
        .type('text/html')
        .send(htmlPage('Captured mail', latest.map(mailHtml).join('') || '<p>None yet.</p>'))
    })
  }
  if (chain) {
    fastify.post('/dev/chain/transfer', async (request, reply) => {
      const body = transferBody.safeParse(request.body)
      if (!body.success) return reply.code(400).send({ error: 'send {"to": address, "amount": u}' })
      const amount = parseAmount(body.data.amount, 6)
      if (!amount.ok) return reply.code(400).send({ error: `amount: ${amount.fault}` })
      const sent = await chain.transfer({ to: body.data.to, amountMicro: amount.amount })
      if (!sent.ok) return reply.code(400).send({ error: sent.message })
      if (/text\/html/.test(request.headers.accept ?? '')) return reply.redirect('/dev', 303)
      return { tx_id: sent.txId, block: sent.blockNumber }
    })
  }
  fastify.get('/dev', async (_request, reply) =>
    reply.type('text/html').send(
      htmlPage(
        'Demo',
        `${mails ? '<p><a href="/dev/mail">Captured mail</a></p>' : ''}
         ${
           chain
             ? `<h2>Send test USDT</h2>
                <form method="post" action="/dev/chain/transfer">
                  <p><label>To<br><input name="to" size="40" required></label></p>
                  <p><label>Amount in u<br><input name="amount" value="1000" required></label></p>
                  <p><button>Send</button></p>
                </form>`
             : ''
         }
         <p>${app ? '<a href="/">The app</a> · ' : ''}<a href="/docs">API</a></p>`,
      ),
    ),
  )
}

function mailHtml({ to, subject, text, at }: CapturedMail): string {
  return `<article><h2>${escapeHtml(subject)}</h2>
    <p>${escapeHtml(to)} · ${new Date(at).toISOString()}</p><pre>${escapeHtml(text)}</pre></article>`
}
