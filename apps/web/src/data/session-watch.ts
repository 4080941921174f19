/** The session of this tab: read, replaced, dropped and watched in one place. */
import type { Profile, Userinfo } from '@sum28/contract/replies.ts'
import { useSyncExternalStore } from 'react'
import {
  clearSession,
  readSession,
  type Session,
  storeProfile,
  storeSession,
} from '#src/data/session-store.ts'

const listeners = new Set<() => void>()
let session: Session | null =
  typeof sessionStorage === 'undefined' ? null : readSession(sessionStorage)

export function currentSession(): Session | null {
  return session
}

export function beginSession(userinfo: Userinfo): void {
  storeSession(sessionStorage, userinfo)
  announce()
}

export function keepProfile(profile: Profile): void {
  storeProfile(sessionStorage, profile)
  announce()
}

export function dropSession(): void {
  clearSession(sessionStorage)
  announce()
}

/** The session, or null if nobody is signed in; rerenders when it changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announce(): void {
  session = readSession(sessionStorage)
  for (const listener of listeners) listener()
}
