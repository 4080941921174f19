import { newIdempotencyKey, Refusal } from '@sum28/contract/client.ts'
import type { Userinfo } from '@sum28/contract/replies.ts'
import * as routes from '@sum28/contract/user-routes.ts'
import { deviceStorage, tabStorage } from '@sum28/ui/storage.ts'
import { callThatEndsSession, clientOf } from '#src/data/client.ts'
import { configQuery } from '#src/data/config.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'
import { lineBase } from '#src/data/lines.ts'
import { forgetTappedGame } from '#src/data/newcomer.ts'
import { queryClient } from '#src/data/query-client.ts'
import { LEFT, remember, remembered } from '#src/data/remembered.ts'
import {
  beginSession,
  currentSession,
  dropSession,
  ENDED,
  KEPT_LINES,
  noteEnded,
  PUSH_PLAYER,
} from '#src/data/session-watch.ts'
import { watchReturn } from '#src/data/watch-return.ts'

/**
 * Signs out. This device drops the session at once; if the server cannot be reached, the token
 * expires after half an hour, and a remembered device is ended when it can be reached again.
 */
export function signOut(): void {
  const session = currentSession()
  const other = otherRemembered()
  // First: the server ends the cookie of no device whose mark names a player, who may have signed in since.
  if (remembered().device && other === undefined) remember({ device: LEFT })
  if (session) {
    forgetTappedGame()
    leaving = new AbortController()
    const { signal } = leaving
    callThatEndsSession(routes.logout, {}, { signal }).then(
      () => {
        // Another line does not get the cookie.
        if (lineBase() === '') dropLeftMark()
      },
      () => {
        if (signal.aborted) leaveWithoutCookie(session.token)
      },
    )
  }
  endSession()
  if (!session) restoreSession()
  dropKeptLines(other)
  pushFollowsSession(other)
}

/** The number of the player whom the device remembers, if another one is signed in in this tab. */
export function otherRemembered(): string | undefined {
  const { device } = remembered()
  const userId = currentSession()?.userId
  return userId && device > 0 && userId !== String(device) ? String(device) : undefined
}

/** Ends a session and its remembered device by the token alone: the reply can drop no cookie of another player. */
function leaveWithoutCookie(token: string): void {
  fetch(lineBase() + routes.logout.path, {
    method: 'POST',
    credentials: 'omit',
    headers: { Token: token, 'Content-Type': 'application/json' },
    body: '{}',
  }).catch(() => {})
}

/** Once the server has ended the cookie, unless another player is remembered by now. */
function dropLeftMark(): void {
  if (remembered().device === LEFT) remember({ device: 0 })
}

/** Removes the signed lines of bets that this device keeps. @param besides the number of a player who keeps his */
export function dropKeptLines(besides?: string): void {
  const lines = [...readKept<{ of?: string }>(KEPT_LINES)]
  const left = lines.filter(([, { of }]) => besides !== undefined && of === besides)
  if (left.length === 0) deviceStorage().removeItem(KEPT_LINES)
  else if (left.length < lines.length) storeKept(KEPT_LINES, left)
}

/** Ends the session on this device, with what the page has fetched for its player, and with what waits to be sent. */
export function endSession(): void {
  leftAlone = Number(otherRemembered() ?? 0)
  dropSession()
  endSignIns()
  queryClient.getMutationCache().clear()
  // The configuration is everybody's, and each screen watches it.
  queryClient.removeQueries({
    predicate: ({ queryKey }) => queryKey !== configQuery.queryKey,
  })
}

/**
 * Where the device tells a player of his account while the app is closed: keeps that up, or ends it if another player or
 * nobody is signed in.
 *
 * @param besides the number of a player who keeps it
 */
export async function pushFollowsSession(besides?: string): Promise<void> {
  const player = deviceStorage().getItem(PUSH_PLAYER)
  if (player === null || player === besides) return
  try {
    await (await import('#src/data/push.ts')).followSession()
  } catch {
    // Offline, or without a push service: the next start tries again.
  }
}

export type Restored = 'restored' | 'refused' | 'unreachable'

let restoring: Promise<Restored> | null = null

/** Ends the sign-ins that are under way, so that no late reply sets a cookie in place of a newer one. */
let signingIn = new AbortController()

/** Ends a sign-in as soon as there is another one, or the player signs out. */
export const signInSignal = (): AbortSignal => signingIn.signal

function endSignIns(): void {
  signingIn.abort()
  signingIn = new AbortController()
}

/** Ends a logout that is under way, so that its late reply drops no cookie of a player who is remembered since. */
let leaving: AbortController | null = null

/** The page's own address, whatever the line: the cookie of a remembered device is sent to no other. */
const call = clientOf(() => '')

/** The key of a refresh that has no answer yet. */
const REFRESH_KEY = 'sum28-refresh'

/** After this time, whoever has chosen another line waits no longer for the page's own address. */
const OWN_ADDRESS_MS = 2_000

/**
 * Gets a session for a remembered device. Several callers share one attempt. Over another line it is soon `unreachable`,
 * though the attempt goes on: the page's own address may be silent, which is why that line was chosen.
 */
export function restoreSession(): Promise<Restored> {
  restoring ??= oneTabAtATime(restore).finally(() => {
    restoring = null
  })
  if (lineBase() === '') return restoring
  const enough = new Promise<Restored>((done) => {
    setTimeout(done, OWN_ADDRESS_MS, 'unreachable')
  })
  return Promise.race([restoring, enough])
}

/**
 * The number of the player whom the device remembered when another one left this page; 0 if there is none. His session
 * does not begin where the other was, before the page is loaded again or somebody logs in.
 */
let leftAlone = 0

/** Whether a remembered device may get a session in this tab. */
export function canRestore(): boolean {
  return !currentSession() && remembered().device > 0 && !remembersAnother()
}

/** Whether the device remembers another player than the one whose session has ended in this tab, where his screen is. */
export function remembersAnother(): boolean {
  const { device } = remembered()
  const ended = Number(tabStorage().getItem(ENDED))
  return device > 0 && (device === leftAlone || (ended > 0 && device !== ended))
}

/**
 * Gets a session for a remembered device now, or ends the cookie if its player has left; and if the server cannot be
 * reached, when the device is online again or the page is shown again. Returns a function that ends it.
 */
export function keepRestoring(): () => void {
  restoreSession()
  return watchReturn(restoreSession)
}

async function restore(): Promise<Restored> {
  if (canRestore()) {
    const signal = signInSignal()
    const storage = deviceStorage()
    // A try whose answer was lost has used the cookie up: with the key of that try, in any tab, it counts once more.
    const idempotencyKey = storage.getItem(REFRESH_KEY) ?? newIdempotencyKey()
    try {
      storage.setItem(REFRESH_KEY, idempotencyKey)
      const { userinfo } = await call(routes.refresh, {}, { signal, idempotencyKey })
      storage.removeItem(REFRESH_KEY)
      // Meanwhile another player may have signed in, or this one out.
      if (canRestore()) enter(userinfo, {})
    } catch (error) {
      const refused = error instanceof Refusal && (error.code === 401 || error.code >= 50_000)
      if (refused) storage.removeItem(REFRESH_KEY)
      if (canRestore() && !refused) return 'unreachable'
      // The refusal has dropped the mark already. Who signed in or out meanwhile has ended this try.
      if (refused && !currentSession() && !signal.aborted) {
        remember({ device: 0 })
        noteEnded()
      }
    }
  }
  // A call of another session would end that.
  if (!currentSession() && remembered().device === LEFT) {
    await call(routes.logout, {}, { signal: signInSignal() }).then(dropLeftMark, () => {})
  }
  return currentSession() ? 'restored' : 'refused'
}

/** How long a tab waits for another one: a phone may have suspended that. */
const OTHER_TAB_MS = 10_000

/**
 * The cookie can be used once: two tabs that start together must not use it twice. Later it can be used with the key of
 * the other tab's try.
 */
function oneTabAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!navigator.locks) return work()
  const signal = AbortSignal.timeout(OTHER_TAB_MS)
  return navigator.locks.request('sum28-restore', { signal }, work).catch(work)
}

/**
 * Begins the session of a reply, and keeps what this device is to remember.
 *
 * @param remembers `username`: null if nothing; absent if the device remembers the player already
 */
export function enter(userinfo: Userinfo, { username }: { username?: string | null }): void {
  const { device } = remembered()
  // A line that does not offer to remember him takes nothing away.
  const isKept = lineBase() !== '' && (device === 0 || device === userinfo.user_id)
  if (username === null && isKept) username = undefined
  const isOwn = device === userinfo.user_id || !remembersAnother()
  const leaves = username === null && device && isOwn
  // What the page fetched without a session is everybody's, and an open screen may still be loading it.
  if (currentSession()) endSession()
  beginSession(userinfo)
  leftAlone = 0
  remember({ username, device: leaves ? LEFT : undefined })
  dropKeptLines(String(userinfo.user_id))
  endSignIns()
  if (username !== null) leaving?.abort()
  pushFollowsSession()
}

/** In place of {@link enter}, where the player has left before the reply came: the device remembers him no more. */
export function enterNoMore({ user_id }: Userinfo): void {
  if (remembered().device !== user_id) return
  remember({ device: LEFT })
  restoreSession()
}
