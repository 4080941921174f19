import { once } from 'node:events'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { TRY_TIMEOUT_MS } from '@sum28/contract/client.ts'
import { aboutUs, articleList } from '@sum28/contract/index-routes.ts'
import { staffLogin, staffLogout } from '@sum28/contract/staff-routes.ts'
import {
  login,
  logout,
  refresh,
  register,
  sendCode,
  upload,
  userInfo,
} from '@sum28/contract/user-routes.ts'
import { describe, expect, it, vi } from 'vitest'
import { ANSWER_WITHIN_MS } from '#src/concurrency/concurrency.ts'
import type { StaffCaller } from '#src/http/caller.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { bareServer, memberCaller } from '#testing/product/served-routes.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { eventually } from '#testing/requests/patience.ts'
import { bind, type RouteBinding } from './call.ts'
import { rateLimits } from './rate-limits.ts'
import { serveCalls } from './serve-calls.ts'

it('binds the remember-me cookie to the host and to https where players come by https', async () => {
  const cookies: (string | null)[] = []
  const remember = bind(refresh, async ({ rememberCookie, extras }) => {
    cookies.push(rememberCookie)
    extras.setRememberCookie('the-secret', { playerId: 7, maxAge: 60 })
    return refuse('session_unknown')
  })
  const server = await serve([remember])
  const ask = (cookie: string) =>
    server.inject({ method: 'POST', url: '/api/user/refresh', headers: { cookie } })
  const { headers } = await ask('remember=of-plain-http')
  const [cookie, mark] = [headers['set-cookie'] ?? []].flat().map((each) => each.split('; ').sort())
  expect(cookie).toEqual([
    'HttpOnly',
    'Max-Age=60',
    'Path=/',
    'SameSite=Strict',
    'Secure',
    '__Host-remember=the-secret',
  ])
  // The page can read it, and Safari keeps it for as long as the other.
  expect(mark).toEqual(['Max-Age=60', 'Path=/', 'SameSite=Strict', 'Secure', 'remember_device=7'])
  await ask('__Host-remember=the-secret')
  expect(cookies).toEqual([null, 'the-secret'])
})

it('compresses long answers that are the same for all, for who takes that', async () => {
  const about = { content: 'Each draw can be checked. '.repeat(400) }
  const server = await serve([
    bind(aboutUs, async () => ({ about })),
    bind(articleList, async () => ({ tops: [], articleTabs: [] })),
    bind(userInfo, async () => ({ about }) as never),
  ])
  const get = async (url: string, encoding?: string, method: 'GET' | 'POST' = 'GET') => {
    const token = { token: '1' }
    const accepting = encoding === undefined ? {} : { 'accept-encoding': encoding }
    const { headers, rawPayload } = await server.inject({
      method,
      url,
      headers: { ...token, ...accepting },
    })
    const isSmaller = headers['content-encoding'] === 'gzip'
    const json = isSmaller ? gunzipSync(rawPayload) : rawPayload
    return [isSmaller, headers.vary, JSON.parse(`${json}`).data.about?.content]
  }
  const varies = 'Accept-Encoding'
  expect(await get('/api/index/aboutus', 'br, gzip')).toEqual([true, varies, about.content])
  expect(await get('/api/index/aboutus', 'gzip;q=0')).toEqual([false, varies, about.content])
  expect(await get('/api/index/aboutus')).toEqual([false, varies, about.content])
  expect(await get('/api/index/articleList', 'gzip')).toEqual([false, undefined, undefined])
  const own = await get('/api/user/userInfo', 'gzip', 'POST')
  expect(own).toEqual([false, undefined, about.content])
})

it('compresses two answers at a time and sends the others as they are, for passwords need the same threads', async () => {
  const about = { content: 'Each draw can be checked. '.repeat(400) }
  const all = Promise.withResolvers<void>()
  let asked = 0
  const server = await serve([
    bind(aboutUs, async () => {
      asked += 1
      if (asked === 5) all.resolve()
      await all.promise
      return { about }
    }),
  ])
  const request = { url: aboutUs.path, headers: { 'accept-encoding': 'gzip' } }
  const replies = await Promise.all(Array.from({ length: 5 }, () => server.inject(request)))
  const smaller = replies.filter(({ headers }) => headers['content-encoding'] === 'gzip')
  expect(smaller).toHaveLength(2)
  for (const reply of replies) {
    const json = smaller.includes(reply) ? gunzipSync(reply.rawPayload) : reply.rawPayload
    expect(JSON.parse(`${json}`).data.about).toEqual(about)
  }
  expect((await server.inject(request)).headers['content-encoding']).toBe('gzip')
})

const STAFF: StaffCaller = {
  staffId: 1,
  name: 'eve',
  role: 'editor',
  token: '1',
  tokenHash: Buffer.alloc(32),
  idleMsLeft: 1,
  msLeft: 1,
}

async function serve(bindings: readonly RouteBinding[]) {
  const server = await bareServer({ secure: true })
  serveCalls(server, bindings, {
    findCaller: async () => memberCaller(1),
    findStaff: async () => STAFF,
    rateLimits: rateLimits(false),
    secureCookies: true,
    origins: ['https://play.example', 'https://line2.example'],
    consoleOrigin: 'https://staff.example',
  })
  return server
}

it('answers a call that takes too long with 503, before its client gives up, and discards the late result', async () => {
  holdTime('setTimeout')
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<ReturnType<typeof refuse>>()
  const server = await serve([
    bind(logout, ({ extras }) => {
      extras.clearRememberCookie()
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
  expect(reply.json().data).toEqual({ reason: 'unavailable', cause: 'timeout' })
  expect(reply.headers['retry-after']).toBe('2')
  expect(reply.headers['set-cookie']).toBeUndefined()
  ended.resolve(refuse('session_unknown'))
})

describe('what changes something without a token, such as the cookies of a browser,', () => {
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
    ['a link elsewhere', { 'sec-fetch-site': 'cross-site' }, false],
    ['an origin with more behind it', { origin: 'https://called.example/' }, false],
  ]
  const FORM = 'account=ann&password=x'
  const STAFF_FORM = `${FORM}&totp=123456`
  const CALLS: [what: string, path: string, form: string][] = [
    ['a login', login.path, FORM],
    ['a registration', register.path, 'password=x'],
    ['a refresh', refresh.path, ''],
    ['a logout', logout.path, ''],
    ['a request for a code', sendCode.path, 'email=ann@example.org&event=resetpwd'],
    ['staff’s login', staffLogin.path, STAFF_FORM],
  ]

  /** How often a call was handled, and its status. */
  async function sentBy(headers: Record<string, string>, path: string, payload: string) {
    let handled = 0
    const handle = async () => {
      handled += 1
      return refuse('session_unknown')
    }
    const routes = [login, register, refresh, logout, sendCode, staffLogin]
    const server = await serve(routes.map((route) => bind(route, handle)))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await server.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { host: 'called.example', token: '1', ...form, ...headers },
    })
    return [handled, reply.statusCode]
  }

  it.each(PAGES)('is served to a page of ours alone: %s', async (_page, headers, own) => {
    expect(await sentBy(headers, refresh.path, '')).toEqual(own ? [1, 401] : [0, 403])
  })

  it.each(CALLS)('is each of these: %s', async (_what, path, form) => {
    const strange = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(await sentBy(strange, path, form)).toEqual([0, 403])
    expect(await sentBy({}, path, form)).toEqual([1, 401])
  })

  it('is served to the console alone if it is of staff, and never to it if it is of players', async () => {
    const line = { origin: 'https://line2.example', 'sec-fetch-site': 'same-site' }
    const staff = { origin: 'https://staff.example', 'sec-fetch-site': 'same-site' }
    expect(await sentBy(line, staffLogin.path, STAFF_FORM)).toEqual([0, 403])
    expect(await sentBy(staff, staffLogin.path, STAFF_FORM)).toEqual([1, 401])
    expect(await sentBy(staff, login.path, FORM)).toEqual([0, 403])
  })
})

it('does nothing in the name of a member whom the tab of the console does not show', async () => {
  const acted: string[] = []
  const server = await serve([
    bind(staffLogout, async ({ caller }) => {
      acted.push(caller.name)
      return null
    }),
  ])
  const sent = async (shown?: string) => {
    const headers = { cookie: '__Secure-staff=of-eve', ...(shown && { 'x-shown-member': shown }) }
    const reply = await server.inject({ method: 'POST', url: staffLogout.path, headers })
    return [reply.statusCode, reply.json().data?.cause]
  }
  expect(await sent('ann')).toEqual([401, 'another_member'])
  expect(acted).toEqual([])
  expect(await sent('eve')).toEqual([200, undefined])
  expect(await sent()).toEqual([200, undefined])
  expect(acted).toEqual(['eve', 'eve'])
})

describe('files', () => {
  const form = () => {
    const data = new FormData()
    data.set('file', new Blob([new Uint8Array(10)]), 'a.png')
    return data
  }

  it('are received one at a time for a player; another must retry', async () => {
    const waiting: (() => void)[] = []
    const server = await serve([
      bind(upload, async () => {
        await new Promise<void>((go) => waiting.push(go))
        return { url: '/uploads/x.webp', fullurl: 'https://play.example/uploads/x.webp' }
      }),
    ])
    const origin = await server.listen({ port: 0, host: '127.0.0.1' })
    const headers = { token: '1' }
    const send = () => fetch(origin + upload.path, { method: 'POST', headers, body: form() })
    const first = send()
    await eventually(() => waiting.length > 0)
    const refused = await send()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    waiting[0]?.()
    expect((await first).status).toBe(200)
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
      const { status } = await fetch(url, { method: 'POST', headers, body: form() })
      return status === 200
    })
  })
})
