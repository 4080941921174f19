/** The queue's driver: mail, and what has to be done from time to time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type Logger as QueueLogger, run, type TaskList } from 'graphile-worker'
import * as z from 'zod'
import type { FileStore } from '#src/adapters/files/file-store.ts'
import { SEND_MAIL_JOB } from '#src/adapters/mail/outbox.ts'
import { forgetSentMails, sendOnce } from '#src/adapters/mail/send-once.ts'
import type { MailTransport } from '#src/adapters/mail/transport.ts'
import { type Database, openPool } from '#src/db/database.ts'
import { forgetRequestKeys } from '#src/db/key-store.ts'
import type { EngineLog } from '#src/engine/engine-log.ts'
import { forgetOldCounts } from '#src/modules/accounts/count-store.ts'
import { forgetOldNetworks } from '#src/modules/accounts/known-network-store.ts'
import { sweepPictures } from '#src/modules/accounts/sweep-pictures.ts'
import { forgetKeys } from '#src/modules/wallet/wallet-store.ts'
import type { Sealer } from '#src/sealer.ts'
import { checkAlwaysTrue } from './always-true.ts'
import { resealNumbers } from './reseal-numbers.ts'

const mailPayload = z.nullable(
  z.object({
    // What an earlier version queued has none.
    id: z.optional(z.string()),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
  }),
)

/** How long idempotency keys are kept. */
const KEYS_KEPT_DAYS = 7

/** How long it is known that a mail was sent: longer than its job can be tried. */
const SENT_MAILS_KEPT_DAYS = 30

/** Months of partitions that are always there ahead. */
const MONTHS_AHEAD = 3

/** How long the queue's last words are waited for when it stops. */
const QUIET_WITHIN_MS = 5_000

/** When what is done without being asked for, in UTC. */
const CRONTAB = [
  '15 * * * * house-keeping',
  '20 19 * * * check-books',
  '40 19 * * * reseal-numbers',
  '50 19 * * * compare-with-chain',
].join('\n')

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
  sealer: Sealer
  /** Where players' pictures are. */
  pictures: FileStore
  /** Compares chain and ledger, until the signal ends it. */
  compareWithChain: (signal: AbortSignal) => Promise<unknown>
  log: EngineLog
}): Promise<Worker> {
  const { db, mail, log } = deps
  const ending = new AbortController()
  const send = sendOnce({ db, mail, signal: ending.signal })
  const taskList: TaskList = {
    [SEND_MAIL_JOB]: async (payload, { job }) => {
      const content = mailPayload.parse(payload)
      if (content) await send({ ...content, id: content.id ?? `job-${job.id}` })
    },
    'house-keeping': async () => {
      await ensurePartitions(db)
      await forgetKeys(db, KEYS_KEPT_DAYS)
      await forgetRequestKeys(db, KEYS_KEPT_DAYS)
      await forgetSentMails(db, SENT_MAILS_KEPT_DAYS)
      await forgetOldCounts(db)
      await forgetOldNetworks(db)
      await sweepPictures({ db, files: deps.pictures })
    },
    'check-books': async () => {
      await checkAlwaysTrue({ db, log })
    },
    'compare-with-chain': async () => {
      await deps.compareWithChain(ending.signal)
    },
    'reseal-numbers': async () => {
      const { sealed, missing, broken } = await resealNumbers({ db, sealer: deps.sealer })
      if (sealed > 0) log.info({ sealed }, 'numbers were sealed with the present key')
      for (const { keyId, rows } of missing) {
        log.error({ keyId, rows }, 'numbers wait for a key that SECRET_KEY_PREVIOUS lacks')
      }
      for (const row of broken) log.error(row, 'a sealed number was altered and does not open')
    },
  }
  // The library would not wait for a pool of its own to end, nor listen to it meanwhile.
  const pool = openPool(deps.url, {
    connectionsMax: 10,
    // The library does not catch a wait that is too long.
    waitMs: 60_000,
    onError: (error) => log.warn({ error: error.message }, 'a connection of the queue broke'),
  })
  const runner = await run({
    pgPool: pool,
    concurrency: 4,
    pollInterval: 2_000,
    noHandleSignals: true,
    crontab: CRONTAB,
    taskList,
    logger: queueLogger(log),
  })
  return {
    async stop() {
      ending.abort()
      await runner.stop()
      await quiet(pool)
      await pool.end()
    },
  }
}

/**
 * Waits for the queue's last words that jobs are done: the library does not, and a pool that is
 * ended meanwhile would never answer it. With a database that is away there is nothing to wait for.
 */
async function quiet(pool: ReturnType<typeof openPool>): Promise<void> {
  const end = performance.now() + QUIET_WITHIN_MS
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) {
    if (performance.now() > end) return
    await sleep(10)
  }
}

/** The queue's own messages; payloads, which hold codes, are in none of them. */
function queueLogger(log: EngineLog): QueueLogger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ source: 'queue' }, message)
    else log.debug({ source: 'queue' }, message)
  })
}
