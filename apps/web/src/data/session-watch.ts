/** The session of this tab: read, replaced, dropped and watched in one place. */
import type { Profile, Userinfo } from '@sum28/contract/replies.ts'
import { tabStorage } from '@sum28/ui/storage.ts'
import { createStore, useStore } from '@sum28/ui/store.ts'
import {
  clearSession,
  readSession,
  type Session,
  storeProfile,
  storeSession,
} from '#src/data/session-store.ts'

const session = createStore<Session | null>(readSession(tabStorage()))

export function currentSession(): Session | null {
  return session.get()
}

export function beginSession(userinfo: Userinfo): void {
  storeSession(tabStorage(), userinfo)
  reload()
}

export function keepProfile(profile: Profile): void {
  storeProfile(tabStorage(), profile)
  reload()
}

export function dropSession(): void {
  clearSession(tabStorage())
  reload()
}

/** The session, or null; rerenders when it changes. */
export function useSession(): Session | null {
  return useStore(session)
}

/** Reads the session from the storage again. */
function reload(): void {
  session.set(readSession(tabStorage()))
}
