/** How the built apps are served: what may be cached, what must be requested each time, and which paths are screens. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { captureLog } from '#testing/product/captured-log.ts'
import { ask, spellings } from '#testing/requests/spelt-paths.ts'
import { keepConsoleApart } from './origins.ts'
import { httpServer } from './server.ts'
import { serveApps } from './static-apps.ts'

const BUILT_SCRIPT = 'built()'

const PAGE = '<head><title>player</title></head>'

const FILES = {
  'web/index.html': PAGE,
  'web/preloads.json': JSON.stringify({
    '/lottery': '</assets/hall-abc123.js>; rel=modulepreload',
  }),
  'web/sw.js': '1',
  'web/manifest.webmanifest': '{}',
  'web/icon-192.png': '',
  'web/banners/exact.svg': '<svg/>',
  'web/assets/index-abc123.js': '1',
  'web/assets/built-abc123.js': BUILT_SCRIPT,
  'web/assets/built-abc123.js.br': brotliCompressSync(BUILT_SCRIPT),
  'web/assets/built-abc123.js.gz': gzipSync(BUILT_SCRIPT),
  'web/assets/index-abc123.css': '',
  'console/index.html': '<title>operator</title>',
  'console/assets/index-def456.js': '2',
}

let folder = ''
let server: FastifyInstance

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sum28-apps-'))
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  server = await served(null)
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function served(consoleOrigin: string | null, publicUrl: string | null = null) {
  const made = await httpServer({ log: captureLog().log, secure: true, origins: [] })
  if (consoleOrigin) keepConsoleApart(made, consoleOrigin)
  await serveApps(made, publicUrl, [
    { prefix: '/console/', folder: join(folder, 'console') },
    { prefix: '/', folder: join(folder, 'web'), preview: '/icon.png' },
  ])
  return made
}

async function get(url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const reply = await server.inject({ method, url })
  return {
    status: reply.statusCode,
    type: String(reply.headers['content-type']),
    kept: reply.headers['cache-control'],
    body: reply.body,
  }
}

const CONSOLE = 'console.example'
const PLAYERS = 'play.example'

const FOR_EVER = 'public, max-age=31536000, immutable'

describe('the built apps', () => {
  it.each([
    ['/', 'text/html', 'no-cache'],
    ['/index.html', 'text/html', 'no-cache'],
    ['/sw.js', 'javascript', 'no-cache'],
    ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
    ['/icon-192.png', 'image/png', 'no-cache'],
    ['/banners/exact.svg', 'image/svg+xml', 'no-cache'],
    ['/assets/index-abc123.js', 'javascript', FOR_EVER],
    ['/assets/index-abc123.css', 'text/css', FOR_EVER],
    ['/console/', 'text/html', 'no-cache'],
    ['/console/assets/index-def456.js', 'javascript', FOR_EVER],
  ])('serve %s as %s with %s', async (path, type, kept) => {
    const reply = await get(path)
    expect(reply).toMatchObject({ status: 200, kept })
    expect(reply.type).toContain(type)
  })

  it.each([
    ['/banners/exact.svg', 'cross-origin'],
    ['/assets/index-abc123.js', 'same-origin'],
    ['/', 'same-origin'],
  ])('let the page of another line show pictures, and nothing else: %s', async (url, policy) => {
    const { headers } = await server.inject({ url })
    expect(headers['cross-origin-resource-policy']).toBe(policy)
  })

  it.each(['/lottery', '/BetRecord', '/aticledetail/?news=%7B%22id%22%3A1.5%7D', '/no/such/page'])(
    'give the player’s page at %s',
    async (path) => {
      const reply = await get(path)
      expect(reply).toMatchObject({ status: 200, kept: 'no-cache', body: PAGE })
      expect((await get(path, 'HEAD')).status).toBe(200)
    },
  )

  it('name the picture of a preview by the address that players open, in both forms of the page', async () => {
    const known = await served(null, `https://${PLAYERS}`)
    onTestFinished(() => known.close())
    for (const url of ['/', '/index.html', '/register?inviter_id=7']) {
      const { body } = await known.inject({ url })
      const { headers, rawPayload } = await known.inject({
        url,
        headers: { 'accept-encoding': 'gzip, br' },
      })
      expect(body).toContain('<meta property="og:image" content="https://play.example/icon.png" />')
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
      expect(gunzipSync(rawPayload).toString()).toBe(body)
    }
    expect((await known.inject({ url: '/console/' })).body).toBe('<title>operator</title>')
    expect((await get('/')).body).toBe(PAGE)
  })

  it.each([
    ['/lottery', '</assets/hall-abc123.js>; rel=modulepreload'],
    ['/LOTTERY/?game=1', '</assets/hall-abc123.js>; rel=modulepreload'],
    ['/no/such/page', undefined],
    ['/__proto__', undefined],
    ['/console/lottery', undefined],
  ])('name what the screen at %s loads first', async (url, link) => {
    expect((await server.inject({ url })).headers.link).toBe(link)
  })

  it.each(['/console', '/console/players/7', '/CONSOLE/'])(
    'give the operator’s page at %s',
    async (path) => {
      expect(await get(path)).toMatchObject({ status: 200, body: '<title>operator</title>' })
    },
  )

  it.each([
    '/assets/index-gone.js',
    '/assets/built-abc123.js.br',
    '/console/assets/index-gone.js',
    '/sw-old.js',
    '/banners/none.svg',
    '/api/none',
    '/API/none',
    '/uploads/none.webp',
    '/tron/none',
    '/beacon/none',
    '/dev',
    '/metrics',
  ])('have no page at %s', async (path) => {
    const reply = await get(path)
    expect(reply.status).toBe(404)
    expect(reply.type).toContain('application/json')
  })

  it('refuse a post to a screen', async () => {
    expect((await get('/lottery', 'POST')).status).toBe(404)
  })
})

describe('a file whose compressed forms were built', () => {
  it.each([
    ['br', brotliCompressSync(BUILT_SCRIPT)],
    ['gzip', gzipSync(BUILT_SCRIPT)],
    [undefined, Buffer.from(BUILT_SCRIPT)],
  ])('goes out as it was built to who takes %s', async (encoding, bytes) => {
    const { headers, rawPayload } = await server.inject({
      url: '/assets/built-abc123.js',
      headers: { 'accept-encoding': encoding ?? 'identity' },
    })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-type']).toContain('javascript')
    expect(headers['cache-control']).toBe(FOR_EVER)
    expect(headers.vary).toContain('accept-encoding')
    expect(rawPayload).toEqual(bytes)
  })
})

describe('the built apps, where the console has an origin of its own', () => {
  let address = ''

  beforeAll(async () => {
    const apart = await served(`https://${CONSOLE}`)
    address = await apart.listen({ port: 0, host: '127.0.0.1' })
    return () => apart.close()
  })

  const get = (path: string, host: string) => ask(address, 'GET', path, host)

  it.each([
    ...spellings('/console', '/%63onsole', 'the console'),
    ...spellings('/console/players', '/%63onsole/players', 'a screen of the console'),
  ])('%s is shown under its host alone', async (_name, path) => {
    expect(await get(path, PLAYERS)).toMatchObject({ status: 404 })
    const shown = await get(path, CONSOLE)
    expect(shown).toMatchObject({ status: 200, body: '<title>operator</title>' })
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
      expect([path, body]).not.toEqual([path, expect.stringContaining('operator</title>')])
    }
  })
})
