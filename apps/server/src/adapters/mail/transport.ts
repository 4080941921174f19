/** How mail leaves: through an SMTP server, or, in the demo, into a list that one can read. */
import { createTransport } from 'nodemailer'
import type { Mail } from './outbox.ts'

export type MailTransport = {
  /** Hands a mail over; rejects where it was not taken, and the queue tries again. */
  send(mail: Mail): Promise<void>
  close(): void
}

export function smtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport(
    { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as never,
    { from },
  )
  return {
    async send(mail) {
      await transport.sendMail(mail)
    },
    close: () => transport.close(),
  }
}

export type CapturedMail = Mail & {
  /** Unix milliseconds. */
  readonly at: number
}

const CAPTURED_MAX = 200

/** Keeps the latest mails in memory, newest first, for `GET /dev/mail`. */
export function capturedMail(): MailTransport & { readonly mails: readonly CapturedMail[] } {
  const mails: CapturedMail[] = []
  return {
    mails,
    async send(mail) {
      mails.unshift({ ...mail, at: Date.now() })
      mails.length = Math.min(mails.length, CAPTURED_MAX)
    },
    close() {},
  }
}
