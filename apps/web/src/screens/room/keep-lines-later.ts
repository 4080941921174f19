/**
 * Asks for the signed lines of bets that were just accepted, so that this device keeps them: one after another, however
 * many a player places, and again what was refused. What is due when the page goes away is asked for by the next one.
 */
import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { deviceNow } from '@sum28/ui/server-clock.ts'
import { call } from '#src/data/client.ts'
import { retryAfterSeconds } from '#src/data/failure.ts'
import { dueLines, endDue, KEPT_MAX, keepDue, keepLine, keptLine } from '#src/data/kept-lines.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'
import { currentSession, watchSession } from '#src/data/session-watch.ts'
import { text } from '#src/i18n/text.ts'
import { showToast, toastStore } from '#src/parts/toast-store.ts'

/** How long after a bet its line is asked for: the room's own news come first. */
const LATE_MS = 10_000

/** Between two lines. */
const PAUSE_MS = 500

/** After a line that did not come. */
const AGAIN_MS = 20_000

/** Then the player is told that the device has no line. */
const TRIES_MAX = 10

/** For so long after a bet a server that cannot be reached counts as no try. */
const AWAY_MS = 3_600_000

type Due = {
  readonly orderNo: string
  /** When the bet was placed, by the device's clock. */
  readonly dueAt: number
  readonly tries: number
}

type Queue = {
  readonly userId: string | undefined
  due: readonly Due[]
  isAsking: boolean
}

/** Of the player who is signed in; another one's begins anew. */
let queue = queueOf(currentSession()?.userId)
watchSession(() => {
  const userId = currentSession()?.userId
  if (userId !== queue.userId) queue = queueOf(userId)
})

/** Begins with what was due when an earlier page or session of the player ended. */
function queueOf(userId: string | undefined): Queue {
  const own: Queue = { userId, due: [], isAsking: false }
  for (const bet of userId === undefined ? [] : dueLines(userId)) addLater(own, bet)
  return own
}

/** @param orderNo of a bet of the player who is signed in */
export function keepLineLater(orderNo: string): void {
  keepDue(orderNo)
  addLater(queue, { orderNo, dueAt: deviceNow() })
}

function addLater(own: Queue, { orderNo, dueAt }: Omit<Due, 'tries'>): void {
  setTimeout(() => {
    add(own, { orderNo, dueAt, tries: 0 })
    if (!own.isAsking) void askAll(own)
  }, LATE_MS)
}

/** Earlier ones would be pushed out of what the device keeps. */
function add(own: Queue, bet: Due): void {
  const others = own.due.filter(({ orderNo }) => orderNo !== bet.orderNo)
  own.due = [...others, bet].slice(-KEPT_MAX)
}

async function askAll(own: Queue): Promise<void> {
  own.isAsking = true
  for (let bet = own.due[0]; bet && own === queue; bet = own.due[0]) {
    own.due = own.due.slice(1)
    const pauseMs = await askFor(own, bet)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  own.isAsking = false
}

/** @returns how long the next one waits, in milliseconds */
async function askFor(own: Queue, bet: Due): Promise<number> {
  const { orderNo, dueAt } = bet
  const later = { orderNo, dueAt, tries: bet.tries + 1 }
  const isLast = later.tries >= TRIES_MAX
  try {
    const receipt = await call(orderInfo, { orderNo })
    const keeping = receipt.orderNo === orderNo ? await keepLine(receipt, true) : 'unsigned'
    if (own !== queue) return PAUSE_MS
    if (keeping === 'unsigned') giveUp(orderNo, 'receipt.unsigned')
    if (keeping === 'newLog') tellNewLog(orderNo)
    if (keeping === 'waits' && isLast) giveUp(orderNo, 'receipt.notKept')
    if (keeping !== 'waits' || isLast) return PAUSE_MS
    add(own, later)
    return AGAIN_MS
  } catch (error) {
    if (own !== queue) return PAUSE_MS
    const isUnknown = error instanceof Refusal && error.data.reason === 'not_found'
    const isAway = error instanceof Unreachable
    if (isUnknown || (isLast && !isAway)) giveUp(orderNo, 'receipt.notKept')
    else add(own, isAway ? afterAway(bet) : later)
    return isUnknown ? PAUSE_MS : Math.max(AGAIN_MS, (retryAfterSeconds(error) ?? 0) * 1_000)
  }
}

/** The bet to ask for again; the player is told when that has lasted, but by silence no line is given up. */
function afterAway(bet: Due): Due {
  const { orderNo, dueAt } = bet
  if (deviceNow() - dueAt < AWAY_MS) return bet
  // A page that was asleep for that time has hardly asked.
  const tries = bet.tries + 1
  if (tries < TRIES_MAX) return { orderNo, dueAt, tries }
  tell(orderNo, 'receipt.notKept')
  return { orderNo, dueAt: deviceNow(), tries: 0 }
}

type Words = 'receipt.unsigned' | 'receipt.notKept' | 'receipt.newLog'

function giveUp(orderNo: string, words: Words): void {
  endDue(orderNo)
  tell(orderNo, words)
}

/** How many bets a toast names. */
const NAMED_MAX = 3

/** The last toast about lines, with the bets of which it tells something. */
const told = { text: '', bets: new Map<Words, readonly string[]>() }

/**
 * Without its line a bet is as good as before, but nothing here proves that it was accepted. While a toast is shown the
 * next one tells what it has told, too.
 */
function tell(orderNo: string, words: Words): void {
  if (toastStore.get()?.text !== told.text) told.bets.clear()
  const others = told.bets.get(words) ?? []
  told.bets.set(words, [...others.filter((each) => each !== orderNo), orderNo])
  told.text = [...told.bets].map(([each, orderNos]) => textOf(each, orderNos)).join(' ')
  showToast(told.text, { stays: true })
}

function textOf(words: Words, orderNos: readonly string[]): string {
  const more = orderNos.length > NAMED_MAX ? ' …' : ''
  const orderNo = orderNos.slice(0, NAMED_MAX).join(' · ') + more
  return text(words, { count: orderNos.length, orderNo })
}

/** The names of logs that the player was told of. */
const TOLD = 'sum28-told-logs'

/** Of each log that is new to this device once: the check of the receipt shows its keys. */
export function tellNewLog(orderNo: string): void {
  const name = keptLine(orderNo)?.key?.split('+', 1)[0] ?? ''
  const told = readKept<true>(TOLD)
  if (told.has(name)) return
  storeKept(TOLD, [...told.set(name, true)])
  tell(orderNo, 'receipt.newLog')
}
