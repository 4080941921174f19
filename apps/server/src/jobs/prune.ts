/** Deletes old data in small steps. */
import { SEND_MAIL_JOB } from '#src/adapters/mail/outbox.ts'
import type { Database } from '#src/db/database.ts'
import { SEND_PUSH_JOB } from '#src/modules/inbox/notify.ts'

/** Sessions after their last use, and remembered devices after they expired. */
const SESSIONS_DAYS = 30

/** Messages to players. */
const MESSAGES_DAYS = 365

/** Records that a mail was sent or given up, and the codes in it, long used or expired. */
const MAIL_DAYS = 30

/** Idempotency keys and their answers: what the wire promises. */
const KEYS_DAYS = 7

/** How long a network is known after a player's last sign-in from it: `own_account.idle_before` looks back as far. */
const NETWORKS_DAYS = 90

/** How long a device is known: as long as its cookie lives. */
const DEVICES_DAYS = 400

/** No count looks back further. */
const COUNTS_DAYS = 2

/** The list of winners is of 24 hours. */
const WINNERS_DAYS = 2

/** Rows that one statement deletes: few enough to hold locks only briefly and to spread the write-ahead log. */
const BATCH = 1_000

type Kind = { table: string; age: string; days: number }

/** For each table the column that shows a row's age; it has an index. */
export const KINDS: readonly Kind[] = [
  { table: 'accounts.session', age: 'seen_at', days: SESSIONS_DAYS },
  { table: 'accounts.remembered_device', age: 'expires_at', days: SESSIONS_DAYS },
  { table: 'accounts.email_code', age: 'created_at', days: MAIL_DAYS },
  { table: 'accounts.known_network', age: 'last_at', days: NETWORKS_DAYS },
  { table: 'accounts.known_device', age: 'last_at', days: DEVICES_DAYS },
  { table: 'accounts.security_link', age: 'made_at', days: MAIL_DAYS },
  { table: 'accounts.counter', age: 'last_at', days: COUNTS_DAYS },
  { table: 'app.sent_mail', age: 'sent_at', days: MAIL_DAYS },
  { table: 'staff.alert_delivery', age: 'sent_at', days: MAIL_DAYS },
  { table: 'staff.alert', age: 'ended_at', days: MAIL_DAYS },
  { table: 'inbox.message', age: 'created_at', days: MESSAGES_DAYS },
  { table: 'bets.winner', age: 'settled_at', days: WINNERS_DAYS },
  { table: 'app.request_key', age: 'created_at', days: KEYS_DAYS },
]

/**
 * Deletes expired rows, step by step, each step in its own transaction, until none is left or the signal stops it. A
 * row that is locked at that moment stays for the next run.
 *
 * @returns the number of deleted rows, for each table with any
 */
export async function prune(
  db: Database,
  { signal, batch = BATCH }: { signal?: AbortSignal; batch?: number } = {},
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const { table, age, days } of KINDS) {
    for (;;) {
      if (signal?.aborted) return gone
      // The time in a subquery: a volatile function call for each row would prevent the use of the index.
      const rows = await db.query(
        `delete from ${table} where ctid = any (array(
           select ctid from ${table}
           where ${age} < (select app.now() - make_interval(days => $1))
           order by ${age} limit $2 for update skip locked))
         returning 1`,
        [days, batch],
      )
      if (rows.length > 0) gone[table] = (gone[table] ?? 0) + rows.length
      if (rows.length < batch) break
    }
  }
  const failed = await pruneFailed(db)
  if (failed > 0) gone[FAILED_JOBS] = failed
  return gone
}

const FAILED_JOBS = 'graphile_worker.jobs'

/** Deletes mails and pushes that were given up: they hold addresses and codes. Others wait for a person. */
async function pruneFailed(db: Database): Promise<number> {
  const rows = await db.query(
    `select from graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs where attempts >= max_attempts
         and task_identifier = any ($1) and created_at < now() - make_interval(days => $2)))`,
    [[SEND_MAIL_JOB, SEND_PUSH_JOB], MAIL_DAYS],
  )
  return rows.length
}
