import { describe, expect, it } from 'vitest'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from './all-staff-routes.ts'
import { changesSomething, STAFF_ROLES } from './route.ts'
import { mayDo, STAFF_ACTIONS, type StaffAction } from './staff-actions.ts'

const ACTIONS = Object.entries(STAFF_ACTIONS).map(([action, { kind }]) => ({
  action: action as StaffAction,
  kind,
}))

/** Every call and file of staff that needs a session. */
const GUARDED = [...STAFF_ROUTES, ...STAFF_DOWNLOADS].filter(({ auth }) => auth === 'staff')

describe('the table of what staff may do', () => {
  it.each(ACTIONS)(
    'lets the auditor $action only if that changes nothing: it is $kind',
    ({ action, kind }) => {
      expect(mayDo('auditor', action)).toBe(kind === 'read' || kind === 'own')
    },
  )

  it.each(ACTIONS)('lets the owner $action', ({ action }) => {
    expect(mayDo('owner', action)).toBe(true)
  })

  it('lets every role see to its own account', () => {
    for (const { action, kind } of ACTIONS) {
      if (kind === 'own') for (const role of STAFF_ROLES) expect(mayDo(role, action)).toBe(true)
    }
  })
})

describe('each call of staff', () => {
  it.each(GUARDED.map((route) => ({ path: route.path, route })))(
    'names its action, whose roles are its own and whose kind is that of its rate: $path',
    ({ route }) => {
      expect(Object.keys(STAFF_ACTIONS)).toContain(route.action)
      const { kind, roles } = STAFF_ACTIONS[route.action as StaffAction]
      expect(route.roles).toEqual(roles)
      if (kind === 'change') expect(changesSomething(route)).toBe(true)
      if (kind === 'read' || kind === 'reveal') expect(changesSomething(route)).toBe(false)
    },
  )
})
