import { ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from '@sum28/contract/staff-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { addStaff } from '#testing/people/staff.ts'
import { registerMember, useWorkersApp } from '#testing/product/test-app.ts'
import { startStaffSession } from './staff-session.ts'

const app = useWorkersApp()

const members = new Map<StaffRole, number>()

beforeAll(async () => {
  for (const role of STAFF_ROLES) {
    const { login } = await addStaff(app(), role)
    const [row] = await app().database.owner.query<{ id: number }>(
      'select id from staff.member where name = $1',
      [login.name],
    )
    members.set(role, row?.id ?? 0)
  }
})

/** A session of its own for each call: one of the calls ends it. */
function tokenOf(role: StaffRole): Promise<string> {
  return app().app.db.transaction((tx) =>
    startStaffSession(tx, { staffId: members.get(role) ?? 0, address: '127.0.0.1' }),
  )
}

const GUARDED = STAFF_ROUTES.filter(({ auth }) => auth === 'staff')
const matrix = GUARDED.flatMap((route) => STAFF_ROLES.map((role) => ({ route, role })))

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

  it.each(
    matrix.map(({ route, role }) => ({
      route,
      role,
      path: route.path,
      may: route.roles?.includes(role) ? 'may' : 'may not',
    })),
  )('$role $may call $path', async ({ route, role, may }) => {
    const { http, code } = await app().call(route, {}, { token: await tokenOf(role) })
    if (may === 'may not') expect({ http, code }).toEqual({ http: 403, code: 403 })
    // Without the fields that it asks for, a call that is allowed may be malformed.
    else expect([200, 400]).toContain(http)
  })

  it.each(
    STAFF_DOWNLOADS.flatMap((download) =>
      STAFF_ROLES.map((role) => ({
        role,
        path: download.path,
        may: download.roles?.includes(role) ? 'may' : 'may not',
      })),
    ),
  )('$role $may download $path', async ({ role, path, may }) => {
    const response = await app().fetch(path, { headers: { Token: await tokenOf(role) } })
    await response.text()
    if (may === 'may not') expect(response.status).toBe(403)
    else expect([200, 400]).toContain(response.status)
  })

  it.each(GUARDED.map((route) => ({ route, path: route.path })))(
    'nobody without a staff session calls $path',
    async ({ route }) => {
      expect(await app().call(route, {})).toMatchObject({ http: 401, code: 401 })
      expect(await app().call(route, {}, { token: 'made-up' })).toMatchObject({
        http: 401,
        code: 50008,
      })
    },
  )

  it('give players no calls of staff', async () => {
    const { token } = await registerMember(app(), 'curious_player')
    for (const route of GUARDED) {
      const { http, code } = await app().call(route, {}, { token })
      expect({ http, code, path: route.path }).toEqual({
        http: 401,
        code: 50008,
        path: route.path,
      })
    }
  })

  it('give staff no calls of players', async () => {
    const token = await tokenOf('owner')
    for (const route of ALL_ROUTES.filter(({ auth }) => auth === 'token' || auth === 'member')) {
      const { http, code } = await app().call(route, {}, { token })
      expect({ http, code, path: route.path }).toEqual({
        http: 401,
        code: 50008,
        path: route.path,
      })
    }
    for (const { path } of ALL_STREAMS.filter(({ auth }) => auth === 'token')) {
      const response = await app().fetch(path, { headers: { token } })
      const { code } = (await response.json()) as { code: number }
      expect({ http: response.status, code, path }).toEqual({ http: 401, code: 50008, path })
    }
  })
})
