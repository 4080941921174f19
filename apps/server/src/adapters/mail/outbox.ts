/** Where mail is put to be sent: in the queue, within the transaction that it belongs to. */
import type { Transaction } from '#src/db/database.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type Outbox = {
  /**
   * Queues a mail. It is sent once the transaction is committed, and tried again until it is. No mail
   * (null) takes as long to queue, so that the time does not tell who has an account.
   */
  send(tx: Transaction, mail: Mail | null): Promise<void>
}

export const SEND_MAIL_JOB = 'send-mail'

/** The outbox in the database's job queue. */
export const queueOutbox: Outbox = {
  async send(tx, mail) {
    await tx.query(`select graphile_worker.add_job($1, $2::json, max_attempts := 12)`, [
      SEND_MAIL_JOB,
      JSON.stringify(mail),
    ])
  },
}
