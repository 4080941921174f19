/** Sends mail: through an SMTP server, or, in the demo, into a list that can be read. */
import { createTransport } from 'nodemailer'
import type { Config } from '#src/config.ts'
import type { Queryable } from '#src/db/database.ts'
import type { Mail, NamedMail } from './outbox.ts'

export type MailTransport = {
  /**
   * Sends a mail; rejects if the server did not accept it, and the queue tries again. The mail's id becomes the
   * Message-ID, the same at each try.
   */
  send(mail: NamedMail): Promise<void>
  close(): void
}

/** The mail server did not take a mail. Its message is logged, and names nobody. */
export class MailRefused extends Error {
  /** Whether it refused the address that the mail is for, and not us or the mail. */
  readonly ofAddress: boolean
  /** Whether it said so for good. */
  readonly forGood: boolean
  /**
   * Whether it said that there is no such mailbox (RFC 3463, X.1.1 to X.1.3, X.1.6 and X.1.10). A refusal for another
   * reason, such as a relay that does not know us, may end, although it was said for good.
   */
  readonly noSuchMailbox: boolean

  constructor({ code, responseCode = 0, command, response = '' }: SmtpFault) {
    const step = code === 'EENVELOPE' ? command : undefined
    const why = [code, responseCode, step].filter(Boolean).join(' ')
    super(`the mail server did not take the mail (${why || 'no reason given'})`)
    this.ofAddress = step === 'RCPT TO'
    this.forGood = responseCode >= 500
    this.noSuchMailbox = this.ofAddress && /^55\d[ -]5\.1\.([1-36]|10)\b/.test(response)
  }
}

type SmtpFault = { code?: string; responseCode?: number; command?: string; response?: string }

/** In SQL, of a text: whether it is of a {@link MailRefused} that refused the address, for good unless told (`___`). */
export const refusedAddress = (text: string, code = '5__') =>
  `${text} like '%(EENVELOPE ${code} RCPT TO)%'`

const ANSWER_TIMEOUT_MS = 10_000

export function smtpTransport(options: {
  url: string
  from: string
  /** {@link ANSWER_TIMEOUT_MS} by default; shorter in tests. */
  timeoutMs?: number | undefined
}): MailTransport {
  const { url, from, timeoutMs = ANSWER_TIMEOUT_MS } = options
  const transport = createTransport(
    {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: 2 * timeoutMs,
    } as never,
    // Holiday notices and help desks do not answer such a mail (RFC 3834).
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, ...mail }) {
      try {
        await transport.sendMail({ ...mail, messageId: `<${id}@${domain}>` })
      } catch (error) {
        // Errors of servers and of the library contain the address.
        throw new MailRefused(error as SmtpFault)
      }
    },
    close: () => transport.close(),
  }
}

export type CapturedMail = Mail & {
  /** Unix milliseconds. */
  readonly at: number
}

/** Mail that can be read instead of being sent. */
export type CapturedMails = {
  latest(): Promise<CapturedMail[]>
}

const CAPTURED_MAX = 200

/** Stores the latest mails in the database, where `GET /dev/mail` of every process reads them. */
export function capturedMail(db: Queryable): MailTransport & CapturedMails {
  return {
    async send({ id, to, subject, text }) {
      await db.query(
        `with old as (
           delete from app.captured_mail where number in (
             select number from app.captured_mail order by number desc offset $5))
         insert into app.captured_mail (mail_id, to_address, subject, body)
         values ($1, $2, $3, $4) on conflict do nothing`,
        [id, to, subject, text, CAPTURED_MAX],
      )
    },
    latest: () =>
      db.query<CapturedMail>(
        `select to_address as "to", subject, body as text,
           (extract(epoch from captured_at) * 1000)::float8 as at
         from app.captured_mail order by number desc limit $1`,
        [CAPTURED_MAX],
      ),
    close() {},
  }
}

/** The mail transport of the configuration: SMTP, or captured if no server is configured. */
export function openTransport(deps: {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>
  db: Queryable
  tuning: { mailTimeoutMs?: number }
  ending: AsyncDisposableStack
}): {
  transport: MailTransport
  /** Null if mail is sent by SMTP. */
  captured: CapturedMails | null
} {
  const { config, tuning, ending } = deps
  if (config.smtpUrl) {
    const transport = smtpTransport({
      url: config.smtpUrl,
      from: config.mailFrom,
      timeoutMs: tuning.mailTimeoutMs,
    })
    ending.defer(() => transport.close())
    return { transport, captured: null }
  }
  const transport = capturedMail(deps.db)
  ending.defer(() => transport.close())
  return { transport, captured: transport }
}
