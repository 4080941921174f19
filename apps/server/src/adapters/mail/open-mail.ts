import type { Config } from '#src/config.ts'
import type { Queryable } from '#src/db/database.ts'
import { type CapturedMails, capturedMail, type MailTransport, smtpTransport } from './transport.ts'

/** The mail transport of the configuration: SMTP, or captured if no server is configured. */
export function openMail(deps: {
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
