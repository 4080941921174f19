/** How long statements of a database wait for locks, sampled many times a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#src/db/database.ts'

const LOOK_MS = 20

export type LockWait = { at: number; ms: number; of: 'table' | 'row'; statement: string }

export type LockWaits = {
  /** The longest waits within a time so far: for a table or another object, and for a row. */
  longest(from: number, until: number): { table: LockWait | null; row: LockWait | null }
  stop(): Promise<void>
}

/** Advisory locks are left out: a wait for one of ours affects no player. */
const WAITS = `
  select pid::text || waitstart as wait, extract(epoch from clock_timestamp() - waitstart)::float8 * 1000 as ms,
    case when locktype in ('relation', 'extend', 'object') then 'table' else 'row' end as of,
    left(regexp_replace(query, '\\s+', ' ', 'g'), 80) as statement
  from pg_locks join pg_stat_activity using (pid)
  where not granted and waitstart is not null and locktype <> 'advisory'`

export function watchLockWaits(owner: Database): LockWaits {
  const waits = new Map<string, LockWait>()
  let stopping = false
  async function watch(): Promise<void> {
    while (!stopping) {
      const found = await owner.query<LockWait & { wait: string }>(WAITS)
      for (const { wait, ...rest } of found) waits.set(wait, { ...rest, at: Date.now() })
      await sleep(LOOK_MS)
    }
  }
  const watching = watch()
  return {
    longest(from, until) {
      const within = [...waits.values()].filter(({ at }) => at >= from && at < until)
      const longest = (of: LockWait['of']) =>
        within.filter((wait) => wait.of === of).sort((a, b) => b.ms - a.ms)[0] ?? null
      return { table: longest('table'), row: longest('row') }
    },
    async stop() {
      stopping = true
      await watching
    },
  }
}
