import { Logger, runOnce } from 'graphile-worker'
import { expect, it, onTestFinished } from 'vitest'
import { openQueuePool } from '#src/jobs/queue-pool.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { AWAITED_MINUTES, queueOutbox, SEND_MAIL_JOB } from './outbox.ts'

it('a mail that somebody waits for is sent before all notices, also those that were queued earlier', async () => {
  const { db, ownerUrl } = await createTestDatabase()
  const mail = (subject: string) => ({ to: 'ann@example.org', subject, text: subject })
  await db.transaction((tx) => queueOutbox.sendAll(tx, [mail('notice 1'), mail('notice 2')]))
  await db.transaction((tx) => queueOutbox.send(tx, mail('code')))
  await db.transaction((tx) => queueOutbox.sendAll(tx, [mail('notice 3')]))
  const sent: unknown[] = []
  const queue = openQueuePool(ownerUrl, { connectionsMax: 2, limits: PATIENT_TO_CONNECT })
  onTestFinished(() => queue.end())
  await runOnce({
    pgPool: queue.pool,
    concurrency: 1,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      [SEND_MAIL_JOB]: async (payload) => {
        sent.push((payload as { mail: { subject: string } }).mail.subject)
      },
    },
  })
  expect(sent[0]).toBe('code')
  expect(sent).toHaveLength(4)
})

it('a mail that somebody waits for is tried as often as its time allows', async () => {
  const { db, owner } = await createTestDatabase()
  await db.transaction((tx) =>
    queueOutbox.send(tx, { to: 'ann@example.org', subject: 'code', text: '' }),
  )
  const [job] = await owner.query<{ max_attempts: number }>(
    'select max_attempts from graphile_worker._private_jobs',
  )
  /** Minutes from the first try to the nth, by the pauses that the queue's library makes. */
  const tryAt = (n: number) =>
    Array.from({ length: n - 1 }, (_, at) => Math.exp(at + 1)).reduce(
      (sum, each) => sum + each,
      0,
    ) / 60
  const tries = job?.max_attempts ?? 0
  expect(tryAt(tries)).toBeLessThan(AWAITED_MINUTES)
  expect(tryAt(tries + 1)).toBeGreaterThan(AWAITED_MINUTES)
})
