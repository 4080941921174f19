import { gunzipSync } from 'node:zlib'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { serveOperations } from './operations.ts'
import { limitCalls, ownCounts, rateLimits } from './rate-limits.ts'

const test = useWorkersApp()

const CALLS = [
  ...[...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS],
  ...[...STAFF_ROUTES, ...STAFF_DOWNLOADS],
]

/** A server with these endpoints alone. */
function serve(change: {
  metricsToken?: string | null
  consoleOrigin?: string
  limited?: boolean
}) {
  const { limited = false, ...options } = change
  const server = Fastify()
  onTestFinished(() => server.close())
  if (limited) limitCalls(server, ownCounts(), null)
  serveOperations(server, {
    open: false,
    build: 'x',
    consoleOrigin: null,
    rateLimits: rateLimits(limited),
    readiness: async () => ({ ready: true, parts: {} }),
    engineMetrics: async () => '',
    metrics: new Registry(),
    metricsToken: null,
    ...options,
  })
  return server
}

const get = async (path: string) => {
  const response = await test.fetch(path)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the operator’s endpoints', () => {
  it('report whether the product is alive and ready', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, body: { alive: true } })
    const { status, body } = await eventually(async () => {
      const answer = await get('/readyz')
      // Other files' tests may have moved the clock past what its jobs have done.
      return Object.values(answer.body).every(Boolean) ? answer : undefined
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ready: true,
        database: true,
        engine: true,
        beacon_clock: true,
        chain: true,
        mail: true,
      },
    })
  })

  it('return metrics to a caller with the token', async () => {
    const open = await test.fetch('/metrics')
    expect(open.status).toBe(200)
    expect(await open.text()).toContain('process_cpu_user_seconds_total')

    const statusOf = async (metricsToken: string | null, authorization?: string) => {
      const headers = authorization ? { authorization } : {}
      return (await serve({ metricsToken }).inject({ url: '/metrics', headers })).statusCode
    }
    expect(await statusOf(null)).toBe(403)
    expect(await statusOf('a metrics token')).toBe(403)
    expect(await statusOf('a metrics token', 'Bearer another')).toBe(403)
    expect(await statusOf('a metrics token', 'Bearer a metrics token')).toBe(200)
  })
})

describe('the description of the API for strangers', () => {
  it('is of all calls, and is made and compressed once', async () => {
    const server = serve({})
    const headers = { 'accept-encoding': 'gzip, br' }
    const [one, two] = await Promise.all(
      [1, 2].map(() => server.inject({ url: '/openapi.json', headers })),
    )
    expect(one?.headers['content-encoding']).toBe('gzip')
    expect(one?.rawPayload.length).toBeLessThan(100_000)
    expect(two?.rawPayload).toEqual(one?.rawPayload)
    const plain = await server.inject('/openapi.json')
    expect(JSON.parse(String(gunzipSync(one?.rawPayload ?? '')))).toEqual(plain.json())
    const paths = new Set(CALLS.map(({ path }) => path))
    expect(new Set(Object.keys(plain.json().paths))).toEqual(paths)
  })

  it('has no call of staff where the console has an origin of its own', async () => {
    const server = serve({ consoleOrigin: 'https://console.example' })
    for (const url of ['/openapi.json', '/docs']) {
      const { body } = await server.inject({ url, headers: { host: 'play.example' } })
      expect(body).not.toContain('/api/staff/')
      const console = await server.inject({ url, headers: { host: 'Console.example' } })
      expect(console.body).toContain('/api/staff/')
    }
  })

  it('is sent ten times a minute to a network', async () => {
    const server = serve({ limited: true })
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) statuses.push((await server.inject('/openapi.json')).statusCode)
    const isSent = statuses.map((status) => status === 200)
    expect(isSent).toEqual([...Array(10).fill(true), false, false])
  })
})

describe('every route of the contract', () => {
  it.each(CALLS.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is bound, and refused without a token and with an unknown one where it needs one',
    async (_name, { method, path, auth }) => {
      for (const headers of [{}, { Token: 'nobody' }]) {
        const response = await test.fetch(path, { method, headers })
        expect(response.status).not.toBe(404)
        expect(response.status).toBeLessThan(500)
        if (auth !== 'none') expect(response.status).toBe(401)
        // A stream would go on for ever.
        await response.body?.cancel()
      }
    },
  )
})
