import { once } from 'node:events'
import { connect } from 'node:net'
import { TRY_TIMEOUT_MS } from '@sum28/contract/client.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login, logout, refresh, upload } from '@sum28/contract/user-routes.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ANSWER_WITHIN_MS } from '#src/in-time.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import { refuse } from '#src/refusal.ts'
import { captureLog } from '#testing/captured-log.ts'
import { eventually } from '#testing/test-app.ts'
import { bind, type RouteBinding } from './binding.ts'
import { rateLimits } from './rate-limits.ts'
import { serveRoutes } from './serve-routes.ts'
import { httpServer } from './server.ts'

it('binds the remember-me cookie to the host and to https where players come by https', async () => {
  const server = await httpServer({ log: captureLog().log, secure: true, origins: [] })
  const cookies: (string | null)[] = []
  const remember = bind(refresh, async ({ rememberCookie, answer }) => {
    cookies.push(rememberCookie)
    answer.setRememberCookie('the-secret', 60)
    return refuse('session_unknown')
  })
  serveRoutes(server, [remember], {
    findCaller: async () => refuse('session_unknown'),
    findStaff: async () => refuse('session_unknown'),
    rateLimits: rateLimits(false),
    secureCookies: true,
  })
  const ask = (cookie: string) =>
    server.inject({ method: 'POST', url: '/api/user/refresh', headers: { cookie } })
  const { headers } = await ask('remember=of-plain-http')
  expect(String(headers['set-cookie']).split('; ').sort()).toEqual([
    'HttpOnly',
    'Max-Age=60',
    'Path=/',
    'SameSite=Strict',
    'Secure',
    '__Host-remember=the-secret',
  ])
  await ask('__Host-remember=the-secret')
  expect(cookies).toEqual([null, 'the-secret'])
  await server.close()
})

const CALLER: Caller = {
  playerId: 1,
  groupId: 1,
  username: 'ann_lee',
  netAtStart: 0n,
  tokenHash: Buffer.alloc(32),
}

async function serve(bindings: readonly RouteBinding[]) {
  const server = await httpServer({
    log: captureLog().log,
    secure: true,
    origins: [],
    trustedProxies: ['127.0.0.1'],
  })
  onTestFinished(() => server.close())
  serveRoutes(server, bindings, {
    findCaller: async (token) => ({ ...CALLER, playerId: Number(token) }),
    findStaff: async () => refuse('session_unknown'),
    rateLimits: rateLimits(false),
    secureCookies: true,
    origins: ['https://play.example', 'https://line2.example'],
  })
  return server
}

it('refuses for now, before its client gives up, a call that takes too long, and does not send what it comes to', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<ReturnType<typeof refuse>>()
  const server = await serve([
    bind(logout, ({ answer }) => {
      answer.clearRememberCookie()
      begun.resolve()
      return ended.promise
    }),
  ])
  const replying = server.inject({ method: 'POST', url: logout.path, headers: { token: '1' } })
  await begun.promise
  vi.advanceTimersByTime(ANSWER_WITHIN_MS)
  const reply = await replying
  expect(ANSWER_WITHIN_MS).toBeLessThan(TRY_TIMEOUT_MS)
  expect(reply.statusCode).toBe(503)
  expect(reply.json().data).toEqual({ reason: 'unavailable' })
  expect(reply.headers['retry-after']).toBe('2')
  expect(reply.headers['set-cookie']).toBeUndefined()
  ended.resolve(refuse('session_unknown'))
})

describe('what sets or uses the remember-me cookie, and staff’s sign-in,', () => {
  /** The headers of a browser, and whether a page of ours made the request. */
  const PAGES: [page: string, headers: Record<string, string>, own: boolean][] = [
    ['no browser', {}, true],
    ['the app', { origin: 'https://play.example', 'sec-fetch-site': 'same-origin' }, true],
    ['the app in an old browser', { origin: 'https://play.example' }, true],
    ['the app on the host that was called', { origin: 'https://called.example' }, true],
    [
      'the app on another line',
      { origin: 'https://line2.example', 'sec-fetch-site': 'cross-site' },
      true,
    ],
    ['a strange page', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
    ['a strange page in an old browser', { origin: 'https://evil.example' }, false],
    [
      'a neighbour on our domain',
      { origin: 'https://x.play.example', 'sec-fetch-site': 'same-site' },
      false,
    ],
    [
      'our host by another scheme',
      { origin: 'http://called.example', 'sec-fetch-site': 'cross-site' },
      false,
    ],
    ['a page that hides', { origin: 'null' }, false],
    [
      'a page that hides, in a new browser',
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      false,
    ],
    ['a link elsewhere', { 'sec-fetch-site': 'cross-site' }, false],
    ['an origin with more behind it', { origin: 'https://called.example/' }, false],
  ]
  const FORM = 'account=ann&password=x'
  const CALLS: [what: string, path: string, form: string, guarded: boolean][] = [
    ['a login that is to be remembered', login.path, `${FORM}&remember=1`, true],
    ['a login that is not', login.path, FORM, false],
    ['a refresh', refresh.path, '', true],
    ['a logout', logout.path, '', true],
    ['staff’s login', staffLogin.path, 'account=ann&password=x&totp=123456', true],
  ]

  describe.each(CALLS)('%s', (_what, path, form, guarded) => {
    it.each(PAGES)('by %s', async (_page, headers, own) => {
      let handled = 0
      const handle = async () => {
        handled += 1
        return refuse('session_unknown')
      }
      const server = await serve([
        bind(login, handle),
        bind(refresh, handle),
        bind(logout, handle),
        bind(staffLogin, handle),
      ])
      const reply = await server.inject({
        method: 'POST',
        url: path,
        payload: form,
        headers: {
          host: 'called.example',
          token: '1',
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
      })
      const passed = own || !guarded
      expect([handled, reply.statusCode]).toEqual(passed ? [1, 401] : [0, 403])
    })
  })
})

describe('files', () => {
  const form = (bytes: number) => {
    const data = new FormData()
    data.set('file', new Blob([new Uint8Array(bytes)]), 'a.png')
    return data
  }

  async function uploading() {
    const waiting: (() => void)[] = []
    const server = await serve([
      bind(upload, async () => {
        await new Promise<void>((go) => waiting.push(go))
        return { url: '/uploads/x.webp', fullurl: 'https://play.example/uploads/x.webp' }
      }),
    ])
    const url = (await server.listen({ port: 0, host: '127.0.0.1' })) + upload.path
    const send = (player: number, address: string) =>
      fetch(url, {
        method: 'POST',
        headers: { token: String(player), 'x-forwarded-for': address },
        body: form(10),
      })
    const until = (count: number) => eventually(() => waiting.length >= count || undefined)
    return { send, until, waiting }
  }

  const statusOf = async (reply: Promise<Response>) => (await reply).status

  it('are received one at a time for a player, three for a network and eight in all; others must retry', async () => {
    const { send, until, waiting } = await uploading()
    const taken = []
    for (const [player, address] of [
      [1, '203.0.113.1'],
      [2, '203.0.113.1'],
      [3, '203.0.113.1'],
      [4, '203.0.113.2'],
      [5, '203.0.113.2'],
      [6, '203.0.113.2'],
      [7, '203.0.113.3'],
    ] as const) {
      taken.push(send(player, address))
      await until(taken.length)
    }
    // The same player on another network, and another player of a network that has its share.
    expect(await statusOf(send(1, '203.0.113.9'))).toBe(429)
    const refused = await send(8, '203.0.113.1')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ data: { reason: 'too_many_requests' } })
    taken.push(send(8, '203.0.113.3'))
    await until(8)
    expect(await statusOf(send(9, '203.0.113.4'))).toBe(429)

    for (const go of waiting) go()
    expect(await Promise.all(taken.map(statusOf))).toEqual(Array(8).fill(200))
    const next = send(1, '203.0.113.1')
    await until(9)
    waiting[8]?.()
    expect(await statusOf(next)).toBe(200)
  })

  it('that are aborted release their place', async () => {
    const server = await serve([bind(upload, async () => refuse('upload_not_an_image'))])
    const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
    for (let n = 0; n < 12; n += 1) {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write(
        `POST ${upload.path} HTTP/1.1\r\nHost: x\r\nToken: 1\r\nContent-Length: 999\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n`,
      )
      socket.destroy()
    }
    await eventually(async () => {
      const headers = { token: '1' }
      const url = `http://127.0.0.1:${port}${upload.path}`
      const { status } = await fetch(url, { method: 'POST', headers, body: form(10) })
      return status === 200 || undefined
    })
  })
})
