/**
 * The greatest state of the public log that this device has seen: a log that was begun anew, or that is another one, does
 * not go on from it.
 */
import { Refusal } from '@sum28/contract/client.ts'
import { logGrowth } from '@sum28/contract/fairness-routes.ts'
import type { LogState } from '@sum28/fairness/seen-log.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { call } from '#src/data/client.ts'

const NAME = 'sum28-log-state'

/**
 * Whether all these states, and the one that this device kept, are of one log that only grew; null if the proof could not
 * be fetched.
 *
 * @param known those that keys which this device trusts have signed, by the server's own answer: the greatest is kept
 */
export async function growthOf(
  shown: readonly LogState[],
  known: readonly LogState[],
): Promise<{ ok: boolean | null; kept: LogState | null }> {
  for (;;) {
    const kept = keptState()
    const ok = await isOneLog(bySize([...shown, ...(kept ? [kept] : [])]))
    // Another check has kept a later state meanwhile: these were not compared with that one.
    if (keptState()?.size !== kept?.size) continue
    const last = bySize([...known, ...(kept ? [kept] : [])]).at(-1)
    if (ok && last) keepState(last)
    return { ok, kept }
  }
}

function bySize(states: readonly LogState[]): LogState[] {
  return states.toSorted((one, other) => one.size - other.size)
}

/** Forgets the state: its person has compared the keys of another log. */
export function forgetState(): void {
  deviceStorage().removeItem(NAME)
}

/** @param states in the order of their sizes */
async function isOneLog(states: readonly LogState[]): Promise<boolean | null> {
  const roots = new Map(states.map(({ size, root }) => [size, root]))
  if (states.some(({ size, root }) => roots.get(size) !== root)) return false
  const sizes = [...roots.keys()]
  if (sizes.length < 2) return true
  try {
    const { proofs } = await call(logGrowth, { sizes: sizes.join(',') })
    // Loaded only when something is checked.
    const { isGrown } = await import('@sum28/fairness/merkle-tree.ts')
    const steps = [...roots].map(([size, root]) => ({ size, root }))
    return isGrown(steps, proofs)
  } catch (error) {
    // The house has no log of this size any more.
    const isGone = error instanceof Refusal && error.data.reason === 'not_found'
    return isGone ? false : null
  }
}

function keepState(state: LogState): void {
  try {
    const { size, root } = state
    deviceStorage().setItem(NAME, JSON.stringify({ size, root }))
  } catch {
    // There is no room on the device: then nothing is compared later.
  }
}

function keptState(): LogState | null {
  try {
    const { size, root } = JSON.parse(deviceStorage().getItem(NAME) ?? '')
    return Number.isSafeInteger(size) && typeof root === 'string' ? { size, root } : null
  } catch {
    // What is kept there is not what this function keeps.
    return null
  }
}
