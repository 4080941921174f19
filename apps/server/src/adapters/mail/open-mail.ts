import type { Config } from '#src/config.ts'
import { type CapturedMail, capturedMail, type MailTransport, smtpTransport } from './transport.ts'

/** The mail of the configuration: sent by SMTP, or captured where no server is named. */
export function openMail(deps: {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>
  tuning: { mailTimeoutMs?: number }
  ending: AsyncDisposableStack
}): {
  transport: MailTransport
  /** Captured mail, newest first; null where mail is sent. */
  captured: readonly CapturedMail[] | null
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
  const transport = capturedMail()
  ending.defer(() => transport.close())
  return { transport, captured: transport.mails }
}
