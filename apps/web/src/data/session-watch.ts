/** The session of this tab: read, replaced, dropped and watched in one place. */
import type { Profile, Userinfo } from '@sum28/contract/replies.ts'
import { tabStorage } from '@sum28/ui/storage.ts'
import { createStore } from '@sum28/ui/store.ts'
import { useSyncExternalStore } from 'react'

/** Where the device keeps the player whom it tells of his account while the app is closed (`data/push.ts`). */
export const PUSH_PLAYER = 'push-player'

/** Where the device keeps the signed lines of the player's bets (`data/kept-lines.ts`). */
export const KEPT_LINES = 'sum28-kept-lines'

const session = createStore<Session | null>(storedSession())

export function currentSession(): Session | null {
  return session.get()
}

/**
 * The session that the tab has. It is not this page's if the page was in the back/forward cache while another document of
 * the tab began or ended one.
 */
export function storedSession(): Session | null {
  const storage = tabStorage()
  const token = storage.getItem('token')
  if (!token) return null
  return {
    token,
    userId: storage.getItem('userId') ?? '',
    money: storage.getItem('money') ?? '0.00',
    groupId: storage.getItem('group_id') ?? '',
  }
}

function isOfTab(): boolean {
  return storedSession()?.token === currentSession()?.token
}

/**
 * Loads the page again if it comes out of the back/forward cache without the session of the tab. Returns a function that
 * ends this.
 */
export function watchTabSession(): () => void {
  const ended = new AbortController()
  const onShow = (event: PageTransitionEvent) => {
    if (!event.persisted || isOfTab()) return
    // The other listeners would connect with the old session.
    event.stopImmediatePropagation()
    location.reload()
  }
  window.addEventListener('pageshow', onShow, { capture: true, signal: ended.signal })
  return () => ended.abort()
}

/** Keeps the session of a sign-in's reply in place of any session before it. */
export function beginSession(userinfo: Userinfo): void {
  clear()
  const storage = tabStorage()
  storage.setItem('token', userinfo.token)
  storage.setItem('userId', String(userinfo.user_id))
  storage.setItem('id', String(userinfo.id))
  storage.setItem('money', userinfo.money)
  storage.setItem('group_id', String(userinfo.group_id))
  reload()
}

/** Updates the session from the profile. Does nothing without one, or if the tab has another one. */
export function keepProfile(profile: Profile): void {
  if (!currentSession() || !isOfTab()) return
  const storage = tabStorage()
  storage.setItem('money', profile.money)
  storage.setItem('group_id', String(profile.group_id))
  storage.setItem('idcard', profile.idcard)
  storage.setItem('avatar', profile.avatar)
  reload()
}

export function dropSession(): void {
  clear()
  reload()
}

/** The player whose session was ended, though not by himself, until the login has said so; empty if he is not known. */
export const ENDED = 'ended'

/** @param userId without it, whose was noted before, if anybody's */
export function noteEnded(userId = tabStorage().getItem(ENDED) ?? ''): void {
  tabStorage().setItem(ENDED, userId)
}

/** A screen that needs a login, and the player who was there, as the entry of the login in the browser's history. */
export type PlaceBefore = { from?: string; of?: string | null }

/** The present place, for the login to lead back to. */
export function placeBefore({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): PlaceBefore {
  return { from: pathname + search, of: tabStorage().getItem(ENDED) }
}

/** Calls a listener after each change; returns a function that ends it. */
export const watchSession = session.subscribe

/** A field of the session, undefined without one; rerenders only when that field changes. */
export function useSession<Field extends keyof Session>(field: Field): Session[Field] | undefined {
  return useSyncExternalStore(session.subscribe, () => session.get()?.[field])
}

export function useSignedIn(): boolean {
  return useSession('token') !== undefined
}

/** Reads the session from the storage again. */
function reload(): void {
  session.set(storedSession())
}

export type Session = {
  readonly token: string
  readonly userId: string
  /** The last known balance, in wire form; screens fetch the present one. */
  readonly money: string
  /** 1 is a member, anything else a visitor. */
  readonly groupId: string
}

/** As the browser keeps it, in session storage. (`activeList`, the line, is the tab's and outlives a session.) */
const KEYS = ['token', 'userId', 'id', 'money', 'group_id', 'idcard', 'avatar', ENDED] as const

function clear(): void {
  for (const key of KEYS) tabStorage().removeItem(key)
}
