/**
 * How far a replica is behind. Once a second the primary is asked how far its log goes, and then the replica
 * how much of the log it has replayed. A replica that has replayed all that the primary's log had at an instant
 * knows everything that was committed before it. No clock is compared but this process's own, and a replica that
 * has lost its primary is seen to fall behind as soon as the primary writes.
 */
import type { Queryable } from './database.ts'

/** How far the primary's log went, at the latest when it was asked for. */
type Mark = { readonly askedAt: number; readonly end: bigint }

/** With one mark a second: a replica that is further behind is not going to be used soon. */
const MARKS_MAX = 600

export type ReplicaWatch = {
  /** Compares replica and primary once; never rejects. */
  look(): Promise<void>
  /** How old what the replica answers now may be, in milliseconds; null while that is not known. */
  lagMs(): number | null
  /** Whether it may be read: it answers, is a replica, and is behind by no more than the bound. */
  isUsable(): boolean
  /** A read has failed: it is left out until it has answered `look` again. */
  leaveOut(): void
}

/**
 * @param primary answers whatever else is under way: no pool of requests, which may be full; so does `replica`
 * @param lagMaxMs the bound: what is read is never older
 * @param now a clock in milliseconds that is never put back
 */
export function replicaWatch(deps: {
  primary: Queryable
  replica: Queryable
  lagMaxMs: number
  now?: () => number
}): ReplicaWatch {
  const { primary, replica, lagMaxMs, now = () => performance.now() } = deps
  let marks: Mark[] = []
  /** The latest instant before which everything is known to the replica. */
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
        // That the primary is away is not the replica's fault: without a new mark, what it knows grows old.
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

/** Null of a server that is no replica: after a failover it may be the primary, or one that was left behind. */
async function replayedBy(replica: Queryable): Promise<bigint | null> {
  const [row] = await replica.query<{ replayed: bigint | null }>(
    `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as replayed`,
  )
  return row?.replayed ?? null
}
