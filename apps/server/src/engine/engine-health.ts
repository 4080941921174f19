/** The engine's health is a question to the database, whichever process drives the rounds: is a round overdue? */
import { roundAt, type ScheduleRules } from '@sum28/domain/schedule.ts'
import { Gauge, type Registry } from 'prom-client'
import type { Queryable } from '#src/db/database.ts'
import { areClocksApart } from '#src/modules/games/games-store.ts'
import { mostOverdueAt, unopened } from '#src/modules/rounds/round-store.ts'

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
  const toOpen =
    scheduled && now() < scheduled.sealsAt && (await unopened(db, gameIds, scheduled.issue))
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
  const [overdue, apart] = await Promise.all([overdueMs(deps), areClocksApart(deps.db)]).catch(
    () => [Number.POSITIVE_INFINITY, true] as const,
  )
  return { engine: overdue < OVERDUE_MAX_MS, beacon_clock: !apart }
}

/** Registers how overdue a round is. While the database is down there is no value. */
export function showOverdue(registry: Registry, deps: HealthDeps): void {
  new Gauge({
    name: 'sum28_round_overdue_seconds',
    help: 'For how long the most overdue step of a round has been due.',
    registers: [registry],
    async collect() {
      this.set((await overdueMs(deps).catch(() => Number.NaN)) / 1_000)
    },
  })
}
