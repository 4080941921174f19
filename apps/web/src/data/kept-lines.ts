/**
 * The lines of the player's last bets with the signatures that came with them, so that no bet can be denied later, nor
 * shown as another. Signing out removes them: another person may use the device next.
 */
import { deviceStorage } from '@sum28/ui/storage.ts'
import type { Receipt } from '#src/data/receipt.ts'
import { KEPT_LINES } from '#src/data/session-watch.ts'

export const KEPT_MAX = 100

type KeptLine = {
  readonly leaf: string
  /** The note by which the log's key signed it. */
  readonly signed: string
}

/** Keeps the line of a bet that is not settled. What was kept first of it stays. */
export function keepLine({
  orderNo,
  settled_at,
  proof,
}: Pick<Receipt, 'orderNo' | 'settled_at' | 'proof'>): void {
  const kept = readLines()
  if (settled_at !== null || kept.has(orderNo)) return
  const { leaf, signed } = proof
  const last = [...kept, [orderNo, { leaf, signed }]].slice(-KEPT_MAX)
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
