import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHELL, workerAnswer } from '#src/app/worker-rules.ts'
import { ROUTES } from '#src/navigation/routes.ts'

const ORIGIN = 'https://sum28.example'
const STORED = new Set([SHELL, '/assets/index-abc.js', '/icon-192.png', '/api/stored-by-mistake'])

function answer(path: string, rest: { method?: string; mode?: string; origin?: string } = {}) {
  return workerAnswer({
    method: rest.method ?? 'GET',
    mode: rest.mode ?? 'cors',
    url: (rest.origin ?? ORIGIN) + path,
    origin: ORIGIN,
    stored: STORED,
  })
}

const NEVER =
  'api api/index/index API/user/userInfo dev dev/mail uploads/a.webp tron/wallet beacon/latest docs openapi.json console console/players CONSOLE/ metrics healthz readyz tlog/checkpoint'
    .split(' ')
    .map((path) => `/${path}`)

describe('the service worker', () => {
  it.each(NEVER)('leaves %s to the network, opened as a page or called', (path) => {
    expect(answer(path, { mode: 'navigate' })).toBe('network')
    if (path !== '/api') expect(answer(path)).toBe('network')
  })

  it('answers every screen of the app, in any letter case', () => {
    for (const { path } of Object.values(ROUTES)) {
      for (const written of [path, path.toUpperCase(), `${path}/?a=1`]) {
        expect(answer(written, { mode: 'navigate' }), written).toBe('screen')
      }
    }
    expect(answer('/no/such/page', { mode: 'navigate' })).toBe('screen')
    expect(answer(SHELL, { mode: 'navigate' })).toBe('screen')
  })

  it('answers requests for stored files, and hashed files from the store first', () => {
    expect(answer('/assets/index-abc.js')).toBe('asset')
    expect(answer('/icon-192.png')).toBe('file')
    expect(answer('/icon-512.png')).toBe('network')
  })

  it('serves files of the previous build to pages that still run it', () => {
    expect(answer('/assets/index-before.js')).toBe('asset')
    expect(answer('/assets/index-before.js', { mode: 'navigate' })).toBe('network')
  })

  it('never answers a request for the newest shell', () => {
    expect(answer('/')).toBe('network')
    expect(answer(SHELL)).toBe('network')
  })

  it('handles only GET on its own origin', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STORED, '/', '/login'), (path) => {
        for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
          expect(answer(path, { method })).toBe('network')
          expect(answer(path, { method, mode: 'navigate' })).toBe('network')
        }
        expect(answer(path, { origin: 'https://line2.example' })).toBe('network')
      }),
    )
  })
})
