/** The session of this tab: read, replaced, dropped and watched in one place. */
import type { Profile, Userinfo } from '@sum28/contract/replies.ts'
import { tabStorage } from '@sum28/ui/storage.ts'
import { createStore } from '@sum28/ui/store.ts'
import { useSyncExternalStore } from 'react'
import {
  clearSession,
  readSession,
  type Session,
  storeProfile,
  storeSession,
} from '#src/data/session-store.ts'

/** Where the device keeps the player whom it tells of his account while the app is closed (`data/push.ts`). */
export const PUSH_PLAYER = 'push-player'

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

/** Calls a listener after each change; returns a function that ends it. */
export const watchSession = session.subscribe

/** A field of the session, undefined without one; rerenders only when that field changes. */
export function useSession<Field extends keyof Session>(field: Field): Session[Field] | undefined {
  return useSyncExternalStore(session.subscribe, () => session.get()?.[field])
}

/** Whether there is a session; rerenders only when that changes. */
export function useSignedIn(): boolean {
  return useSession('token') !== undefined
}

/** Reads the session from the storage again. What is the same renders nobody. */
function reload(): void {
  const [before, now] = [session.get(), readSession(tabStorage())]
  const same = before && now && KEYS.every((key) => before[key] === now[key])
  if (!same) session.set(now)
}

const KEYS = ['token', 'userId', 'money', 'groupId'] as const satisfies (keyof Session)[]
