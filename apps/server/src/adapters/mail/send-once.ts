/** Sends a queued mail once, although its job may run again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway, type Queryable } from '#src/db/database.ts'
import type { NamedMail } from './outbox.ts'
import { type MailTransport, refusedAddress } from './transport.ts'

/** How long to retry recording that the server accepted a mail, while the database is down. */
const RECORD_WITHIN_MS = 60_000
const RECORD_AGAIN_MS = 500

/**
 * Notes that a mail was not taken in time: staff are told. One whose address was refused for good is not noted.
 * @param mail `queuedAt` by the queue's clock; `error`: what its last try said
 */
export async function noteGivenUp(
  db: Queryable,
  { id, queuedAt, error }: { id: string; queuedAt: Date; error: string },
): Promise<void> {
  await db.query(
    `insert into app.sent_mail (mail_id, sent_at, given_up, of_address)
     select $1, app.now() - (now() - $2::timestamptz), true, ${refusedAddress('$3::text', '___')}
     where not ${refusedAddress('$3::text')} on conflict do nothing`,
    [id, queuedAt, error],
  )
}

export type SendOnce = (mail: NamedMail) => Promise<void>

/**
 * The queue marks a job as done after it ran: if the database is slow or down at that moment, the job runs again. So
 * this code records each mail that the mail server accepted, by the mail's id and at once, and checks that record
 * before each try. This process also remembers what it could not record yet.
 *
 * Two cases remain: the process is killed between the server's answer and the record, or the answer is lost on the
 * network. Then the mail is sent twice, both times with the same Message-ID, by which mailboxes can detect it (RFC
 * 5322, 3.6.4).
 */
export function sendOnce(deps: {
  db: Queryable
  mail: MailTransport
  /** Stops waiting for a database that is down. */
  signal: AbortSignal
}): SendOnce {
  const { db, mail, signal } = deps
  const taken = new Set<string>()

  return async (content) => {
    const { id } = content
    if (!taken.has(id)) {
      if (await db.exists(`select from app.sent_mail where mail_id = $1`, [id])) return
      await mail.send(content)
      taken.add(id)
    }
    await recordSent(id)
    taken.delete(id)
  }

  async function recordSent(id: string): Promise<void> {
    const end = performance.now() + RECORD_WITHIN_MS
    for (;;) {
      try {
        await db.query(`insert into app.sent_mail (mail_id) values ($1) on conflict do nothing`, [
          id,
        ])
        return
      } catch (error) {
        const over = signal.aborted || performance.now() > end
        if (over || !isDatabaseAway(error)) throw error
      }
      await sleep(RECORD_AGAIN_MS, undefined, { signal }).catch(() => {})
    }
  }
}
