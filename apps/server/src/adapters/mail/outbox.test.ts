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

it('a mail that somebody waits for has its last try just before the end of its time', async () => {
  const { db, owner } = await createTestDatabase()
  await db.transaction((tx) =>
    queueOutbox.send(tx, { to: 'ann@example.org', subject: 'code', text: '' }),
  )
  const job = await owner.value<number>('select max_attempts from graphile_worker._private_jobs')
  // The pause after each try, as the queue's library computes it.
  const pauses = Array.from({ length: job - 1 }, (_, n) => Math.exp(n + 1))
  const minutes = pauses.reduce((sum, pause) => sum + pause, 0) / 60
  expect(minutes).toBeLessThan(AWAITED_MINUTES)
  expect(minutes).toBeGreaterThan(AWAITED_MINUTES - 2)
})
