/** The settings as the console shows them: the terms that hold, what else decides about players, and no secret. */
import { formatAmount } from '@sum28/domain/money.ts'
import type { Resources } from '#src/resources.ts'
import type { StoredTerms } from './stored-terms.ts'

/** Their names are those of the environment; a value is text, and empty if nothing is set. Secrets are not among them. */
export function shownSettings(
  config: Omit<Resources['config'], keyof StoredTerms> & StoredTerms,
): { name: string; value: string }[] {
  const { schedule, beacon, withdrawals, protection, adjustmentsMax, tron } = config
  const limitsBy = (by: 'law' | 'operator') =>
    protection.limits
      .filter(({ source }) => source === by)
      .map(({ kind, period, amount }) => `${kind} ${period} ${formatAmount(amount)}`)
      .join(', ')
  const shown: Record<string, string | number | null> = {
    PROFILE: config.profile,
    ROLE: config.role,
    PUBLIC_URL: config.publicUrl,
    CONSOLE_URL: config.consoleUrl,
    LINES: config.lines?.join(', ') ?? null,
    TRUSTED_PROXIES: config.trustedProxies.join(', '),
    RATE_LIMITS: config.rateLimits ? 'on' : 'off',
    GAME_TIMEZONE: protection.timeZone,
    OPENING_HOURS: config.openingHours,
    ROUND_SECONDS: schedule.roundMs / 1000,
    SEAL_SECONDS: schedule.sealMs / 1000,
    BEACON: beacon.kind,
    BEACON_DEADLINE_SECONDS: beacon.deadlineMs / 1000,
    // Addresses of nodes and of the mail server may hold keys and passwords.
    TRON_API_URL: tron
      ? [tron.apiUrl, tron.secondApiUrl].flatMap((url) => (url ? hostOf(url) : [])).join(', ')
      : 'the local one',
    TRON_USDT_CONTRACT: tron?.usdtContract ?? null,
    SMTP_URL: config.smtpUrl ? hostOf(config.smtpUrl) : 'captured',
    MAIL_FROM: config.mailFrom,
    WITHDRAWAL_HOLD_HOURS: withdrawals.holdMs / 3_600_000,
    WITHDRAWAL_TWO_PERSONS_FROM: formatAmount(withdrawals.twoPersonsFrom),
    ADJUSTMENTS_MAX: Object.entries(adjustmentsMax)
      .map(([role, amount]) => `${role} ${formatAmount(amount)}`)
      .join(', '),
    PAYOUT_MAX: formatAmount(config.payoutMax),
    LIMITS_BY_LAW: limitsBy('law'),
    LIMITS_BY_OPERATOR: limitsBy('operator'),
    CLOSED_ACCOUNT_KEPT_DAYS: config.closedKeptDays,
    SUPPORT_URL: config.supportUrl,
    SUPPORT_EMAIL: config.supportEmail,
    ROBOTS: config.robots ? 'on' : 'off',
    WITNESSES: config.witnesses.length,
    LOG_LEVEL: config.logLevel,
    OTEL_EXPORTER_OTLP_ENDPOINT: config.tracesTo ? hostOf(config.tracesTo) : null,
  }
  return Object.entries(shown).map(([name, value]) => ({ name, value: String(value ?? '') }))
}

function hostOf(url: string): string {
  return new URL(url).host
}
