/** The HTTP server's own tasks: headers on every kind of reply, and a database that is down. */
import { config, home } from '@sum28/contract/index-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#src/config.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { bareServer } from '#testing/product/served-routes.ts'
import {
  API_ALONE,
  createTestApp,
  registerMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { openHttp } from './serve-product.ts'

const test = useWorkersApi()

/** One of each kind of reply there is. */
const KINDS: [name: string, path: string, init?: RequestInit][] = [
  ['a page of the API', '/api/index/config'],
  ['a refusal', '/api/user/userInfo', { method: 'POST' }],
  [
    'malformed input',
    '/api/user/login',
    { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } },
  ],
  ['an unknown call', '/api/none'],
  ['an unreadable address', '/api/%zz'],
  ['a screen of the app', '/lottery'],
  ['the app’s first page', '/'],
  ['the console', '/console'],
  ['an unknown asset', '/assets/none.js'],
  ['captured mail', '/dev/mail'],
  ['the mail page', '/dev/mail', { headers: { Accept: 'text/html' } }],
  ['the demo page', '/dev'],
  ['the local beacon', '/beacon/x/public/1'],
  ['the local chain', '/tron/wallet/getnowblock', { method: 'POST' }],
  ['being alive', '/healthz'],
  ['being ready', '/readyz'],
  ['metrics', '/metrics'],
  ['the API’s description', '/openapi.json'],
  [
    'a question of another origin',
    '/api/index/config',
    {
      method: 'OPTIONS',
      headers: { Origin: 'https://other.example', 'Access-Control-Request-Method': 'GET' },
    },
  ],
]

describe('the security headers', () => {
  it.each(KINDS)('are on %s', async (_name, path, init) => {
    const { headers } = await test.fetch(path, init)
    const policy = headers.get('content-security-policy') ?? ''
    const directives = Object.fromEntries(
      policy.split(';').map((each) => {
        const [name = '', ...sources] = each.trim().split(' ')
        return [name, sources]
      }),
    )
    expect(directives['frame-ancestors']).toEqual(["'none'"])
    if (path.startsWith('/api/')) {
      // Data, of which a browser that shows it as a page loads and runs nothing.
      expect(directives['default-src']).toEqual(["'none'"])
    } else {
      expect(directives['default-src']).toEqual(["'self'"])
      expect(directives['object-src']).toEqual(["'none'"])
      expect(directives['base-uri']).toEqual(["'none'"])
    }
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-opener-policy')).toBe(
      path.startsWith('/api/') ? null : 'same-origin',
    )
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  it('keep every reply of the API out of caches', async () => {
    for (const [, path, init] of KINDS.filter(([, path]) => path.startsWith('/api/'))) {
      const { headers, status } = await test.fetch(path.replace('/api/', '/API/'), init)
      expect([path, status, headers.get('cache-control')]).toEqual([path, status, 'no-store'])
    }
  })

  it('require https for a year if players use https', async () => {
    const server = await bareServer({ secure: true })
    const { headers } = await server.inject('/anything')
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  })

  it('allow calls between the app’s page and every line, however these are written, and from no other origin', async () => {
    const config = readConfig({
      PUBLIC_URL: 'https://Play.example/',
      LINES: 'https://A.example:443,https://b.example/line2',
      RATE_LIMITS: 'off',
    })
    const ending = { defer: () => {} }
    const { log } = captureLog()
    const server = await openHttp({ config, log, ending, now: Date.now } as never)
    onTestFinished(() => server.close())
    const ask = async (origin: string) =>
      (await server.inject({ url: '/api/x', headers: { origin } })).headers
    for (const origin of ['https://play.example', 'https://a.example', 'https://b.example']) {
      const headers = await ask(origin)
      expect(headers['access-control-allow-origin']).toBe(origin)
      // Its pages send no cookie to us: that of staff is no business of theirs.
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      // By its name a file is saved.
      expect(headers['access-control-expose-headers']).toContain('Content-Disposition')
    }
    const ofOthers = await ask('https://evil.example')
    expect(ofOthers['access-control-allow-origin']).toBeUndefined()
    // A page shows the lines' pictures, and calls them: their hosts, for a path would be one address.
    const policy = String((await server.inject('/x')).headers['content-security-policy'])
    const lines = 'https://play.example https://a.example https://b.example'
    expect(policy).toContain(`img-src 'self' data: blob: ${lines};`)
    expect(policy).toContain(`connect-src 'self' ${lines};`)
  })
})

describe('a database that is down', () => {
  it('by its full disk is named so in the log', async () => {
    const { log, lines } = captureLog()
    const server = await bareServer({ log })
    const full = new pg.DatabaseError('could not extend file', 0, 'error')
    full.code = '53100'
    server.get('/full', () => Promise.reject(full))
    expect((await server.inject('/full')).statusCode).toBe(503)
    expect(lines.join()).toContain('the disk of the database is full: free some of it')
  })

  it('leads to 503 until it is back, and then everything continues', async () => {
    const test = await createTestApp(API_ALONE)
    const member = await registerMember(test, 'patient')
    await test.database.takeAway()
    const away = await test.call(userInfo, {}, member)
    expect(away).toMatchObject({ http: 503, code: 503, data: { reason: 'unavailable' } })
    expect(away.msg).toBe('The service is not available right now. Please try again in a moment')
    expect(Object.keys(away.data)).toEqual(['reason'])
    expect(await test.call(home, {})).toMatchObject({ http: 503 })
    expect(await test.call(config, {})).toMatchObject({ http: 200 })
    expect((await test.fetch('/healthz')).status).toBe(200)
    const readiness = await test.fetch('/readyz')
    expect(readiness.status).toBe(503)
    expect(await readiness.json()).toMatchObject({ ready: false, database: false })

    await test.database.giveBack()
    // A pool may still hold connections that were ended with the database.
    await eventually(async () => (await test.call(userInfo, {}, member)).code === 1)
    await eventually(async () => (await test.fetch('/readyz')).status === 200)
    await registerMember(test, 'newcomer')
  })
})
