/** The auth provider of react-admin: the signed-in user and his permissions. */
import { mayDo, STAFF_ACTIONS, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { staffLogout } from '@sum28/contract/staff-routes.ts'
import type { AuthProvider } from 'react-admin'
import { RESOURCES } from '#src/areas/all.ts'
import { call, isOfAnother, isSessionEnd } from '#src/data/call.ts'
import { sendAllHeld } from '#src/data/held-calls.ts'
import {
  hasSignedIn,
  loadSession,
  rememberSignIn,
  sessionOrNull,
  setSession,
} from '#src/data/session.ts'
import { forgetAllTyped, keepTyped } from '#src/data/unsaved.ts'

const ACTION_OF_RESOURCE = new Map<string, StaffAction>(
  RESOURCES.map(({ name, route }) => [name, route.action]),
)

export const authProvider: AuthProvider = {
  /** The sign-in page has begun the session already; this only loads it. */
  login: async () => {
    rememberSignIn(true)
    await loadSession()
  },

  logout: async () => {
    const session = sessionOrNull()
    // The session may have ended by itself.
    keepTyped()
    if (session) await sendAllHeld()
    // While it is shown: another's session is not ended.
    const ended = session && call(staffLogout, {})
    rememberSignIn(false)
    setSession(null)
    if (!session) return
    // Of a session that has ended, or without a network, there is nothing to end.
    await ended?.then(
      () => forgetAllTyped(session.name),
      // Whoever has signed in meanwhile stays so.
      (error) => rememberSignIn(isOfAnother(error)),
    )
  },

  checkAuth: async () => {
    if (sessionOrNull()) return
    if (!hasSignedIn()) throw new Error('nobody is signed in')
    await loadSession()
  },

  checkError: async (error: { status?: number }) => {
    if (error.status === 401 || isSessionEnd(error)) throw new Error('console.session.ended')
  },

  getIdentity: async () => {
    const { name, role } = sessionOrNull() ?? (await loadSession())
    return { id: name, fullName: `${name} · ${role}` }
  },

  getPermissions: async () => sessionOrNull()?.role,

  canAccess: async ({ resource, action }) => {
    const role = sessionOrNull()?.role
    if (!role) return false
    const named = isStaffAction(action) ? action : ACTION_OF_RESOURCE.get(resource)
    return named !== undefined && mayDo(role, named)
  },
}

function isStaffAction(action: string): action is StaffAction {
  return Object.hasOwn(STAFF_ACTIONS, action)
}
