/** The queue's driver: mail, and what has to be done from time to time. */
import { Logger, type Logger as QueueLogger, run, type TaskList } from 'graphile-worker'
import * as z from 'zod'
import { SEND_MAIL_JOB } from '#src/adapters/mail/outbox.ts'
import type { MailTransport } from '#src/adapters/mail/transport.ts'
import { type Database, openPool } from '#src/db/database.ts'
import type { EngineLog } from '#src/engine/engine-log.ts'
import { forgetKeys } from '#src/modules/wallet/wallet-store.ts'

const mailPayload = z.object({ to: z.string(), subject: z.string(), text: z.string() })

/** How long idempotency keys are kept. */
const KEYS_KEPT_DAYS = 7

/** Months of partitions that are always there ahead. */
const MONTHS_AHEAD = 3

export type Worker = { stop(): Promise<void> }

/** Makes the partitions of the coming months. */
export async function ensurePartitions(db: Database): Promise<void> {
  await db.query(`select app.ensure_partitions((app.now() - interval '1 month')::date, $1)`, [
    MONTHS_AHEAD + 1,
  ])
}

/** Starts to work the queue off; a job that fails is tried again, later each time. */
export async function startWorker(deps: {
  url: string
  db: Database
  mail: MailTransport
  log: EngineLog
}): Promise<Worker> {
  const { db, mail, log } = deps
  const taskList: TaskList = {
    [SEND_MAIL_JOB]: async (payload) => {
      await mail.send(mailPayload.parse(payload))
    },
    'house-keeping': async () => {
      await ensurePartitions(db)
      await forgetKeys(db, KEYS_KEPT_DAYS)
    },
  }
  // The library would not wait for a pool of its own to end, nor listen to it meanwhile.
  const pool = openPool(deps.url, {
    connectionsMax: 10,
    onError: (error) => log.warn({ error: error.message }, 'a connection of the queue broke'),
  })
  const runner = await run({
    pgPool: pool,
    concurrency: 4,
    pollInterval: 2_000,
    noHandleSignals: true,
    crontab: '15 * * * * house-keeping',
    taskList,
    logger: queueLogger(log),
  })
  return {
    async stop() {
      await runner.stop()
      await pool.end()
    },
  }
}

/** The queue's own messages; payloads, which hold codes, are in none of them. */
function queueLogger(log: EngineLog): QueueLogger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ source: 'queue' }, message)
    else log.debug({ source: 'queue' }, message)
  })
}
