/** Queues mail within the transaction that it belongs to. */
import { randomUUID } from 'node:crypto'
import type { Transaction } from '#src/db/database.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** A mail with an id that stays the same through all of its tries. */
export type NamedMail = Mail & { readonly id: string }

export type Outbox = {
  /**
   * Queues a mail that somebody waits for, such as a code. It is sent after the transaction commits, before the mails
   * of `sendAll`, and retried until it is sent. Queuing no mail (null) takes the same time, so that the time does not
   * reveal who has an account.
   */
  send(tx: Transaction, mail: Mail | null): Promise<void>
  /** Queues any number of mails in one statement. */
  sendAll(tx: Transaction, mails: readonly Mail[]): Promise<void>
}

export const SEND_MAIL_JOB = 'send-mail'

/** Priorities of jobs: of those that are due, the lowest number is taken first. */
const AWAITED = -10
const USUAL = 0

/** The outbox in the database's job queue. */
export const queueOutbox: Outbox = {
  send: (tx, mail) => queue(tx, [mail], AWAITED),
  async sendAll(tx, mails) {
    if (mails.length > 0) await queue(tx, mails, USUAL)
  },
}

async function queue(
  tx: Transaction,
  mails: readonly (Mail | null)[],
  priority: number,
): Promise<void> {
  const named = mails.map((mail) => mail && ({ id: randomUUID(), ...mail } satisfies NamedMail))
  await tx.query(
    `select graphile_worker.add_job($1, mail, max_attempts := 12, priority := $3)
     from json_array_elements($2::json) mail`,
    [SEND_MAIL_JOB, JSON.stringify(named), priority],
  )
}
