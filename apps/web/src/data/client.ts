/** The API as this app calls it. A query that several screens share is in `data/`, any other in its screen. */
import { type CallOptions, type Client, createClient, Refusal } from '@sum28/contract/client.ts'
import { SESSION_ENDED_CODES } from '@sum28/contract/envelope.ts'
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { listenToServerClock } from '@sum28/ui/server-clock.ts'
import { lineBase } from '#src/data/lines.ts'
import { currentSession, dropSession, noteEnded, storedSession } from '#src/data/session-watch.ts'
import { currentLanguageChoice } from '#src/i18n/activate-language.ts'

const client = clientOf(lineBase)

/** A client of one address, with the session and the language of this app. */
export function clientOf(base: () => string): Client {
  return createClient({
    base,
    token: () => currentSession()?.token ?? null,
    // What the player has chosen, also before its texts are loaded.
    lang: () => currentLanguageChoice().locale,
    // Read with each call, so that a file which only imports this one needs no page.
    get host() {
      return location.host
    },
    listenToClock: listenToServerClock,
  })
}

/**
 * Sends one request and returns the reply's `data`. Rejects with `Refusal` or `Unreachable`. If the
 * reply says that the session has ended, drops the session, reloads the page and never settles, so
 * that nothing is shown before the reload. If its player has signed out meanwhile, rejects as a
 * cancelled action does: the next player must not see what the reply says.
 */
export const call: Client = async (route, request, options) => {
  const token = currentSession()?.token
  function rejectIfLate() {
    if (route.auth === 'none' || !token || currentSession()?.token === token) return
    throw new DOMException('the player has signed out', 'AbortError')
  }
  try {
    const reply = await client(route, request, options)
    rejectIfLate()
    return reply
  } catch (error) {
    rejectIfLate()
    if (!token || !endsSession(error, token)) throw error
    return new Promise<never>(() => {})
  }
}

/** The last action that ends the session, and the token of that session. */
let ending: { token: string; action: Promise<unknown> } | null = null

/**
 * Sends an action that ends the session if it succeeds; the screen decides what follows. The
 * replies of other calls that the session has ended do not reload the page then, whether they come
 * before the reply of the action or after it.
 *
 * @param options `isDone`: whether a refusal says that the action was done by an earlier try, whose
 *   reply was lost
 * @returns the reply's `data`; undefined if it was lost
 */
export async function callThatEndsSession<R extends Route>(
  route: R,
  request: RequestOf<R>,
  options: CallOptions & { isDone?: (refusal: Refusal) => boolean } = {},
): Promise<ReplyOf<R> | undefined> {
  const token = currentSession()?.token ?? ''
  const action = client(route, request, options).catch((error: unknown) => {
    if (error instanceof Refusal && options.isDone?.(error)) return undefined
    throw error
  })
  ending = { token, action }
  try {
    return await action
  } catch (error) {
    if (ending?.action === action) ending = null
    if (!endsSession(error, token)) throw error
    return new Promise<never>(() => {})
  }
}

/**
 * Whether an error says that the session of a token has ended. If so, drops the session and reloads
 * the page, unless an action of the player has ended it.
 */
export function endsSession(error: unknown, token: string): boolean {
  if (!(error instanceof Refusal) || !saysSessionEnded(error)) return false
  if (ending?.token === token) ending.action.catch(() => leaveSession(token))
  else leaveSession(token)
  return true
}

function saysSessionEnded({ code }: Refusal): boolean {
  return SESSION_ENDED_CODES.includes(code)
}

function leaveSession(token: string): void {
  // Another reply may have ended it already, or a new session may have begun meanwhile, also in another document.
  const session = storedSession()
  if (session?.token === token) {
    dropSession()
    noteEnded(session.userId)
  }
  location.reload()
}
