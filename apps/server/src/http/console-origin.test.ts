/** The console's own host: which paths exist under which host, however a client spells them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureLog } from '#testing/product/captured-log.ts'
import { API_ALONE, shareTestApp } from '#testing/product/test-app.ts'
import { keepConsoleApart } from './origins.ts'
import { httpServer } from './server.ts'
import { serveApps } from './static-apps.ts'

const CONSOLE = 'console.example'
const PLAYERS = 'play.example'

const test = shareTestApp({ ...API_ALONE, CONSOLE_URL: `http://${CONSOLE}` })

type Reply = { status: number; kept: string | undefined; to: string | undefined; body: string }

/** Sends the path as it is written here: `fetch` would change it, and would name the host itself. */
function ask(
  method: 'GET' | 'POST',
  path: string,
  host: string,
  port = Number(new URL(test.app.url).port),
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', 'content-length': 2 }
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      let body = ''
      answer.on('data', (chunk) => {
        body += chunk
      })
      answer.on('end', () => {
        const { 'cache-control': kept, location: to } = answer.headers
        resolve({ status: answer.statusCode ?? 0, kept, to, body })
      })
    })
    sent.on('error', reject)
    sent.end('{}')
  })
}

const MISSING = { status: 404, kept: 'no-store' }

/** The spellings of a path that the router takes for the same one. */
const spellings = (path: string, encoded: string, name: string) => [
  [`${name} as it is written`, path],
  [`${name} with an encoded letter`, encoded],
  [`${name} with all of it encoded`, `/${[...path.slice(1)].map(hex).join('')}`],
  [`${name} in capital letters`, path.toUpperCase()],
  [`${name} in capital letters, one of them encoded`, encoded.toUpperCase()],
  [`${name} with a slash at its end`, `${encoded}/`],
  [`${name} with a query`, `${encoded}?lang=en`],
  [`${name} with a fragment`, `${encoded}#part`],
  [`${name} after another host’s name`, `http://other.example${encoded}`],
]

/** Slashes stay: an encoded one is no part of a path. */
const hex = (letter: string) =>
  letter === '/' ? letter : `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`

describe('with an origin of its own for the console', () => {
  /** A call that is there misses the fields that it needs. */
  const THERE = { status: 400, kept: 'no-store' }
  const CALLS = [
    ['/api/staff/login', '/api/%73taff/login', 'a call of staff', MISSING, THERE],
    ['/api/user/login', '/%61pi/user/login', 'a call of players', THERE, MISSING],
    ['/api/staff/none', '/api/%73taff/none', 'a call that does not exist', MISSING, MISSING],
  ] as const

  it.each(
    CALLS.flatMap(([path, encoded, what, toPlayers, toStaff]) =>
      spellings(path, encoded, what).map(
        ([name = '', spelt = '']) => [name, spelt, toPlayers, toStaff] as const,
      ),
    ),
  )('%s is served under its own host alone, if at all', async (_name, path, toPlayers, toStaff) => {
    expect(await ask('POST', path, PLAYERS)).toMatchObject(toPlayers)
    for (const host of [CONSOLE, CONSOLE.toUpperCase()])
      expect(await ask('POST', path, host)).toMatchObject(toStaff)
  })

  it.each([
    ['encoded twice', '/api/%2573taff/login'],
    ['with an encoded slash', '/api%2Fstaff/login'],
    ['with two slashes at its beginning', '//api/staff/login'],
    ['with two slashes within', '/api//staff/login'],
    ['with a step to the folder above', '/api/user/../staff/login'],
  ])('a call of staff %s is no call under any host', async (_name, path) => {
    for (const host of [PLAYERS, CONSOLE]) {
      expect(await ask('POST', path, host)).toMatchObject({ status: 404 })
    }
  })

  it('passkeys of staff are of its host, and those of players are not', async () => {
    for (const [host, path] of [
      [CONSOLE, '/api/staff/passkeyChallenge'],
      [PLAYERS, '/api/user/passkeyChallenge'],
    ] as const) {
      const { body } = await ask('POST', path, host)
      expect(JSON.parse(body)).toMatchObject({ data: { rp_id: host } })
    }
  })

  it.each(['/healthz', '/readyz', '/openapi.json'])(
    '%s is answered under both hosts',
    async (path) => {
      for (const host of [PLAYERS, CONSOLE]) {
        expect(await ask('GET', path, host)).toMatchObject({ status: 200 })
      }
    },
  )

  it('the first page of its host leads to the console', async () => {
    expect(await ask('GET', '/', CONSOLE)).toMatchObject({ status: 302, to: '/console' })
  })
})

describe('of the built apps', () => {
  let folder = ''
  let server: FastifyInstance
  let port = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sum28-apps-'))
    for (const name of ['console', 'web']) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'index.html'), `<title>${name}</title>`)
    }
    mkdirSync(join(folder, 'web/banners'))
    for (const file of ['sw.js', 'banners/exact.svg']) writeFileSync(join(folder, 'web', file), '')
    server = await httpServer({ log: captureLog().log, secure: true, origins: [] })
    keepConsoleApart(server, `https://${CONSOLE}`)
    await serveApps(server, [
      { prefix: '/console/', folder: join(folder, 'console') },
      { prefix: '/', folder: join(folder, 'web') },
    ])
    port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
  })

  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const get = (path: string, host: string) => ask('GET', path, host, port)

  it.each([
    ...spellings('/console', '/%63onsole', 'the console'),
    ...spellings('/console/players', '/%63onsole/players', 'a screen of the console'),
  ])('%s is shown under its host alone', async (_name, path) => {
    expect(await get(path, PLAYERS)).toMatchObject({ status: 404 })
    const shown = await get(path, CONSOLE)
    expect(shown).toMatchObject({ status: 200, body: '<title>console</title>' })
  })

  it.each([
    ...spellings('/login', '/%6cogin', 'a screen of players'),
    ...spellings('/sw.js', '/%73w.js', 'their service worker'),
    ['a screen beside the pictures', '/banners/none'],
    ['a screen of players after two slashes', '//login'],
  ])('%s is not shown under its host', async (_name, path) => {
    expect(await get(path, CONSOLE)).toMatchObject({ status: 404 })
  })

  it('its host has the pictures that the console shows of the app', async () => {
    for (const host of [CONSOLE, PLAYERS]) {
      expect(await get('/banners/exact.svg', host)).toMatchObject({ status: 200 })
    }
  })

  it('no spelling of the console shows its page under other hosts', async () => {
    for (const path of [
      '//console',
      '//console/',
      '/%2fconsole',
      '/x/../console',
      '/%2563onsole',
    ]) {
      const { body } = await get(path, PLAYERS)
      expect([path, body]).not.toEqual([path, expect.stringContaining('console</title>')])
    }
  })
})
