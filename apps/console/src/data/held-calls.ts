/**
 * Rejections are held for ten seconds before they are sent, so that they can be undone. They are held here and not by the
 * server, because a rejection returns the money at once, and a player who has staked it has nothing to give back: only a
 * rejection that nobody has heard of can be undone. So until it is sent all others, and other tabs, see that it
 * still waits, and may decide it; the server's lock lets one decision win, and the other is told by whom. If the page is
 * left, or the member signs out, it is sent at once. If it cannot be sent, it stays and says so, and the browser asks
 * before it closes the page. If the browser or the machine is killed, nothing was rejected, and the lists show it.
 */

import { confirmProposal, endProposal } from '@sum28/contract/staff-proposal-routes.ts'
import { decideIdentity } from '@sum28/contract/staff-protection-routes.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import { approveWithdrawal, rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { assignTransfer, dismissTransfer } from '@sum28/contract/staff-transfer-routes.ts'
import { createStore, useStore } from '@sum28/ui/store.ts'
import { call, newIdempotencyKey } from '#src/data/call.ts'
import { type Failure, failureOf } from '#src/data/failure.ts'
import { sessionOrNull } from '#src/data/session.ts'

const HELD_MS = 10_000

/** The calls that reject, each with the call that decides the opposite about the same subject. */
const REJECTIONS: ReadonlyMap<StaffRoute, StaffRoute> = new Map<StaffRoute, StaffRoute>([
  [rejectWithdrawal, approveWithdrawal],
  [dismissTransfer, assignTransfer],
  [endProposal, confirmProposal],
  // One call for both; the request says which.
  [decideIdentity, decideIdentity],
])

type Call<Shown> = {
  readonly route: StaffRoute
  readonly request: Readonly<Record<string, unknown>>
  /** What the console shows of it. */
  readonly shown: Shown
}

export type HeldCall<Shown = unknown> = Call<Shown> & {
  /** Its idempotency key: however often it is sent, it acts once. */
  readonly key: string
  /** The member who rejected; nobody else who signs in here sends it. */
  readonly by: string | undefined
  /** When it is sent, in milliseconds since 1970. */
  readonly until: number
  readonly state: 'held' | 'sending' | 'done' | 'failed'
  readonly failure?: Failure
}

const held = createStore<readonly HeldCall[]>([])

/** Whether a call rejects something, and is held. */
export function isRejection(route: StaffRoute, request: Readonly<Record<string, unknown>>) {
  return REJECTIONS.has(route) && (route !== decideIdentity || request.decision === 'reject')
}

/** Holds a call for ten seconds, and then sends it. */
export function hold<Shown>(rejection: Call<Shown>): void {
  const key = newIdempotencyKey()
  const by = sessionOrNull()?.name
  const until = Date.now() + HELD_MS
  held.set([...held.get(), { ...rejection, key, by, until, state: 'held' }])
  setTimeout(() => void sendIfHeld(key), HELD_MS)
}

/** At the end of the ten seconds: what was sent before, or taken back, is left alone. */
async function sendIfHeld(key: string): Promise<void> {
  if (held.get().some((each) => each.key === key && each.state === 'held')) await sendHeld(key)
}

/** What the signed-in member has rejected and is not sent, or not shown as sent, yet. */
export function useHeldCalls<Shown>(): readonly HeldCall<Shown>[] {
  const by = sessionOrNull()?.name
  return useStore(held).filter((each): each is HeldCall<Shown> => each.by === by)
}

/**
 * Whether a rejection of the same subject is held: then neither it nor its opposite is offered, which would overtake it.
 *
 * @param subject the request without what is typed: what the call decides about
 */
function isRejected(route: StaffRoute, subject: Readonly<Record<string, unknown>>) {
  const by = sessionOrNull()?.name
  const { decision: _, ...names } = subject
  return held
    .get()
    .filter((each) => each.by === by && [each.route, REJECTIONS.get(each.route)].includes(route))
    .some(({ request }) => Object.entries(names).every(([name, value]) => request[name] === value))
}

/** The same for a component, which is rendered again when it changes; called later, it knows what is held by then. */
export function useIsRejected(): typeof isRejected {
  useStore(held)
  return isRejected
}

/** Takes back what is not sent, or forgets what has ended. */
export function dropHeld(key: string): void {
  held.set(held.get().filter((each) => each.key !== key))
}

/** Sends what is held, or once more what failed. Its outcome is in its state. */
export async function sendHeld(key: string): Promise<void> {
  const found = held.get().find((each) => each.key === key)
  // Of a member whose session has ended meanwhile: it waits for him, and is never another's.
  if (!found || found.by !== sessionOrNull()?.name) return
  if (found.state === 'sending' || found.state === 'done') return
  const { failure: _, ...sent } = found
  change({ ...sent, state: 'sending' })
  try {
    await call(sent.route, sent.request as never, { idempotencyKey: key, keepalive: true })
    change({ ...sent, state: 'done' })
  } catch (error) {
    change({ ...sent, state: 'failed', failure: failureOf(error) })
  }
}

/** Sends at once all that is held. */
export async function sendAllHeld(): Promise<void> {
  const waiting = held.get().filter(({ state }) => state === 'held')
  await Promise.all(waiting.map(({ key }) => sendHeld(key)))
}

function change(to: HeldCall) {
  held.set(held.get().map((each) => (each.key === to.key ? to : each)))
}

// The browser sends these to their end, also without the page.
window.addEventListener('pagehide', () => void sendAllHeld())

window.addEventListener('beforeunload', (event) => {
  const unsent = held
    .get()
    .some(({ state, failure }) =>
      state === 'failed'
        ? failure?.reason === 'unreachable'
        : state !== 'done' && !navigator.onLine,
    )
  if (unsent) event.preventDefault()
})
