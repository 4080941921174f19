/** That a count of what a house owes stands in its public log, as the player's own branch leads to it. */

import { type CheckStep, compare } from './check-step.ts'
import { UNLOGGED_MAX_S } from './log-times.ts'
import {
  checkLog,
  compareEntry,
  keysOf,
  type LoggedEntry,
  rootOfEntry,
  type ShownLog,
  type TrustedKeys,
} from './logged-entry.ts'
import type { OwedCount } from './sum-tree.ts'

/** The part of a proof that shows what the log has of its count. */
export interface OwedLog extends ShownLog {
  readonly entry: LoggedEntry
}

export type DatedCount = OwedCount & {
  /** In unix seconds. */
  readonly counted_at: number
}

/**
 * The count is of the last day; the log's entry says of it what the file says; its path leads to the log's root; the
 * log's key signed that root; a witness signed it, or each that the reader names. `logged`: the file shows no log.
 */
export type OwedLogStep = CheckStep<
  'recent' | 'log-entry' | 'log-path' | 'log-signature' | 'witness' | 'logged'
>

/** A count comes once a day, and so do the returns; two hours more are not told. Seconds. */
export const DAILY_S = 26 * 3_600

/** How far the clock of a house may be ahead of the reader's, in seconds. */
const AHEAD_MAX_S = 600

/** Whether a count is of the last day: an older one says nothing of what is owed now. @param now as of `verifyOwedLog` */
export function recentStep(
  { counted_at }: Pick<DatedCount, 'counted_at'>,
  now: number,
): OwedLogStep {
  const age = now - counted_at
  return {
    name: 'recent',
    ok: age >= -AHEAD_MAX_S && age <= DAILY_S,
    computed: String(now),
    published: String(counted_at),
  }
}

/**
 * Checks a count against the log. A step without a result (null) is not proved: no witness has signed, or the count is
 * too young to be in the log. Never throws.
 *
 * @param now by the reader's own clock, which the house cannot set, in unix seconds
 */
export function verifyOwedLog({
  count,
  log,
  now,
  trusted = {},
}: {
  count: DatedCount
  log: OwedLog | null
  now: number
  trusted?: TrustedKeys
}): OwedLogStep[] {
  if (!log) {
    const young = Math.abs(now - count.counted_at) < UNLOGGED_MAX_S
    const published = String(count.counted_at)
    return [{ name: 'logged', ok: young ? null : false, computed: null, published }]
  }
  const keys = keysOf(log, trusted, count.counted_at)
  const { origin, size, root, signer, finalAt } = checkLog(log, keys)
  const { number, counted_at, size: places, root: top, total } = count
  const fields = { count: number, counted_at, size: places, root: top, total }
  const seenAt = finalAt === null ? null : String(finalAt)
  return [
    recentStep(count, now),
    { name: 'log-entry', ...compareEntry(log.entry, { kind: 'liabilities', fields }) },
    compare('log-path', { computed: rootOfEntry(log.entry, size), published: root }),
    compare('log-signature', { computed: signer, published: origin }),
    { name: 'witness', ok: seenAt === null ? null : true, computed: seenAt, published: null },
  ]
}
