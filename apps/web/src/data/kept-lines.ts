/**
 * The lines of the player's last bets with the signatures that came with them, so that no bet can be denied later, nor
 * shown as another. Signing out, closing the account and another player's login remove them.
 */
import { serverNow } from '@sum28/ui/server-clock.ts'
import { type CheckStepName, checkInWorker } from '#src/data/check-worker.ts'
import { keepKeys, trustedKeys } from '#src/data/kept-keys.ts'
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
 * - `kept`: this device has the line, with the signature of a log's key that it trusts.
 * - `unsigned`: the line is not of this bet and player, or no such key has signed it.
 * - `waits`: that cannot be said yet, because the log does not show the round, or the device has no room.
 * - `late`: the round is over, and its line would push out one that is needed more.
 */
export type Keeping = 'kept' | 'unsigned' | 'waits' | 'late'

/**
 * Keeps the line of a bet of the player who is signed in. What was kept first of it stays.
 *
 * @param isNew whether it was just placed: then its line is kept after its round too
 */
export async function keepLine(receipt: Receipt, isNew = false): Promise<Keeping> {
  const { orderNo, proof } = receipt
  const of = currentSession()?.userId
  if (keptLine(orderNo)) return 'kept'
  // That it is settled, as the reply may say, ends no round.
  if (!isNew && proof.ends_at * 1_000 <= serverNow()) return 'late'
  const ok = await isSigned(receipt, of)
  if (ok === false) return 'unsigned'
  // Meanwhile he may have signed out, or another player in.
  if (ok && currentSession()?.userId === of) {
    const kept = readKept<KeptLine>(KEPT_LINES).set(orderNo, {
      leaf: proof.leaf,
      signed: proof.signed,
      of,
    })
    storeKept(KEPT_LINES, [...kept].slice(-KEPT_MAX))
  }
  return keptLine(orderNo) ? 'kept' : 'waits'
}

/** Whether a trusted key signed the line of this bet for this player; null if no key of the log is shown, or kept. */
async function isSigned(receipt: Receipt, of: string | undefined): Promise<boolean | null> {
  const { proof } = receipt
  const { log } = await checkInWorker({ round: proof, receipt, published: proof })
  if (!proof.log || !log?.told) return null
  keepKeys(log.told.named, log.told.changes)
  const keys = trustedKeys().flatMap((key) => (key.startsWith('log ') ? key.slice(4) : []))
  if (keys.length === 0) return null
  // The keys that the reply itself names would judge themselves.
  const byTrusted = { ...proof, log: { ...proof.log, keys } }
  const { steps } = await checkInWorker({ round: byTrusted, receipt })
  const holds = (step: CheckStepName) => steps.find(({ name }) => name === step)?.ok ?? false
  return holds('receipt-signature') && holds('receipt-order') && String(proof.player_id) === of
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
