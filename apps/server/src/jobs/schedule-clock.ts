/**
 * The clock of the regular jobs. The queue's library schedules by the clock of its machine, and notes in the database
 * until when it has. A machine whose clock is ahead, such as one that has just booted, would note a time to come: until
 * then no process would schedule anything.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#src/db/database.ts'
import { type Log, occasionally } from '#src/process/log.ts'

/** How far the machine may be ahead of the database: less than a minute, in which a job is scheduled once. */
const AHEAD_MS = 30_000

const LOOK_EVERY_MS = 60_000
const LOOK_AGAIN_MS = 5_000

/** For the operator. */
const TOLD = {
  ahead:
    'the clock of this machine is ahead of the database’s: correct it (NTP); until then no regular job begins but alerts',
  'was ahead':
    'the clock of this machine was ahead of the database’s: regular jobs begin again; see that it stays right (NTP)',
}

type Running = { stop(): Promise<void> }

/**
 * Runs the queue, which schedules nothing while the machine's clock is ahead of the database's. It is started anew after
 * a clock that was: its schedule may be asleep until the time that it believed. Meanwhile staff are told: alerts are the
 * only regular job that is added.
 *
 * @param start `schedules`: whether regular jobs are added
 * @throws if the first start fails
 */
export async function keepScheduling({
  db,
  log,
  now = Date.now,
  lookAgainMs = LOOK_AGAIN_MS,
  start,
}: {
  db: Database
  log: Log
  now?: () => number
  lookAgainMs?: number
  start: (schedules: boolean) => Promise<Running>
}): Promise<Running> {
  const ending = new AbortController()
  const { signal } = ending
  let running: (Running & { schedules: boolean }) | null = null

  async function look(): Promise<void> {
    const machineAt = now()
    const clock = await judgeClock(db, machineAt)
    const schedules = clock !== 'ahead'
    if (clock !== 'right')
      occasionally(log, { about: 'clock of jobs', now: machineAt, facts: { clock } }, TOLD[clock])
    if (!schedules) {
      await db.query(`select graphile_worker.add_job('alert-staff', job_key := 'alert-staff')`)
    }
    if (running?.schedules === schedules && clock !== 'was ahead') return
    const before = running
    running = null
    try {
      if (!signal.aborted) running = { ...(await start(schedules)), schedules }
    } finally {
      await before?.stop()
    }
  }

  async function goOn(): Promise<void> {
    for (;;) {
      await sleep(running?.schedules ? LOOK_EVERY_MS : lookAgainMs, null, { signal }).catch(
        () => {},
      )
      if (signal.aborted) return
      await look().catch((error: unknown) =>
        log.warn({ error }, 'the clock will be looked at again'),
      )
    }
  }

  await look()
  const going = goOn()
  return {
    async stop() {
      ending.abort()
      await going
      await running?.stop()
    },
  }
}

/**
 * Compares the machine's clock with the database's; if it is not ahead, takes back what one that was has noted.
 *
 * @param machineAt milliseconds since 1970, by the machine
 */
export async function judgeClock(
  db: Database,
  machineAt: number = Date.now(),
): Promise<'right' | 'ahead' | 'was ahead'> {
  const { at } = await db.one<{ at: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
  )
  if (machineAt > at + AHEAD_MS) return 'ahead'
  const noted = await db.query(
    `update graphile_worker._private_known_crontabs set last_execution = now()
     where last_execution > now() + interval '1 minute' returning identifier`,
  )
  return noted.length > 0 ? 'was ahead' : 'right'
}
