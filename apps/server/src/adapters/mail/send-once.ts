/** Sends a queued mail once, although the job that sends it may be begun again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway, type Queryable } from '#src/db/database.ts'
import type { NamedMail } from './outbox.ts'
import type { MailTransport } from './transport.ts'

/** How long to go on writing down that a mail was taken, while the database is away. */
const MARK_WITHIN_MS = 60_000
const MARK_AGAIN_MS = 500

type SendOnce = (mail: NamedMail) => Promise<void>

/**
 * A queue tells that a job is done after it was done: where the database is slow or away just then,
 * the job is begun again. So what the mail server took is written down under the mail's id right
 * away, and looked up before each try; this process also knows what it could not write down yet.
 *
 * What is left: a process that is killed between the server's word and the note, or a server whose
 * word is lost on the way. Then the mail goes out twice, both times with the same Message-ID, by
 * which mailboxes may know it (RFC 5322, 3.6.4).
 */
export function sendOnce(deps: {
  db: Queryable
  mail: MailTransport
  /** Ends the waiting for a database that is away. */
  signal: AbortSignal
}): SendOnce {
  const { db, mail, signal } = deps
  const taken = new Set<string>()

  return async (content) => {
    const { id } = content
    if (!taken.has(id)) {
      if (await wasSent(db, id)) return
      await mail.send(content)
      taken.add(id)
    }
    await markSent(id)
    taken.delete(id)
  }

  async function markSent(id: string): Promise<void> {
    const end = performance.now() + MARK_WITHIN_MS
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
      await sleep(MARK_AGAIN_MS, undefined, { signal }).catch(() => {})
    }
  }
}

async function wasSent(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(`select from app.sent_mail where mail_id = $1`, [id])
  return rows.length > 0
}
