/** Who may call what: each route as it is served, with real sessions, and with handlers that do nothing. */
import { ALL_ROUTES } from '@sum28/contract/all-routes.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import { type Route, STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bind } from '#src/http/call.ts'
import { rateLimits } from '#src/http/rate-limits.ts'
import { serveCalls } from '#src/http/serve-calls.ts'
import { bindDownload, serveDownloads } from '#src/http/serve-downloads.ts'
import { httpServer } from '#src/http/server.ts'
import { sessionFinder } from '#src/modules/accounts/session.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { staffFinder } from './staff-session.ts'

const database = shareTestDatabase()

/** The session of each role, and that of a player. */
const tokens = new Map<StaffRole, string>()
let player: string
let server: Awaited<ReturnType<typeof httpServer>>

beforeAll(async () => {
  for (const role of STAFF_ROLES) tokens.set(role, await staffToken(database, { role }))
  player = (await addSeatedPlayer(database)).token
  server = await httpServer({ log: captureLog().log, secure: false, origins: [] })
  const options = {
    findCaller: sessionFinder(database.db),
    findStaff: staffFinder(database.db),
    rateLimits: rateLimits(false),
    secureCookies: false,
  }
  const routes: Route[] = [...ALL_ROUTES, ...STAFF_ROUTES]
  serveCalls(
    server,
    routes.map((route) => bind(route, async () => null as never)),
    options,
  )
  serveDownloads(
    server,
    STAFF_DOWNLOADS.map((download) => bindDownload(download, async () => refuse('not_found'))),
    options,
  )
})

afterAll(() => server.close())

async function reply({ method, path }: Pick<Route, 'method' | 'path'>, token?: string) {
  const response = await server.inject({
    method,
    url: path,
    headers: token === undefined ? {} : { token },
    ...(method === 'POST' && { payload: {} }),
  })
  return { http: response.statusCode, code: response.json<{ code: number }>().code }
}

const GUARDED = STAFF_ROUTES.filter(({ auth }) => auth === 'staff')

describe('the rights of roles', () => {
  it('are defined for every call of staff except sign-in', () => {
    expect(STAFF_ROUTES.filter(({ auth }) => auth !== 'staff').map(({ path }) => path)).toEqual([
      '/api/staff/login',
      '/api/staff/own/beginEnrolment',
      '/api/staff/own/confirmEnrolment',
      '/api/staff/own/confirmPasskey',
      '/api/staff/passkeyChallenge',
      '/api/staff/passkeyLogin',
    ])
    for (const { roles = [], path } of GUARDED) expect(roles, path).not.toHaveLength(0)
    expect(ALL_ROUTES.filter(({ auth }) => auth === 'staff')).toEqual([])
  })

  it.each([...GUARDED, ...STAFF_DOWNLOADS])(
    'are those of $path: its roles may call it, and nobody else',
    async (route) => {
      for (const role of STAFF_ROLES) {
        const answer = await reply(route, tokens.get(role))
        if (route.roles?.includes(role)) {
          // Without the fields that it asks for, a call that is allowed may be malformed.
          expect([200, 400, 404], role).toContain(answer.http)
        } else {
          expect(answer, role).toEqual({ http: 403, code: 403 })
        }
      }
      expect(await reply(route)).toEqual({ http: 401, code: 401 })
      for (const stranger of ['made-up', player]) {
        expect(await reply(route, stranger)).toEqual({ http: 401, code: 50008 })
      }
    },
  )

  it('give staff no calls of players', async () => {
    for (const route of ALL_ROUTES.filter(({ auth }) => auth === 'token' || auth === 'member')) {
      const answer = await reply(route, tokens.get('owner'))
      expect({ ...answer, path: route.path }).toEqual({ http: 401, code: 50008, path: route.path })
    }
  })
})
