import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { judgeClock, keepScheduling } from './schedule-clock.ts'

it('a clock that is ahead of the database’s schedules nothing', async () => {
  const { jobs } = await createTestDatabase()
  expect(await judgeClock(jobs, Date.now() + 8 * 3_600_000)).toBe('ahead')
  expect(await judgeClock(jobs, Date.now() - 8 * 3_600_000)).toBe('right')
})

it('a machine whose clock is ahead works on, alerts staff, and schedules again once it is right', async () => {
  const { jobs, owner } = await createTestDatabase()
  let machineAt = Date.now() + 8 * 3_600_000
  let looks = 0
  const { log, lines } = captureLog()
  const now = () => {
    looks += 1
    return machineAt
  }
  const starts: boolean[] = []
  const started = Promise.withResolvers<void>()
  const scheduling = await keepScheduling({
    db: jobs,
    log,
    now,
    lookAgainMs: 1,
    start: async (schedules) => {
      starts.push(schedules)
      if (schedules) started.resolve()
      return { stop: async () => {} }
    },
  })
  onTestFinished(() => scheduling.stop())
  expect(starts).toEqual([false])
  expect(await owner.query('select task_identifier as task from graphile_worker.jobs')).toEqual([
    { task: 'alert-staff' },
  ])
  // The log says once a minute what to do.
  await expect.poll(() => looks).toBeGreaterThan(6)
  expect(lines.filter((line) => line.includes('correct it (NTP)'))).toHaveLength(1)
  expect(lines).toHaveLength(1)
  machineAt = Date.now()
  await started.promise
  expect(starts).toEqual([false, true])
})

it('what a clock noted that was ahead is taken back, and scheduling begins anew', async () => {
  const { jobs, owner } = await createTestDatabase()
  await owner.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('ahead', now() - interval '1 day', now() + interval '8 hours'),
       ('right', now() - interval '1 day', now() - interval '1 hour')`,
  )
  let starts = 0
  const { log, lines } = captureLog()
  const scheduling = await keepScheduling({
    db: jobs,
    log,
    start: async () => {
      starts += 1
      return { stop: async () => {} }
    },
  })
  onTestFinished(() => scheduling.stop())
  expect([starts, lines.length]).toEqual([1, 1])
  const [ahead, right] = await owner.query<{ ago: number }>(
    `select extract(epoch from now() - last_execution)::integer as ago
     from graphile_worker._private_known_crontabs order by identifier`,
  )
  expect(ahead?.ago).toBeLessThan(600)
  expect(ahead?.ago).toBeGreaterThanOrEqual(0)
  expect(right?.ago).toBeGreaterThanOrEqual(3_600)
  expect(await judgeClock(jobs)).toBe('right')
})
