import { Logger, runOnce } from 'graphile-worker'
import { expect, it, onTestFinished } from 'vitest'
import { openQueuePool } from '#src/jobs/queue-pool.ts'
import { PATIENT_TO_CONNECT } from '#testing/patience.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { queueOutbox, SEND_MAIL_JOB } from './outbox.ts'

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
        sent.push((payload as { subject: string }).subject)
      },
    },
  })
  expect(sent[0]).toBe('code')
  expect(sent).toHaveLength(4)
})
