/** Queues mail within the transaction that it belongs to. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Queryable, Transaction } from '#src/db/database.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** A mail with an id that stays the same through all of its tries. */
export type NamedMail = Mail & { readonly id: string }

/** A mail in the queue. What it says is encrypted, in base64: it may be a code, a link or a first password. */
export const queuedMail = z.object({
  id: z.string(),
  to: z.string(),
  encrypted: z.string(),
  keyId: z.string(),
})

export type QueuedMail = z.infer<typeof queuedMail>

/** The context of the encryption: what is meant for one address cannot be sent to another. */
function purposeOf({ id, to }: Pick<NamedMail, 'id' | 'to'>): string {
  return `mail ${id} to ${to}`
}

function sealMail(cipher: SecretCipher, { to, ...said }: Mail): QueuedMail {
  const named = { id: randomUUID(), to }
  const encrypted = cipher.encrypt(Buffer.from(JSON.stringify(said)), purposeOf(named))
  return { ...named, encrypted: encrypted.toString('base64'), keyId: cipher.keyId }
}

/** @throws as `cipher.decrypt` does */
export function decryptMail(
  cipher: SecretCipher,
  { id, to, encrypted, keyId }: QueuedMail,
): NamedMail {
  const said = cipher.decrypt(Buffer.from(encrypted, 'base64'), purposeOf({ id, to }), keyId)
  return { ...JSON.parse(said.toString()), id, to }
}

export type Outbox = {
  /**
   * Queues a mail that somebody waits for, such as a code. It is sent after the transaction commits, before the mails
   * of `sendAll`. It is not sent after {@link AWAITED_MINUTES}. Queuing no mail (null) takes the same time, so that the
   * time does not reveal who has an account.
   */
  send(tx: Transaction, mail: Mail | null): Promise<void>
  /** Queues any number of mails in one statement; each is tried for 15 hours. */
  sendAll(tx: Transaction, mails: readonly Mail[]): Promise<void>
}

export const SEND_MAIL_JOB = 'send-mail'

/** After how many minutes a mail that somebody waits for is not sent any more: the code in it is valid for as long. */
export const AWAITED_MINUTES = 10

/** How a mail is sent. Of the jobs that are due, that with the lowest priority is taken first. */
type Manner = { priority: number; minutes: number | null }
const AWAITED: Manner = { priority: -10, minutes: AWAITED_MINUTES }
const USUAL: Manner = { priority: 0, minutes: null }

/**
 * After its nth try the queue waits e^n s, and 6 hours at most: the twelfth try is 15 hours after the first. One whose
 * mailbox does not exist is tried once.
 */
const TRIES_MAX = 12

/**
 * After a fifth try, and each later one, an awaited mail waits as long as after a fifth: it is tried seven times in 6.5
 * minutes, and once more before {@link AWAITED_MINUTES}. Many servers take mail of a new sender only after five minutes.
 */
const SLOWEST_TRY = 5
export const AWAITED_PAUSE_MS = Math.exp(SLOWEST_TRY) * 1000

/** Limits the pause after a try of an awaited mail to {@link AWAITED_PAUSE_MS}. @param jobId of the try, which still runs */
export async function limitPause(db: Queryable, jobId: string): Promise<void> {
  await db.query(
    'update graphile_worker._private_jobs set attempts = least(attempts, $2) where id = $1',
    [jobId, SLOWEST_TRY],
  )
}

/** SQL: whether a job's mail is an awaited one, whose address anybody may have typed. All others go to proved addresses. */
export const IS_AWAITED = 'priority < 0'

/**
 * The outbox in the database's job queue. Its mails are in two queues, each worked on one after the other, so that a mail
 * server that is silent delays no other work.
 */
export const queueOutbox: Outbox = {
  send: (tx, mail) => queue(tx, [mail], AWAITED),
  async sendAll(tx, mails) {
    if (mails.length > 0) await queue(tx, mails, USUAL)
  },
}

async function queue(
  tx: Transaction,
  mails: readonly (Mail | null)[],
  { priority, minutes }: Manner,
): Promise<void> {
  const { cipher } = tx
  if (!cipher) throw new Error('a mail is queued through a database without a cipher')
  const sealed = mails.map((mail) => mail && sealMail(cipher, mail))
  await tx.query(
    `select graphile_worker.add_job($1,
       json_build_object('mail', mail,
         'until', extract(epoch from app.now() + make_interval(mins => $5)) * 1000),
       queue_name := 'mail ' || (random() < 0.5)::integer, priority := $3, max_attempts := $4)
     from json_array_elements($2::json) mail`,
    [SEND_MAIL_JOB, JSON.stringify(sealed), priority, TRIES_MAX, minutes],
  )
}
