/** What the engine shows of itself: its metrics, and its health, which is a question to the database: is a round overdue? */
import { roundAt, type ScheduleRules } from '@sum28/domain/schedule.ts'
import { Gauge, Histogram, Registry } from 'prom-client'
import { orNull } from '#src/concurrency/concurrency.ts'
import type { Queryable } from '#src/db/database.ts'
import { type PoolUse, showFigure, showPools } from '#src/db/pool-metrics.ts'
import { areClocksApart } from '#src/modules/games/catalog.ts'
import { mostOverdueAt, unopened } from '#src/modules/rounds/round-store.ts'
import type { ClockState } from './clock-watch.ts'

/** A step of a round that is this late, in milliseconds, means that the engine is not working. */
const OVERDUE_MAX_MS = 15_000

type HealthDeps = {
  db: Queryable
  now: () => number
  schedule: ScheduleRules
  gameIds: readonly number[]
}

/** For how long the most overdue step of a round has been due, in milliseconds; 0 if none is. */
async function overdueMs({ db, now, schedule, gameIds }: HealthDeps): Promise<number> {
  const scheduled = roundAt(schedule, now())
  const toOpen = scheduled && now() < scheduled.sealsAt && (await unopened(db, gameIds, scheduled))
  const dueAt = Math.min(
    (await mostOverdueAt(db)) ?? Number.POSITIVE_INFINITY,
    toOpen ? scheduled.opensAt : Number.POSITIVE_INFINITY,
  )
  return Math.max(0, now() - dueAt)
}

/**
 * Parts of /readyz. `engine`: no round is overdue. `beacon_clock`: the beacon's clock and the database's agree; if they
 * do not, or were not compared, betting is stopped.
 */
export async function engineParts(deps: HealthDeps) {
  const [overdue, apart] = await Promise.all([
    orNull(overdueMs(deps)),
    orNull(areClocksApart(deps.db)),
  ])
  return { engine: overdue !== null && overdue < OVERDUE_MAX_MS, beacon_clock: apart === false }
}

/** Registers how overdue a round is, in every process: the engine's own may be gone. */
export function showOverdue(registry: Registry, deps: HealthDeps): void {
  showFigure(
    registry,
    {
      name: 'sum28_round_overdue_seconds',
      help: 'For how long the most overdue step of a round has been due.',
    },
    async () => (await overdueMs(deps)) / 1_000,
  )
}

/** A draw that is stored this long after its round's end is late: a beacon's value takes some seconds. */
const LATE_DRAW_MS = 10_000

/** How often the engine's loop is measured by a timer, in milliseconds. */
const MEASURED_EVERY_MS = 500

export function engineMetrics(read: {
  clocks: () => ClockState
  pools: () => Record<string, PoolUse>
}) {
  const registry = new Registry()
  const registers = [registry]
  const rounds = new Gauge({
    name: 'sum28_engine_rounds',
    help: 'Rounds since the engine was started: drawn, of these drawn_late, and voided.',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['drawn', 'drawn_late', 'voided']) rounds.set({ result }, 0)
  let drawDelay: number | null = null
  showFigure(
    registry,
    {
      name: 'sum28_draw_delay_seconds',
      help: 'How long after its round’s end the last draw was stored.',
    },
    async () => drawDelay,
  )
  const delays = new Histogram({
    name: 'sum28_engine_loop_delay_seconds',
    help: 'How much later than it should a timer of the engine’s loop came, twice a second.',
    buckets: [0.01, 0.1, 1, 10],
    registers,
  })
  let measuredAt = performance.now()
  const measuring = setInterval(() => {
    const before = measuredAt
    measuredAt = performance.now()
    delays.observe(Math.max(0, measuredAt - before - MEASURED_EVERY_MS) / 1_000)
  }, MEASURED_EVERY_MS).unref()
  showFigure(
    registry,
    {
      name: 'sum28_beacon_ahead_seconds',
      help: 'By how much the beacon is ahead of the database’s clock, if this process compares them.',
    },
    async () => {
      const { beaconAheadMs } = read.clocks()
      return beaconAheadMs === null ? null : beaconAheadMs / 1_000
    },
  )
  new Gauge({
    name: 'sum28_engine_resident_memory_bytes',
    help: 'Memory of the engine’s process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  showPools(
    registry,
    'sum28_engine_pool_connections',
    'The engine’s connections to the database, by pool.',
    read.pools,
  )
  return {
    text: () => registry.metrics(),
    drawn(delayMs: number): void {
      rounds.inc({ result: 'drawn' })
      if (delayMs > LATE_DRAW_MS) rounds.inc({ result: 'drawn_late' })
      drawDelay = delayMs / 1_000
    },
    voided(): void {
      rounds.inc({ result: 'voided' })
    },
    stop: () => clearInterval(measuring),
  }
}
