/**
 * The lines of the player's last bets with the signatures that came with them, so that no bet can be denied later, nor
 * shown as another; and the last bets whose lines are due. Signing out, closing the account and another player's login
 * remove them.
 */
import { deviceNow, serverNow } from '@sum28/ui/server-clock.ts'
import { type CheckStepName, checkInWorker } from '#src/data/check-worker.ts'
import { keepKeys, trustedKeys } from '#src/data/kept-keys.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'
import type { Receipt } from '#src/data/receipt.ts'
import { currentSession, KEPT_LINES } from '#src/data/session-watch.ts'

/** Of the lines, and of the bets whose lines are due. */
export const KEPT_MAX = 100

type KeptLine = {
  readonly leaf: string
  /** The note by which the log's key signed it. */
  readonly signed: string
  /** The number of the player who was signed in. */
  readonly of: string | undefined
  /** The key that signed it, if the device knew none of a log of its name: a line `log <verifier key>`. */
  readonly key?: string | undefined
}

/** In place of a line that this device is to ask for. */
type DueLine = Pick<KeptLine, 'of'> & {
  /** When the bet was placed, by the device's clock. */
  readonly dueAt: number
}

/**
 * - `kept`: this device has the line, with the signature of a log's key that it trusts.
 * - `newLog`: this device has the line, signed by a key of a log whose name it does not know, as after a restore.
 * - `unsigned`: the line is not of this bet and player, or no such key has signed it.
 * - `waits`: that cannot be said yet, because the log does not show the round, or the device has no room.
 * - `late`: the round is over, and its line would push out one that is needed more.
 */
export type Keeping = 'kept' | 'newLog' | 'unsigned' | 'waits' | 'late'

/**
 * Keeps the line of a bet of the player who is signed in. What was kept first of it stays.
 *
 * @param isNew whether it was just placed: then its line is kept after its round too
 */
export async function keepLine(receipt: Receipt, isNew = false): Promise<Keeping> {
  const { orderNo, proof } = receipt
  const of = currentSession()?.userId
  const before = keepingOf(orderNo)
  if (before) return before
  // That it is settled, as the reply may say, ends no round.
  if (!isNew && proof.ends_at * 1_000 <= serverNow()) return 'late'
  const signer = await signerOf(receipt, of)
  if (signer === 'nobody') return 'unsigned'
  // Meanwhile he may have signed out, or another player in.
  if (signer && currentSession()?.userId === of) {
    const { key } = signer
    const line: KeptLine = { leaf: proof.leaf, signed: proof.signed, of, ...(key && { key }) }
    storeLines(readLines().set(orderNo, line))
  }
  return keepingOf(orderNo) ?? 'waits'
}

/** Keeps that the line of a bet of the player who is signed in is due, until it is kept or no longer due. */
export function keepDue(orderNo: string): void {
  const kept = readLines()
  const due: DueLine = { of: currentSession()?.userId, dueAt: deviceNow() }
  if (!kept.has(orderNo)) storeLines(kept.set(orderNo, due))
}

export function endDue(orderNo: string): void {
  const kept = readLines()
  if (isLine(kept.get(orderNo))) return
  kept.delete(orderNo)
  storeLines(kept)
}

/** A player's bets whose lines are due. */
export function dueLines(userId: string): { orderNo: string; dueAt: number }[] {
  return [...readLines()].flatMap(([orderNo, bet]) =>
    isLine(bet) || bet.of !== userId ? [] : [{ orderNo, dueAt: bet.dueAt }],
  )
}

function readLines(): Map<string, KeptLine | DueLine> {
  return readKept(KEPT_LINES)
}

/** A bet whose line is due pushes out no line. */
function storeLines(kept: ReadonlyMap<string, KeptLine | DueLine>): void {
  const lines = [...kept].filter(([, bet]) => isLine(bet))
  const due = [...kept].filter(([, bet]) => !isLine(bet))
  storeKept(KEPT_LINES, [...lines.slice(-KEPT_MAX), ...due.slice(-KEPT_MAX)])
}

function isLine(bet: KeptLine | DueLine | undefined): bet is KeptLine {
  return bet !== undefined && 'leaf' in bet
}

function keepingOf(orderNo: string): Keeping | null {
  const line = keptLine(orderNo)
  if (!line) return null
  return line.key === undefined || trustedKeys().includes(line.key) ? 'kept' : 'newLog'
}

/**
 * Whether a trusted key signed the line of this bet for this player; null if no key of the log is shown, or kept.
 *
 * @returns with the key that signed it, if none is trusted of a log of this name: nobody could have kept one of a log that
 *   was begun anew
 */
async function signerOf(
  receipt: Receipt,
  of: string | undefined,
): Promise<{ key: string | undefined } | 'nobody' | null> {
  const { proof } = receipt
  const { log } = await checkInWorker({ round: proof, receipt, published: proof })
  if (!proof.log || !log?.told) return null
  keepKeys(log.told.named, log.told.changes)
  const trusted = trustedKeys().filter((key) => key.startsWith('log '))
  if (trusted.length === 0) return null
  // A log's state has its name in its first line.
  const ofName = `log ${proof.log.checkpoint.split('\n', 1)[0]}+`
  const isKnown = trusted.some((key) => key.startsWith(ofName))
  const [state] = log.told.states
  const key = isKnown ? undefined : state?.signers.find((each) => each.startsWith(ofName))
  // The keys that the reply itself names would judge themselves.
  const keys = (key === undefined ? trusted : [key]).map((each) => each.slice('log '.length))
  const byTrusted = { ...proof, log: { ...proof.log, keys } }
  const { steps } = await checkInWorker({ round: byTrusted, receipt })
  const holds = (step: CheckStepName) => steps.find(({ name }) => name === step)?.ok ?? false
  const isIts = holds('receipt-signature') && holds('receipt-order')
  return isIts && String(proof.player_id) === of ? { key } : 'nobody'
}

/** The odds in thousandths, one for each selection, that the kept lines state, by order number. */
export function keptOdds(): ReadonlyMap<string, readonly number[]> {
  const odds = new Map<string, readonly number[]>()
  for (const [orderNo, bet] of readLines()) {
    if (!isLine(bet)) continue
    // The form of `bookLeaf`, whose file would bring hashes and curves along.
    const [version, , , , milli] = bet.leaf.split('|')
    if (version === '2' && milli) odds.set(orderNo, milli.split(',').map(Number))
  }
  return odds
}

/** The line that this device kept of a bet; null if it kept none. */
export function keptLine(orderNo: string): KeptLine | null {
  const bet = readLines().get(orderNo)
  return isLine(bet) ? bet : null
}
