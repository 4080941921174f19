/**
 * Measures the lag of a replica. Once a second it asks the primary for its log position, and then the replica for the
 * position that it has replayed. A replica that has replayed all of the primary's log of an instant knows everything
 * committed before it. Only this process's own clock is used. A replica that has lost its primary appears to fall
 * behind as soon as the primary writes.
 */
import type { Queryable } from './database.ts'

/** A log position of the primary, which it had reached at this instant at the latest. */
type Mark = { readonly askedAt: number; readonly end: bigint }

/** There is one mark a second. A replica that is further behind will not be used soon. */
const MARKS_MAX = 600

export type ReplicaWatch = {
  /** Compares replica and primary once; never rejects. */
  look(): Promise<void>
  /** The greatest age of the replica's answers now, in milliseconds; null while unknown. */
  lagMs(): number | null
  /** Whether it may be read: it answers, is a replica, and its lag is within the bound. */
  isUsable(): boolean
  /** Reports a failed read: the replica is not used until it has answered `look` again. */
  leaveOut(): void
}

/**
 * @param primary a pool that requests cannot fill up, so that it always answers; the same holds for `replica`
 * @param lagMaxMs the bound: answers are never older
 * @param now a monotonic clock in milliseconds
 */
export function replicaWatch(deps: {
  primary: Queryable
  replica: Queryable
  lagMaxMs: number
  now?: () => number
}): ReplicaWatch {
  const { primary, replica, lagMaxMs, now = () => performance.now() } = deps
  let marks: Mark[] = []
  /** The latest instant before which the replica knows everything. */
  let knowsUntil: number | null = null
  let answers = false

  function note(replayed: bigint | null): void {
    answers = replayed !== null
    if (replayed === null) {
      knowsUntil = null
      return
    }
    const reached = marks.findLast(({ end }) => end <= replayed)
    if (!reached) return
    knowsUntil = reached.askedAt
    marks = marks.filter(({ askedAt }) => askedAt > reached.askedAt)
  }

  const lagMs = () => (knowsUntil === null ? null : now() - knowsUntil)

  return {
    async look() {
      try {
        marks = [...marks, await endOfLog(primary, now())].slice(-MARKS_MAX)
      } catch {
        // If the primary is down, the replica is not at fault: without a new mark, its data ages.
      }
      try {
        note(await replayedBy(replica))
      } catch {
        answers = false
      }
    },
    lagMs,
    isUsable() {
      const lag = lagMs()
      return answers && lag !== null && lag <= lagMaxMs
    },
    leaveOut() {
      answers = false
    },
  }
}

async function endOfLog(primary: Queryable, askedAt: number): Promise<Mark> {
  const [row] = await primary.query<{ end: bigint }>(
    `select (pg_current_wal_lsn() - '0/0')::bigint as end`,
  )
  if (!row) throw new Error('the primary did not say how far its log goes')
  return { askedAt, end: row.end }
}

/** Null for a server that is no replica: after a failover it may be the primary, or an outdated one. */
async function replayedBy(replica: Queryable): Promise<bigint | null> {
  const [row] = await replica.query<{ replayed: bigint | null }>(
    `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as replayed`,
  )
  return row?.replayed ?? null
}
