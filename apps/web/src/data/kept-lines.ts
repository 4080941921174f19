/**
 * The lines of the player's last bets with the signatures that came with them, so that no bet can be denied later, nor
 * shown as another. Signing out removes them: another person may use the device next.
 */
import { checkInWorker } from '#src/data/check-worker.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'
import type { Receipt } from '#src/data/receipt.ts'
import { KEPT_LINES } from '#src/data/session-watch.ts'

export const KEPT_MAX = 100

type KeptLine = {
  readonly leaf: string
  /** The note by which the log's key signed it. */
  readonly signed: string
}

/**
 * Keeps the line of a bet that is not settled, if it is signed. What was kept first of it stays.
 *
 * @returns whether it is signed; null if that cannot be said yet, because the log does not show the round
 */
export async function keepLine(receipt: Receipt): Promise<boolean | null> {
  const { orderNo, settled_at, proof } = receipt
  if (settled_at !== null || keptLine(orderNo)) return true
  const { steps } = await checkInWorker({ round: proof, receipt })
  const ok = steps.find(({ name }) => name === 'receipt-signature')?.ok ?? null
  if (ok) {
    const kept = readKept<KeptLine>(KEPT_LINES).set(orderNo, {
      leaf: proof.leaf,
      signed: proof.signed,
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
