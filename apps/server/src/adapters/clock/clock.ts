/**
 * The product's time is the database's. This clock follows it: it measures the offset to this machine's clock
 * regularly, so a machine whose clock is wrong or jumps changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

export type Clock = {
  /** Milliseconds since 1970, by the database's clock. */
  now(): number
  sync(): Promise<void>
  /** Measures again, because the database's clock was set, and ends the waits: what they waited for may be past. */
  moved(): Promise<void>
  /** Waits for so many milliseconds, or until the clock was set, or until the signal. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** How often a process measures by default. */
const SYNC_EVERY_MS = 15_000

/** Of this many answers in a row the fastest counts: the delay of the others says nothing about the time. */
const SAMPLES = 3

/**
 * @param machineNow this machine's monotonic clock, in milliseconds
 */
export function databaseClock(
  { pool }: { readonly pool: pg.Pool },
  machineNow: () => number = () => performance.now(),
): Clock {
  let offset = Date.now() - machineNow()
  let waits = new AbortController()

  async function sync(): Promise<void> {
    // The connection is taken first: waiting for it is not part of the measurement.
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
  }

  return {
    now: () => Math.round(machineNow() + offset),
    sync,
    async moved() {
      await sync()
      waits.abort()
      waits = new AbortController()
    },
    async wait(ms, signal) {
      const ends = signal ? AbortSignal.any([signal, waits.signal]) : waits.signal
      await sleep(ms, undefined, { signal: ends }).catch(() => {})
    },
  }
}

/**
 * Measures now and then regularly. A failed measurement keeps the present offset.
 *
 * @param everyMs how often, in milliseconds
 * @returns the function that ends it
 * @throws if the first measurement fails
 */
export async function keepInStep(clock: Clock, everyMs = SYNC_EVERY_MS): Promise<() => void> {
  await clock.sync()
  const syncing = setInterval(() => void clock.sync().catch(() => {}), everyMs)
  return () => clearInterval(syncing)
}
