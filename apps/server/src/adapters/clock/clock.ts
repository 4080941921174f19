/**
 * The product's time is the database's. This clock follows it: the offset to this machine's clock
 * is measured again and again, so that a machine whose clock is wrong, or jumps, changes nothing.
 */
import type pg from 'pg'

export type Clock = {
  /** Milliseconds since 1970, by the database's clock. */
  now(): number
  /** Measures the offset anew. */
  sync(): Promise<void>
}

/** How often a process measures, unless told. */
const SYNC_EVERY_MS = 15_000

/** The quickest of so many answers in a row counts: what delayed the others says nothing of the time. */
const SAMPLES = 3

/**
 * @param machineNow this machine's clock, in milliseconds, which only runs on: nobody sets it
 */
export function databaseClock(
  { pool }: { readonly pool: pg.Pool },
  machineNow: () => number = () => performance.now(),
): Clock {
  let offset = Date.now() - machineNow()
  return {
    now: () => Math.round(machineNow() + offset),
    async sync() {
      // The connection first: what is waited for it is no part of the measurement.
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        let best = Number.POSITIVE_INFINITY
        for (let sample = 0; sample < SAMPLES; sample += 1) {
          const before = machineNow()
          const { rows } = await client.query<{ now: number }>(
            `select extract(epoch from app.now())::float8 * 1000 as now`,
          )
          const after = machineNow()
          if (!rows[0] || after - before >= best) continue
          best = after - before
          offset = rows[0].now - (before + after) / 2
        }
      } catch (error) {
        broken = error as Error
        throw error
      } finally {
        client.release(broken)
      }
    },
  }
}

/**
 * Measures now, and again and again; a measurement that fails leaves the offset as it is.
 *
 * @param everyMs how often, in milliseconds
 * @returns the function that ends it
 * @throws where the first measurement fails
 */
export async function keepInStep(clock: Clock, everyMs = SYNC_EVERY_MS): Promise<() => void> {
  await clock.sync()
  const syncing = setInterval(() => void clock.sync().catch(() => {}), everyMs)
  return () => clearInterval(syncing)
}
