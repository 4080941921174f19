/** The session of the signed-in user, as last loaded from the server. */
import type { ReplyOf, StaffRole } from '@sum28/contract/route.ts'
import { mayDo, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { createStore, useStore } from '@sum28/ui/store.ts'
import { call, callAs } from '#src/data/call.ts'

export type OwnSession = ReplyOf<typeof ownSession>

const present = createStore<OwnSession | null>(null)

/**
 * Loads the session from the server. A reply that comes after the user has signed out changes nothing here.
 *
 * @throws Refusal without a session, Unreachable
 */
export async function loadSession(): Promise<OwnSession> {
  const session = await call(ownSession, {})
  if (hasSignedIn()) setSession(session)
  return session
}

export function sessionOrNull(): OwnSession | null {
  return present.get()
}

export function setSession(session: OwnSession | null): void {
  present.set(session)
  callAs(session?.name ?? null)
}

/** Stores in this browser that a session may exist: scripts cannot see the session's cookie. */
const SIGNED_IN = 'console.signedIn'

export function rememberSignIn(signedIn: boolean): void {
  if (signedIn) deviceStorage().setItem(SIGNED_IN, '1')
  else deviceStorage().removeItem(SIGNED_IN)
}

/** Whether a session may exist, so that it should be loaded. */
export function hasSignedIn(): boolean {
  return deviceStorage().getItem(SIGNED_IN) !== null
}

/** The session; rerenders when it changes. Null without one. */
export function useSession(): OwnSession | null {
  return useStore(present)
}

/** Returns a function that tests whether the user may do an action; buttons of other actions are hidden. */
export function useMay(): (action: StaffAction) => boolean {
  const role: StaffRole | undefined = useSession()?.role
  return (action) => role !== undefined && mayDo(role, action)
}

/** The operator's time zone, in which all times are shown. */
export function useZone(): string {
  return useSession()?.zone ?? 'UTC'
}
