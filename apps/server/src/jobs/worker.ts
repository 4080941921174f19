/** The queue's driver: mail and regular jobs. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import {
  type Job,
  type JobHelpers,
  Logger,
  type Logger as QueueLogger,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type { ClientBase } from 'pg'
import * as z from 'zod'
import {
  AWAITED_PAUSE_MS,
  decryptMail,
  limitPause,
  queuedMail,
  SEND_MAIL_JOB,
} from '#src/adapters/mail/outbox.ts'
import { noteGivenUp, sendOnce } from '#src/adapters/mail/send-once.ts'
import { MailRefused, type MailTransport } from '#src/adapters/mail/transport.ts'
import { type Database, openDatabase } from '#src/db/database.ts'
import { findAlerts } from '#src/modules/console/alerts/find-alerts.ts'
import { sendAlerts } from '#src/modules/console/alerts/send-alerts.ts'
import { forgetUnusedPictures } from '#src/modules/console/content/piece-store.ts'
import { countAllRounds } from '#src/modules/console/figures/figures-store.ts'
import { snapshotBalances } from '#src/modules/console/money/books-routes.ts'
import { findSigns } from '#src/modules/console/players/signs-store.ts'
import { reportReturns } from '#src/modules/disclosure/disclosure-store.ts'
import { areClocksApart } from '#src/modules/games/catalog.ts'
import { SEND_PUSH_JOB } from '#src/modules/inbox/notify.ts'
import { checkAllBooks, checkNewBooks } from '#src/modules/ledger/check-books.ts'
import { anonymiseClosed, closeIdleVisitors } from '#src/modules/own-account/close-account.ts'
import {
  dropOldFiles,
  MAKE_OWN_DATA_JOB,
  makeOwnData,
} from '#src/modules/own-account/make-own-data.ts'
import { forgetSignedOutBrowsers, pushMessages, sendPushes } from '#src/modules/own-account/push.ts'
import { lostMarks } from '#src/modules/protection/likeness.ts'
import { releaseHeldDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { notifyOfPossibleRaises } from '#src/modules/protection/notify-of-limits.ts'
import type { AuditHeads } from '#src/modules/staff/audit-heads.ts'
import { forgetUnusedDocuments } from '#src/modules/withdrawals/identity.ts'
import type { Log } from '#src/process/log.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { signAuditLog, writeAuditHead } from './audit-jobs.ts'
import { freeJobs, RENEW_EVERY_MS } from './free-jobs.ts'
import { markAccounts } from './mark-accounts.ts'
import { prune } from './prune.ts'
import { openQueuePool } from './queue-pool.ts'
import { reencryptNumbers } from './reencrypt-numbers.ts'
import { addRegularJobs } from './regular-jobs.ts'

const mailPayload = z.object({
  mail: z.nullable(queuedMail),
  /** The end of its tries, in Unix milliseconds: its content is not valid for much longer. */
  until: z.nullable(z.number()),
})

const fileToMake = z.object({ fileId: z.coerce.bigint() })

/** How long jobs that are running may take to end, such as a mail whose server is silent. */
const JOBS_END_MS = 2_000

export type Worker = { stop(): Promise<void> }

/** Starts to process the queue; a job that fails is retried, with growing pauses. */
export async function startWorker(deps: {
  url: string
  connectionsMax: number
  db: Database
  mail: MailTransport
  cipher: SecretCipher
  /** Where the audit log's end is recorded. */
  heads: AuditHeads
  now: () => number
  timeZone: string
  consoleAt: string
  /** Whether webhooks may lead to private networks. */
  privateToo: boolean
  /** Compares chain and ledger, until the signal stops it. */
  compareWithChain: (signal: AbortSignal) => Promise<unknown>
  /** Reads the transactions of payouts to wallets on the chain. */
  readPayouts: (signal: AbortSignal) => Promise<unknown>
  /** Counts what is owed, and what is held, once for what was ordered at a time. Returns the count's number. */
  countOwed: (order: { orderedAt: Date; signal: AbortSignal }) => Promise<number>
  schedule: ScheduleRules
  /** Whom a push service may ask about what it is sent: an address of the web or of mail. */
  pushSender: string
  /** How often the locks of running jobs are renewed; other values in tests. */
  renewEveryMs?: number
  log: Log
}): Promise<Worker> {
  const { db, mail, renewEveryMs = RENEW_EVERY_MS, log } = deps
  const ending = new AbortController()
  const send = sendOnce({ db, mail, signal: ending.signal })
  /** A job that would do too much, or too early, by a clock that is ahead: it waits for a later run. */
  const whileClocksAgree = (job: () => Promise<unknown>) => async () => {
    if (!(await areClocksApart(db))) await job()
  }
  /** The same for a daily one, whose later run is that of the queue after a failure. */
  const onceClocksAgree =
    (work: (job: Job) => Promise<unknown>) =>
    async (_: unknown, { job }: JobHelpers) => {
      if (await areClocksApart(db)) throw new Error('the clocks disagree: this is done later')
      await work(job)
    }
  const taskList: TaskList = {
    [SEND_MAIL_JOB]: async (payload, { job }) => {
      const { mail: queued, until } = mailPayload.parse(payload)
      const noteLost = (id: string, error: string) =>
        noteGivenUp(db, { id, queuedAt: job.created_at, error })
      if (until !== null && deps.now() > until) {
        log.warn('a mail was too old to be sent')
        // One that was never tried waited for this process, and not for the mail server.
        if (queued && job.last_error !== null) await noteLost(queued.id, job.last_error)
        return
      }
      if (!queued) return
      const mail = decryptMail(deps.cipher, queued)
      await send(mail).catch(async (error: unknown) => {
        // A wrong address is nobody's fault here, and a code is of no use later.
        const ofNobody = error instanceof MailRefused && (until !== null || error.ofAddress)
        const isLast = until === null ? isLastTry(job) : deps.now() + AWAITED_PAUSE_MS > until
        if (!ofNobody || !(error.noSuchMailbox || isLast)) {
          if (until !== null) await limitPause(db, job.id)
          throw error
        }
        log.warn({ error: error.message }, 'a mail was given up')
        await noteLost(mail.id, error.message)
      })
    },
    'house-keeping': whileClocksAgree(async () => {
      await dropOldFiles(db)
      const gone = await prune(db, { signal: ending.signal })
      if (Object.keys(gone).length > 0) log.info(gone, 'old data was deleted')
      const browsers = await forgetSignedOutBrowsers(db)
      if (browsers > 0)
        log.info({ browsers }, 'browsers that nobody is signed in on were forgotten')
      const unused = await forgetUnusedDocuments(db)
      if (unused > 0) log.info({ unused }, 'unused pictures of documents were deleted')
      const visitors = await closeIdleVisitors(db, ending.signal)
      if (visitors > 0) log.info({ visitors }, 'accounts of idle visitors were closed')
      const pictures = await forgetUnusedPictures(db)
      if (pictures > 0) log.info({ pictures }, 'unused pictures were deleted')
    }),
    'release-deposits': whileClocksAgree(() => releaseHeldDeposits(deps)),
    'tell-of-limits': whileClocksAgree(() => notifyOfPossibleRaises(deps)),
    'alert-staff': async () => {
      await findAlerts(db)
      await sendAlerts({ ...deps, send }, ending.signal)
    },
    [SEND_PUSH_JOB]: async (payload, { job }) => {
      const messages = pushMessages.parse(payload)
      return sendPushes({ ...deps, sender: deps.pushSender }, messages, isLastTry(job))
    },
    [MAKE_OWN_DATA_JOB]: async (payload) => {
      await makeOwnData(deps, fileToMake.parse(payload).fileId, ending.signal)
    },
    'anonymise-closed': onceClocksAgree(async () => {
      const accounts = await anonymiseClosed(db, ending.signal)
      if (accounts > 0) log.info({ accounts }, 'closed accounts were anonymised')
    }),
    'count-rounds': whileClocksAgree(() => countAllRounds(db, ending.signal)),
    'find-signs': whileClocksAgree(async () => {
      const signs = await findSigns(deps)
      if (signs !== null) log.info({ found: signs }, 'early signs were looked for')
    }),
    'seal-audit-log': async () => {
      await signAuditLog(deps)
    },
    'write-audit-head': async () => {
      await writeAuditHead(deps)
    },
    'check-books': onceClocksAgree(() => checkNewBooks({ db, log })),
    'check-all-books': async (_, { job }) => {
      const patient = openDatabase(deps.url, { work: 'allBooks', connectionsMax: 1 })
      try {
        await checkAllBooks({ db: patient, log }, job.id)
      } finally {
        void patient.close()
      }
    },
    'compare-with-chain': (_, { withPgClient }) =>
      withPgClient((client) =>
        alone({ client, renewEveryMs }, 'compare-with-chain', () =>
          deps.compareWithChain(ending.signal),
        ),
      ),
    'read-payouts': async (_, { job, withPgClient }) => {
      if (await laterWaits(db, job)) return
      await withPgClient((client) =>
        alone({ client, renewEveryMs }, 'read-payouts', () => deps.readPayouts(ending.signal)),
      )
    },
    'count-owed': onceClocksAgree(async ({ created_at: orderedAt }) => {
      const count = await deps.countOwed({ orderedAt, signal: ending.signal })
      log.info({ count }, 'what is owed was counted')
    }),
    'report-returns': whileClocksAgree(async () => {
      const days = await reportReturns(deps, ending.signal)
      if (days.length > 0) log.info({ days }, 'returns were compared with theory')
    }),
    'snapshot-balances': whileClocksAgree(() => snapshotBalances(db, ending.signal)),
    'mark-accounts': async () => {
      const marked = await markAccounts(deps, ending.signal)
      if (marked > 0) log.debug({ marked }, 'accounts were marked by what they are recognised by')
    },
    'reencrypt-numbers': async () => {
      const { reencrypted, missing, broken } = await reencryptNumbers({ db, cipher: deps.cipher })
      if (reencrypted > 0) log.info({ reencrypted }, 'numbers were encrypted with the present key')
      for (const { keyId, rows } of missing) {
        log.error({ keyId, rows }, 'numbers wait for a key that SECRET_KEY lacks')
      }
      for (const row of broken)
        log.error(
          row,
          'an encrypted number was altered, or is refused by the database: it keeps its key',
        )
      for (const { keyId, marks } of await lostMarks(db, deps.cipher)) {
        log.warn(
          { keyId, marks },
          'excluded players are recognised by less: SECRET_KEY lacks a key',
        )
      }
    },
  }
  // The library does not wait for the end of a pool that it did not make, and does not handle its errors meanwhile.
  const queue = openQueuePool(deps.url, {
    connectionsMax: deps.connectionsMax,
    // The library does not handle this timeout.
    limits: { connectMs: 60_000 },
    onError: (error) => log.warn({ error: error.message }, 'a connection of the queue broke'),
  })
  const giveUp = new Set<() => Promise<unknown>>()
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:gracefulShutdown', ({ workerPool }) => {
    giveUp.add(async () => workerPool.forcefulShutdown('the process ends'))
  })
  freeJobs(events, { db, log })
  const regular = await addRegularJobs({ db, log })
  const runner = await run({
    events,
    pgPool: queue.pool,
    // Two queues of mails and two of pushes may wait for servers that are silent.
    concurrency: 6,
    pollInterval: 2_000,
    minResetLockedInterval: renewEveryMs,
    maxResetLockedInterval: renewEveryMs,
    noHandleSignals: true,
    parsedCronItems: [],
    taskList,
    logger: queueLogger(log),
  }).catch(async (error: unknown) => {
    await regular.stop()
    throw error
  })
  return {
    async stop() {
      ending.abort()
      const ended = Promise.all([regular.stop(), runner.stop()]).then(() => true)
      const late = sleep(JOBS_END_MS, false, { ref: false })
      // Those that are given up are tried again, by any process. (The library's own `kill` would leave them locked.)
      if (!(await Promise.race([ended, late])))
        await Promise.all([...giveUp].map((each) => each().catch(() => {})))
      await queue.end()
    },
  }
}

/**
 * Does a job that runs once at a time, unless it is running: a chain that answers slowly does not take the workers
 * of other jobs. The lock ends with its connection, which is used meanwhile: a balancer closes one that is silent for
 * long. A named queue of the library would stay locked for some minutes.
 */
async function alone(
  { client, renewEveryMs }: { client: ClientBase; renewEveryMs: number },
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_lock(hashtext($1)) as got',
    [name],
  )
  if (!rows[0]?.got) return
  const inUse = setInterval(() => void client.query('select').catch(() => {}), renewEveryMs)
  try {
    await work()
  } finally {
    clearInterval(inUse)
    // What was done is done, although the connection, and the lock with it, may have ended.
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]).catch(() => {})
  }
}

/** Whether a later job of the same task waits, which does the same. */
function laterWaits(db: Database, { id, task_identifier }: Job): Promise<boolean> {
  return db.exists(
    `select from graphile_worker.jobs where task_identifier = $1 and id > $2 and locked_at is null
       and attempts < max_attempts`,
    [task_identifier, id],
  )
}

function isLastTry({ attempts, max_attempts }: Job): boolean {
  return attempts >= max_attempts
}

/** The queue's own messages; none contains payloads, which hold codes. */
function queueLogger(log: Log): QueueLogger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ source: 'queue' }, message)
    else log.debug({ source: 'queue' }, message)
  })
}
