/** The console's own host: which calls exist under which host, however a client spells them. */
import { describe, expect, it } from 'vitest'
import { API_ALONE, shareTestApp } from '#testing/product/test-app.ts'
import { ask, spellings } from '#testing/requests/spelt-paths.ts'

const CONSOLE = 'console.example'
const PLAYERS = 'play.example'

const test = shareTestApp({ ...API_ALONE, CONSOLE_URL: `http://${CONSOLE}` })

const MISSING = { status: 404, kept: 'no-store' }

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
    expect(await ask(test.app.url, 'POST', path, PLAYERS)).toMatchObject(toPlayers)
    for (const host of [CONSOLE, CONSOLE.toUpperCase()])
      expect(await ask(test.app.url, 'POST', path, host)).toMatchObject(toStaff)
  })

  it.each([
    ['encoded twice', '/api/%2573taff/login'],
    ['with an encoded slash', '/api%2Fstaff/login'],
    ['with two slashes at its beginning', '//api/staff/login'],
    ['with two slashes within', '/api//staff/login'],
    ['with a step to the folder above', '/api/user/../staff/login'],
  ])('a call of staff %s is no call under any host', async (_name, path) => {
    for (const host of [PLAYERS, CONSOLE]) {
      expect(await ask(test.app.url, 'POST', path, host)).toMatchObject({ status: 404 })
    }
  })

  it('passkeys of staff are of its host, and those of players are not', async () => {
    for (const [host, path] of [
      [CONSOLE, '/api/staff/passkeyChallenge'],
      [PLAYERS, '/api/user/passkeyChallenge'],
    ] as const) {
      const { body } = await ask(test.app.url, 'POST', path, host)
      expect(JSON.parse(body)).toMatchObject({ data: { rp_id: host } })
    }
  })

  it.each(['/healthz', '/readyz', '/openapi.json'])(
    '%s is answered under both hosts',
    async (path) => {
      for (const host of [PLAYERS, CONSOLE]) {
        expect(await ask(test.app.url, 'GET', path, host)).toMatchObject({ status: 200 })
      }
    },
  )

  it('the first page of its host leads to the console', async () => {
    expect(await ask(test.app.url, 'GET', '/', CONSOLE)).toMatchObject({
      status: 302,
      to: '/console',
    })
  })
})
