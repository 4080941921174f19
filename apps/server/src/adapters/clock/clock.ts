/**
 * The product's time is the database's. This clock follows it: the offset to this machine's clock
 * is measured again and again, so that a machine whose clock is wrong, or jumps, changes nothing.
 */
import type { Queryable } from '#src/db/database.ts'

export type Clock = {
  /** Milliseconds since 1970, by the database's clock. */
  now(): number
  /** Measures the offset anew. */
  sync(): Promise<void>
}

export function databaseClock(db: Queryable): Clock {
  // performance.now() runs on when somebody sets the machine's clock.
  let offset = Date.now() - performance.now()
  return {
    now: () => Math.round(performance.now() + offset),
    async sync() {
      const before = performance.now()
      const [row] = await db.query<{ now: number }>('select app.now() as now')
      const after = performance.now()
      if (row) offset = row.now - (before + after) / 2
    },
  }
}
