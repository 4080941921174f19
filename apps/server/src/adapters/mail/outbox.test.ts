import { Logger, runOnce } from 'graphile-worker'
import { expect, it, onTestFinished } from 'vitest'
import { openQueuePool } from '#src/jobs/queue-pool.ts'
import { DecryptionFailed } from '#src/secrets/secret-cipher.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { CIPHER } from '#testing/product/secret-key.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { decryptMail, type QueuedMail, queueOutbox, SEND_MAIL_JOB } from './outbox.ts'

it('what a mail says is in no row of the queue, and is read for its address alone', async () => {
  const { db, owner } = await createTestDatabase()
  const mail = { to: 'ann@example.org', subject: '271828 is your code', text: 'https://x/#secret' }
  await db.transaction((tx) => queueOutbox.send(tx, mail))
  await db.transaction((tx) => queueOutbox.sendAll(tx, [mail]))
  const jobs = await owner.query<{ row: string; payload: { mail: QueuedMail } }>(
    'select job::text as row, payload from graphile_worker._private_jobs job',
  )
  expect(jobs).toHaveLength(2)
  for (const { row, payload } of jobs) {
    expect(row).not.toMatch(/271828|secret/)
    expect(decryptMail(CIPHER, payload.mail)).toMatchObject(mail)
    const redirected = { ...payload.mail, to: 'thief@example.org' }
    expect(() => decryptMail(CIPHER, redirected)).toThrow(DecryptionFailed)
  }
})

it('a mail that somebody waits for is sent before all notices, also those that were queued earlier', async () => {
  const { db, ownerUrl } = await createTestDatabase()
  const mail = (subject: string) => ({ to: 'ann@example.org', subject, text: subject })
  await db.transaction((tx) => queueOutbox.sendAll(tx, [mail('notice 1'), mail('notice 2')]))
  await db.transaction((tx) => queueOutbox.send(tx, mail('code')))
  await db.transaction((tx) => queueOutbox.sendAll(tx, [mail('notice 3')]))
  const sent: unknown[] = []
  const queue = openQueuePool(ownerUrl, { connectionsMax: 2, limits: PATIENT_TO_CONNECT })
  onTestFinished(() => queue.end())
  // A run ends while the queue of the mail that it sent last is not free again.
  while (sent.length < 4) {
    await runOnce({
      pgPool: queue.pool,
      concurrency: 1,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      taskList: {
        [SEND_MAIL_JOB]: async (payload) => {
          const { mail } = payload as { mail: QueuedMail }
          sent.push(decryptMail(CIPHER, mail).subject)
        },
      },
    })
  }
  expect(sent[0]).toBe('code')
  expect(sent).toHaveLength(4)
})
