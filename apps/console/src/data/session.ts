/** Who is signed in, as the server said last. */
import type { ReplyOf, StaffRole } from '@sum28/contract/route.ts'
import { mayDo, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'
import { useSyncExternalStore } from 'react'
import { call } from '#src/data/call.ts'

export type OwnSession = ReplyOf<typeof ownSession>

let present: OwnSession | null = null
const listeners = new Set<() => void>()

/** Asks the server who is signed in. @throws Refusal without a session, Unreachable */
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

/** Where this browser remembers that somebody has signed in: the session's cookie is seen by no script. */
const SIGNED_IN = 'console.signedIn'

export function rememberSignIn(signedIn: boolean): void {
  if (signedIn) localStorage.setItem(SIGNED_IN, '1')
  else localStorage.removeItem(SIGNED_IN)
}

/** Whether it is worth asking the server who is signed in. */
export function hasSignedIn(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who is signed in; shown anew when that changes. Null while nobody is. */
export function useSession(): OwnSession | null {
  return useSyncExternalStore(listen, sessionOrNull)
}

/** Says whether the person at the screen may do something: what he may not has no button. */
export function useMay(): (action: StaffAction) => boolean {
  const role: StaffRole | undefined = useSession()?.role
  return (action) => role !== undefined && mayDo(role, action)
}

/** The operator's time zone, in which all times are shown. */
export function useZone(): string {
  return useSession()?.zone ?? 'UTC'
}
