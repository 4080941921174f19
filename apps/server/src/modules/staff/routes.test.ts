import { ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES, staffLogout } from '@sum28/contract/staff-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { addStaff } from '#testing/people/staff.ts'
import { registerMember, useWorkersApp } from '#testing/product/test-app.ts'

const app = useWorkersApp()

/** The session of each role, and that of a player. */
const tokens = new Map<StaffRole, string>()
let player: string

beforeAll(async () => {
  for (const role of STAFF_ROLES) tokens.set(role, (await addStaff(app(), role)).token)
  player = (await registerMember(app(), 'curious_player')).token
})

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

  it.each(GUARDED.map((route) => ({ route, path: route.path, roles: route.roles ?? [] })))(
    'are those of $path: its roles may call it, and nobody else',
    async ({ route, roles }) => {
      const reply = async (token?: string) => {
        const { http, code } = await app().call(route, {}, token === undefined ? {} : { token })
        return { http, code }
      }
      for (const role of roles) {
        // One of the calls ends its session.
        const ends = route.path === staffLogout.path
        const token = ends ? (await addStaff(app(), role)).token : tokens.get(role)
        // Without the fields that it asks for, a call that is allowed may be malformed.
        expect([200, 400], role).toContain((await reply(token)).http)
      }
      for (const other of STAFF_ROLES.filter((each) => !roles.includes(each))) {
        expect(await reply(tokens.get(other)), other).toEqual({ http: 403, code: 403 })
      }
      expect(await reply()).toEqual({ http: 401, code: 401 })
      for (const stranger of ['made-up', player]) {
        expect(await reply(stranger)).toEqual({ http: 401, code: 50008 })
      }
    },
  )

  it.each(STAFF_DOWNLOADS.map(({ path, roles = [] }) => ({ path, roles })))(
    'are those of $path: its roles may download it, and no other',
    async ({ path, roles }) => {
      const status = async (role: StaffRole) => {
        const response = await app().fetch(path, { headers: { Token: tokens.get(role) ?? '' } })
        await response.text()
        return response.status
      }
      for (const role of roles) expect([200, 400], role).toContain(await status(role))
      for (const other of STAFF_ROLES.filter((each) => !roles.includes(each))) {
        expect(await status(other), other).toBe(403)
      }
    },
  )

  it('give staff no calls of players', async () => {
    const token = tokens.get('owner') ?? ''
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
