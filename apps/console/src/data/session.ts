/** The session of the signed-in user, as last loaded from the server. */
import type { ReplyOf, StaffRole } from '@sum28/contract/route.ts'
import { mayDo, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'
import { useSyncExternalStore } from 'react'
import { call } from '#src/data/call.ts'

export type OwnSession = ReplyOf<typeof ownSession>

let present: OwnSession | null = null
const listeners = new Set<() => void>()

/** Loads the session from the server. @throws Refusal without a session, Unreachable */
export async function loadSession(): Promise<OwnSession> {
  const session = await call(ownSession, {})
  setSession(session)
  return session
}

export function sessionOrNull(): OwnSession | null {
  return present
}

export function setSession(session: OwnSession | null): void {
  present = session
  for (const listener of listeners) listener()
}

/** Stores in this browser that a session may exist: scripts cannot see the session's cookie. */
const SIGNED_IN = 'console.signedIn'

export function rememberSignIn(signedIn: boolean): void {
  if (signedIn) localStorage.setItem(SIGNED_IN, '1')
  else localStorage.removeItem(SIGNED_IN)
}

/** Whether a session may exist, so that it should be loaded. */
export function hasSignedIn(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session; rerenders when it changes. Null without one. */
export function useSession(): OwnSession | null {
  return useSyncExternalStore(listen, sessionOrNull)
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
