/**
 * Asks for the signed lines of bets that were just accepted, so that this device keeps them: one after another, however
 * many a player places, and again what was refused.
 */
import { Refusal } from '@sum28/contract/client.ts'
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'
import { retryAfterSeconds } from '#src/data/failure.ts'
import { KEPT_MAX, keepLine } from '#src/data/kept-lines.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { text } from '#src/i18n/text.ts'
import { showToast } from '#src/parts/toast-store.ts'

/** How long after a bet its line is asked for: the room's own news come first. */
const LATE_MS = 10_000

/** Between two lines. */
const PAUSE_MS = 500

/** After a line that did not come. */
const AGAIN_MS = 20_000

/** By then the round is settled, and nothing of it is kept any more. */
const TRIES_MAX = 10

type Due = { readonly orderNo: string; readonly userId: string | undefined; readonly tries: number }

let due: readonly Due[] = []
let isAsking = false

/** @param orderNo of a bet of the player who is signed in */
export function keepLineLater(orderNo: string): void {
  const userId = currentSession()?.userId
  setTimeout(() => {
    add({ orderNo, userId, tries: 0 })
    if (!isAsking) void askAll()
  }, LATE_MS)
}

/** Earlier ones would be pushed out of what the device keeps. */
function add(bet: Due): void {
  due = [...due, bet].slice(-KEPT_MAX)
}

async function askAll(): Promise<void> {
  isAsking = true
  for (let bet = due[0]; bet; bet = due[0]) {
    due = due.slice(1)
    const pauseMs = await askFor(bet)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  isAsking = false
}

/** @returns how long the next one waits, in milliseconds */
async function askFor({ orderNo, userId, tries }: Due): Promise<number> {
  if (userId === undefined || currentSession()?.userId !== userId) return 0
  const later = { orderNo, userId, tries: tries + 1 }
  try {
    const isSigned = await keepLine(await call(orderInfo, { orderNo }))
    if (isSigned === false) showToast(text('receipt.unsigned', { orderNo }))
    if (isSigned === null && later.tries < TRIES_MAX) add(later)
    return isSigned === null ? AGAIN_MS : PAUSE_MS
  } catch (error) {
    // Without its line a bet is as good as before.
    if (error instanceof Refusal && error.data.reason === 'not_found') return PAUSE_MS
    if (later.tries < TRIES_MAX) add(later)
    return Math.max(AGAIN_MS, (retryAfterSeconds(error) ?? 0) * 1_000)
  }
}
