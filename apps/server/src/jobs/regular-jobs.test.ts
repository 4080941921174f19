import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { eventually } from '#testing/requests/patience.ts'
import { addDueJobs, addRegularJobs } from './regular-jobs.ts'

/** A database with its regular jobs noted, of which one is watched. */
async function withJobs({ lookEveryMs }: { lookEveryMs?: number } = {}) {
  const database = await createTestDatabase()
  const { log, lines } = captureLog()
  const looks = lookEveryMs ? { lookEveryMs } : {}
  const regular = await addRegularJobs({ db: database.jobs, log, ...looks })
  onTestFinished(() => regular.stop())
  return { ...database, lines }
}

/** Notes the daily count as begun so long after its last time. */
function begun({ owner }: Pick<TestDatabase, 'owner'>, after: string) {
  return owner.query(
    `update app.regular_job
     set begun_at = date_bin('1 day', now() - interval '20:00', 'epoch') + interval '20:00' + $1::interval
     where name = 'count-owed'`,
    [after],
  )
}

/** How often the daily count is in the queue. */
async function queued({ owner }: Pick<TestDatabase, 'owner'>): Promise<number> {
  const jobs = `select from graphile_worker.jobs where task_identifier = 'count-owed'`
  return (await owner.query(jobs)).length
}

describe('a regular job', () => {
  it('begins at its times, by UTC, and not at the first start', async () => {
    const { owner } = await withJobs()
    const times = await owner.column<string>(
      `select to_char(begun_at at time zone 'UTC', 'HH24:MI:SS') from app.regular_job
       where name in ('check-books', 'house-keeping') order by name`,
    )
    expect(times).toEqual(['19:20:00', expect.stringMatching(/^\d\d:15:00$/)])
    const begunBadly = `select from app.regular_job
      where begun_at > now() or begun_at < now() - interval '1 day'`
    expect(await owner.query(begunBadly)).toEqual([])
    expect(await queued({ owner })).toBe(0)
  })

  it('is added once by two processes, however often it was missed', async () => {
    const { jobs, owner } = await withJobs()
    await begun({ owner }, '-3 days')
    await Promise.all([addDueJobs(jobs), addDueJobs(jobs)])
    expect(await queued({ owner })).toBe(1)
  })

  it('runs for no time twice after the clock went back, and is not kept waiting by one that was far ahead', async () => {
    const { jobs, owner } = await withJobs()
    for (const [ahead, times] of [
      ['1 second', 0],
      ['1 day', 0],
      ['1 day 1 second', 1],
      ['20 years', 2],
    ] as const) {
      await begun({ owner }, ahead)
      await addDueJobs(jobs)
      await addDueJobs(jobs)
      expect(await queued({ owner }), ahead).toBe(times)
    }
  })

  it('is added although a look failed', async () => {
    const { owner, lines } = await withJobs({ lookEveryMs: 10 })
    await owner.query('alter table app.regular_job rename to elsewhere')
    await eventually(() => lines.find((line) => line.includes('will be added later')))
    await owner.query('alter table app.elsewhere rename to regular_job')
    await begun({ owner }, '-1 day')
    await eventually(async () => (await queued({ owner })) === 1)
  })
})
