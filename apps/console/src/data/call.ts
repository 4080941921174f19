/** The only access to the API: the contract's client, with the session in a cookie that scripts cannot read. */
import {
  type Client,
  createClient,
  newIdempotencyKey,
  Refusal,
  Unreachable,
} from '@sum28/contract/client.ts'
import { CODES, SESSION_ENDED_CODES } from '@sum28/contract/envelope.ts'
import { keyedActions } from '@sum28/contract/keyed-actions.ts'
import { listenToServerClock } from '@sum28/ui/server-clock.ts'

/** The headers that the server knows; see its `serve-calls.ts`. */
const UNATTENDED = 'X-Unattended'
const SHOWN_MEMBER = 'X-Shown-Member'

let shownMember: string | null = null

/** Whom the console shows: no call is made as another, who has signed in in another tab. */
export function callAs(member: string | null): void {
  shownMember = member
}

/** The headers of a request, and those that say of this tab whom it shows and whether somebody uses it. */
export function withTabHeaders(given?: HeadersInit): Headers {
  const headers = new Headers(given)
  if (!isUserActive()) headers.set(UNATTENDED, '1')
  if (shownMember !== null) headers.set(SHOWN_MEMBER, shownMember)
  return headers
}

/**
 * Sends one request of the contract and returns the reply's data.
 *
 * @throws Refusal when the server refused, Unreachable when no answer came
 */
export const call: Client = createClient({
  base: () => '',
  token: () => null,
  lang: () => 'en',
  host: window.location.host,
  listenToClock: listenToServerClock,
  fetch: (input, init) => fetch(input, { ...init, headers: withTabHeaders(init?.headers) }),
})

export { keyedActions, newIdempotencyKey, Refusal, Unreachable }

/** Whether the server's reply says that the session has ended. */
export function isSessionEnd(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    (error.code === CODES.tokenMissing || SESSION_ENDED_CODES.includes(error.code))
  )
}

/** Whether another member than the shown one has signed in, in another tab. */
export function isOfAnother(error: unknown): boolean {
  return error instanceof Refusal && error.data.cause === 'another_member'
}

/** After this time without a key, a click or a scroll, a call counts as automatic. */
const ACTIVE_MS = 60_000

let lastInputAt = Date.now()

for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
  window.addEventListener(
    kind,
    () => {
      lastInputAt = Date.now()
    },
    { capture: true, passive: true },
  )
}

/** Whether the user pressed, typed or scrolled within the last minute. */
function isUserActive(now = Date.now()): boolean {
  return now - lastInputAt < ACTIVE_MS
}
