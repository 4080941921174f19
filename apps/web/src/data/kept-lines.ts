/**
 * The lines of the player's last bets with the signatures that came with them, so that no bet can be denied later, nor
 * shown as another. Signing out, closing the account and another player's login remove them.
 */
import { checkInWorker } from '#src/data/check-worker.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'
import type { Receipt } from '#src/data/receipt.ts'
import { currentSession, KEPT_LINES } from '#src/data/session-watch.ts'

export const KEPT_MAX = 100

type KeptLine = {
  readonly leaf: string
  /** The note by which the log's key signed it. */
  readonly signed: string
  /** The number of the player who was signed in. */
  readonly of: string | undefined
}

/**
 * Keeps the line of a bet that is not settled, if it is signed. What was kept first of it stays.
 *
 * @returns whether it is signed; null if that cannot be said yet, because the log does not show the round
 */
export async function keepLine(receipt: Receipt): Promise<boolean | null> {
  const { orderNo, settled_at, proof } = receipt
  const of = currentSession()?.userId
  if (settled_at !== null || keptLine(orderNo)) return true
  const { steps } = await checkInWorker({ round: proof, receipt })
  const ok = steps.find(({ name }) => name === 'receipt-signature')?.ok ?? null
  // Meanwhile he may have signed out, or another player in.
  if (ok && currentSession()?.userId === of) {
    const kept = readKept<KeptLine>(KEPT_LINES).set(orderNo, {
      leaf: proof.leaf,
      signed: proof.signed,
      of,
    })
    storeKept(KEPT_LINES, [...kept].slice(-KEPT_MAX))
  }
  return ok
}

/** The odds in thousandths, one for each selection, that the kept lines state, by order number. */
export function keptOdds(): ReadonlyMap<string, readonly number[]> {
  const odds = new Map<string, readonly number[]>()
  for (const [orderNo, { leaf }] of readKept<KeptLine>(KEPT_LINES)) {
    // The form of `bookLeaf`, whose file would bring hashes and curves along.
    const [version, , , , milli] = leaf.split('|')
    if (version === '2' && milli) odds.set(orderNo, milli.split(',').map(Number))
  }
  return odds
}

/** The line that this device kept of a bet; null if it kept none. */
export function keptLine(orderNo: string): KeptLine | null {
  return readKept<KeptLine>(KEPT_LINES).get(orderNo) ?? null
}
