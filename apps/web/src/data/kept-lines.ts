/**
 * The lines of the player's last bets with the signatures that came with them, so that no bet can be denied later, nor
 * shown as another. Signing out removes them: another person may use the device next.
 */
import { deviceStorage } from '@sum28/ui/storage.ts'
import { checkInWorker } from '#src/data/check-worker.ts'
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
  if (ok) store(orderNo, proof)
  return ok
}

function store(orderNo: string, { leaf, signed }: KeptLine): void {
  const kept = readLines().set(orderNo, { leaf, signed })
  const last = [...kept].slice(-KEPT_MAX)
  try {
    deviceStorage().setItem(KEPT_LINES, JSON.stringify(last))
  } catch {
    // There is no room on the device: then nothing is compared later.
  }
}

/** The line that this device kept of a bet; null if it kept none. */
export function keptLine(orderNo: string): KeptLine | null {
  return readLines().get(orderNo) ?? null
}

function readLines(): Map<string, KeptLine> {
  try {
    return new Map(JSON.parse(deviceStorage().getItem(KEPT_LINES) ?? '[]'))
  } catch {
    // What is kept there is not what this function keeps.
    return new Map()
  }
}
