/**
 * Where reads go whose result may be slightly stale: to a replica of the database if its lag is within a bound, else
 * to the primary. Only this file decides that. A player must read his own writes: of what players write, only periods
 * are read from a replica that ended longer ago than the lag of any replica in use (decision 0064).
 */
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Database, isOutOfTime, type Queryable } from './database.ts'
import { type ReplicaWatch, replicaWatch } from './replica-watch.ts'

/** The kind of read, as the metrics name it. */
type Kind = 'content' | 'winners' | 'results' | 'history' | 'statement'

export type OldReads = {
  /** Single statements about data that no player writes. */
  anyTime(kind: Kind): Queryable
  /**
   * Reads about a period, all from one database: from a replica if the period ended at least two minutes ago.
   *
   * @param until when the period ended or will end, in milliseconds since 1970; Infinity: it has no end
   * @param work must only read; if a replica fails, it is repeated on the primary
   */
  ofPeriod<Result>(
    kind: Kind,
    until: number,
    work: (db: Queryable) => Promise<Result>,
  ): Promise<Result>
}

/** The greatest lag that may be configured is 60 s; the rest covers a statement and differences between clocks. */
const OVER_FOR_MS = 120_000

const POLL_EVERY_MS = 1_000

export type Replica = {
  /** Host and port, as the metrics name it. */
  readonly name: string
  readonly db: Database
  /** Its own connections for measuring the lag, so that no read delays that. */
  readonly looks: Queryable
}

export type OldReadsOptions = {
  primary: Queryable
  /** Connections to the primary for measuring the lag only: replicas matter most when the primary is busy. */
  primaryChecks: Queryable
  replicas: readonly Replica[]
  /** The greatest lag of a replica, in milliseconds. */
  lagMaxMs: number
  /** Milliseconds since 1970, by the database's clock. */
  now: () => number
  metrics: Registry
  log: { warn(facts: object, text: string): void }
  ending: AsyncDisposableStack
}

/** Reads from the primary only, for installations without replicas. */
export function ofPrimary(primary: Queryable): OldReads {
  return { anyTime: () => primary, ofPeriod: (_kind, _until, work) => work(primary) }
}

/** Starts to watch the replicas and returns the reader for stale reads. */
export function openOldReads(options: OldReadsOptions): OldReads {
  const { primary, primaryChecks, lagMaxMs, now, ending, log, metrics } = options
  const replicas = options.replicas.map(({ name, db, looks }) => {
    const watch = replicaWatch({ primary: primaryChecks, replica: looks, lagMaxMs })
    ending.defer(pollRegularly(watch))
    return { name, db, watch }
  })
  const count = showReads(metrics, replicas)
  let turn = 0

  async function read<Result>(
    kind: Kind,
    work: (db: Queryable) => Promise<Result>,
  ): Promise<Result> {
    const usable = replicas.filter(({ watch }) => watch.isUsable())
    turn += 1
    const chosen = usable[turn % usable.length]
    if (chosen) {
      try {
        const result = await work(chosen.db)
        count(kind, 'replica')
        return result
      } catch (error) {
        // A read that takes too long is the fault of the statement; other reads may continue.
        if (!isOutOfTime(error)) chosen.watch.leaveOut()
        log.warn({ replica: chosen.name, kind, error }, 'a replica failed: the primary is read')
      }
    }
    count(kind, 'primary')
    return work(primary)
  }

  return {
    anyTime: (kind) => ({
      query: (text, values, how) => read(kind, (db) => db.query(text, values, how)),
    }),
    ofPeriod(kind, until, work) {
      if (until + OVER_FOR_MS <= now()) return read(kind, work)
      count(kind, 'primary')
      return work(primary)
    },
  }
}

/** @returns a function that stops it, once no measurement is running */
function pollRegularly(watch: ReplicaWatch): () => Promise<void> {
  const over = Promise.withResolvers<void>()
  let ended = false
  async function looks(): Promise<void> {
    while (!ended) {
      await watch.look()
      let timer: NodeJS.Timeout | undefined
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, POLL_EVERY_MS)
      })
      await Promise.race([pause, over.promise])
      clearTimeout(timer)
    }
  }
  const looking = looks()
  return () => {
    ended = true
    over.resolve()
    return looking
  }
}

type Watched = { readonly name: string; readonly watch: ReplicaWatch }

/** @returns a function that counts a read */
function showReads(registry: Registry, replicas: readonly Watched[]) {
  const reads = new Counter({
    name: 'sum28_old_reads_total',
    help: 'Reads that may be old, by what was read and from where: a replica or the primary.',
    labelNames: ['kind', 'from'],
    registers: [registry],
  })
  gauge('sum28_replica_lag_seconds', 'How old what each replica answers may be.', (watch) => {
    const lag = watch.lagMs()
    return lag === null ? null : lag / 1000
  })
  gauge(
    'sum28_replica_used',
    'Whether each replica is read: 1, or 0 where it is left out.',
    (watch) => Number(watch.isUsable()),
  )
  function gauge(name: string, help: string, value: (watch: ReplicaWatch) => number | null): void {
    new Gauge({
      name,
      help,
      labelNames: ['replica'],
      registers: [registry],
      collect() {
        this.reset()
        for (const { name: replica, watch } of replicas) {
          const now = value(watch)
          if (now !== null) this.set({ replica }, now)
        }
      },
    })
  }
  return (kind: Kind, from: 'replica' | 'primary') => reads.inc({ kind, from })
}
