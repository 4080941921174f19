/**
 * Where reads go that may be a little old: to a replica of the database that is behind by no more than a bound,
 * else to the primary. This is the one place that decides. A player reads what he has written, because of what
 * players write only periods are read from a replica that have been over for longer than any replica in use is
 * behind (decision 0064).
 */
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Database, isOutOfTime, type Queryable } from './database.ts'
import { type ReplicaWatch, replicaWatch } from './replica-watch.ts'

/** What is read, as the metrics name it. */
type Kind = 'content' | 'winners' | 'results' | 'history' | 'statement'

export type OldReads = {
  /** Single statements about what no player writes. */
  anyTime(kind: Kind): Queryable
  /**
   * Reads about a period, all of one database: of a replica where the period has been over for two minutes.
   *
   * @param until when it ended or will end, in milliseconds since 1970; Infinity: it does not
   * @param work only reads; it is done again, of the primary, where a replica fails
   */
  ofPeriod<Result>(
    kind: Kind,
    until: number,
    work: (db: Queryable) => Promise<Result>,
  ): Promise<Result>
}

/** The greatest bound that may be configured is 60 s; a statement and the clocks have as much again. */
const OVER_FOR_MS = 120_000

const LOOK_EVERY_MS = 1_000

export type Replica = {
  /** Host and port, as the metrics name it. */
  readonly name: string
  readonly db: Database
  /** Connections of its own for the looks at how far it is, which no read holds up. */
  readonly looks: Queryable
}

export type OldReadsOptions = {
  primary: Queryable
  /** Connections to the primary for the looks alone: a primary that is busy is when replicas are needed. */
  primaryLooks: Queryable
  replicas: readonly Replica[]
  /** How far a replica may be behind, in milliseconds. */
  lagMaxMs: number
  /** Milliseconds since 1970, by the database's clock. */
  now: () => number
  metrics: Registry
  log: { warn(facts: object, text: string): void }
  ending: AsyncDisposableStack
}

/** Reads of the primary alone: what an installation without replicas does. */
export function ofPrimary(primary: Queryable): OldReads {
  return { anyTime: () => primary, ofPeriod: (_kind, _until, work) => work(primary) }
}

/** Begins to watch the replicas, and gives the reader of what may be old. */
export function openOldReads(options: OldReadsOptions): OldReads {
  const { primary, primaryLooks, lagMaxMs, now, ending, log, metrics } = options
  const replicas = options.replicas.map(({ name, db, looks }) => {
    const watch = replicaWatch({ primary: primaryLooks, replica: looks, lagMaxMs })
    ending.defer(lookRegularly(watch))
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
        // A read that takes too long is the fault of what was asked, and others go on.
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

/** @returns what ends it, once no look is under way */
function lookRegularly(watch: ReplicaWatch): () => Promise<void> {
  const over = Promise.withResolvers<void>()
  let ended = false
  async function looks(): Promise<void> {
    while (!ended) {
      await watch.look()
      let timer: NodeJS.Timeout | undefined
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LOOK_EVERY_MS)
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

/** @returns what counts a read */
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
