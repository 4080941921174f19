/** How the built apps are served: what may be cached, what must be requested each time, and which paths are screens. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpServer } from '#src/http/server.ts'
import { serveApps } from '#src/http/static-apps.ts'
import { captureLog } from '#testing/product/captured-log.ts'

const BUILT_SCRIPT = 'built()'

const FILES = {
  'web/index.html': '<title>player</title>',
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
  server = await httpServer({ log: captureLog().log, secure: true, origins: [] })
  await serveApps(server, [
    { prefix: '/console/', folder: join(folder, 'console') },
    { prefix: '/', folder: join(folder, 'web') },
  ])
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function get(url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const reply = await server.inject({ method, url })
  return {
    status: reply.statusCode,
    type: String(reply.headers['content-type']),
    kept: reply.headers['cache-control'],
    body: reply.body,
  }
}

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
      expect(reply).toMatchObject({ status: 200, kept: 'no-cache', body: '<title>player</title>' })
      expect((await get(path, 'HEAD')).status).toBe(200)
    },
  )

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
