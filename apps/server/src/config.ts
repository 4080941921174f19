/** The environment: read once, checked, typed. No other file looks at process.env. */
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Amount } from '@sum28/domain/money.ts'
import { parseOpeningHours, type ScheduleRules } from '@sum28/domain/schedule.ts'
import * as z from 'zod'
import { isTronAddress } from '#src/adapters/chain/tron-address.ts'
import { readS3Url, type S3Place } from '#src/adapters/files/s3-place.ts'
import { StartError } from '#src/adapters/postgres/start-error.ts'
import type { Retention } from '#src/jobs/prune.ts'
import { readHouseLimits } from '#src/modules/protection/house-limits.ts'
import type { ProtectionTerms } from '#src/modules/protection/protection-terms.ts'
import type { AdjustmentLimits } from '#src/modules/wallet/adjustment-limits.ts'
import type { WithdrawalTerms } from '#src/modules/withdrawals/withdrawal-terms.ts'
import { networkFault } from '#src/network-of.ts'
import { requireFloors } from '#src/production-floors.ts'

const flag = z.enum(['on', 'off'])
const wholeNumber = z.coerce.number().int('must be a whole number')

/** An address, alone or after a name. */
const SENDER = /^([^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/
const hostUrl = z.url({ protocol: /^https?$/ })

/** Limits that hold for every player, such as `deposit day 1000, loss month 5000`. */
function houseLimits(source: 'law' | 'operator') {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return readHouseLimits(source, text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: `is wrong: it ${(error as Error).message}` })
        return z.NEVER
      }
    })
}

const variables = z.object({
  PROFILE: z.enum(['demo', 'production']).default('demo'),
  ROLE: z.enum(['all', 'api', 'engine', 'jobs', 'migrate']).default('all'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_REPLICA_URL: z.string().default('').superRefine(replicaFaults),
  REPLICA_LAG_MAX_SECONDS: wholeNumber.min(1).max(60).default(5),
  DRAIN_SECONDS: wholeNumber.min(0).max(60).default(0),
  PUBLIC_URL: hostUrl.optional(),
  CONSOLE_URL: hostUrl.optional(),
  TRUSTED_PROXIES: z.string().default('127.0.0.0/8,::1').superRefine(proxyFaults),
  GAME_TIMEZONE: z
    .string()
    .default('Asia/Singapore')
    .refine(isTimeZone, 'is not an IANA time zone such as Asia/Singapore'),
  OPENING_HOURS: z
    .string()
    .refine((text) => parseOpeningHours(text) !== null, 'is not hours such as 10:00-02:00')
    .optional(),
  ROUND_SECONDS: wholeNumber.min(6).max(3600).default(210),
  SEAL_SECONDS: wholeNumber.min(1).max(1800).default(30),
  BEACON: z.enum(['local', 'drand']).optional(),
  BEACON_DEADLINE_SECONDS: z.coerce.number().min(1).max(86_400).default(600),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .regex(SENDER, 'is not an address such as Sum28 <no-reply@example.com>')
    .default('Sum28 <no-reply@localhost>'),
  TRON_API_URL: hostUrl.optional(),
  TRON_API_KEY: z.string().optional(),
  TRON_XPUB: z.string().optional(),
  TRON_USDT_CONTRACT: z.string().refine(isTronAddress, 'is not a TRON address').optional(),
  LINES: z.string().optional(),
  SUPPORT_URL: hostUrl.optional(),
  SUPPORT_EMAIL: z.email().optional(),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_PREVIOUS: z
    .string()
    .refine(
      (text) => commaList(text).every((key) => key.length >= 32),
      'holds a key of less than 32 characters',
    )
    .optional(),
  WITHDRAWAL_TWO_PERSONS_FROM: z.coerce.number().min(0).max(1_000_000_000).default(10_000),
  ADJUSTMENT_MAX_SUPPORT: z.coerce.number().min(0).max(1_000_000_000).default(50),
  ADJUSTMENT_MAX_FINANCE: z.coerce.number().min(0).max(1_000_000_000).default(1_000),
  ADJUSTMENT_MAX_OWNER: z.coerce.number().min(0).max(1_000_000_000).default(10_000),
  WITHDRAWAL_HOLD_HOURS: z.coerce.number().min(0).max(720).optional(),
  KEEP_SESSIONS_DAYS: wholeNumber.min(2).max(3_650).default(30),
  KEEP_MESSAGES_DAYS: wholeNumber.min(30).max(36_500).default(365),
  KEEP_MAIL_DAYS: wholeNumber.min(7).max(3_650).default(30),
  KEEP_KEYS_DAYS: wholeNumber.min(7).max(3_650).default(7),
  KEEP_PICTURES_DAYS: wholeNumber.min(1).max(3_650).default(30),
  PAYOUT_MAX: wholeNumber.min(1).max(1_000_000_000).default(1_000_000),
  LIMITS_BY_LAW: houseLimits('law'),
  LIMITS_BY_OPERATOR: houseLimits('operator'),
  REALITY_CHECK_MINUTES: wholeNumber.min(15).max(240).default(60),
  SESSION_BREAK_MINUTES: wholeNumber.min(5).max(240).default(30),
  CLOSED_ACCOUNT_KEPT_DAYS: wholeNumber.min(30).max(36_500).default(1_826),
  ROBOTS: flag.optional(),
  STREAMS_MAX: wholeNumber.min(100).max(100_000).default(10_000),
  S3_URL: z
    .string()
    .refine((text) => readS3Url(text) !== null, 'is not https://key:secret@host/bucket?region=…')
    .optional(),
  NATS_URL: z.url({ protocol: /^(nats|tls)$/ }).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  RATE_LIMITS: flag.default('on'),
  METRICS_TOKEN: z.string().min(16).optional(),
  ALLOW_IN_PRODUCTION: z.string().default(''),
})

export type Variable = keyof z.infer<typeof variables>

/** Every variable that exists, for `.env.example` and its test. */
export const VARIABLES = Object.keys(variables.shape) as Variable[]

/** Which drivers a process runs: requests of players and staff, rounds, jobs. */
export type Role = z.infer<typeof variables>['ROLE']

export type Config = {
  readonly profile: 'demo' | 'production'
  readonly role: Role
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** Replicas for reads that may be slightly stale, as `host:port`, and their greatest lag. */
  readonly replicas: { readonly addresses: readonly string[]; readonly lagMaxMs: number }
  /**
   * How long a stopping process still answers, marked as not ready, until the load balancer sends it no more
   * requests.
   */
  readonly drainMs: number
  /** Null: derived from the port in use. */
  readonly publicUrl: string | null
  /** The console's own origin; null if it shares the app's. */
  readonly consoleUrl: string | null
  /** Addresses and networks in CIDR that are trusted to report a client's address. */
  readonly trustedProxies: readonly string[]
  readonly openingHours: string
  readonly schedule: ScheduleRules
  readonly beacon: { readonly kind: 'local' | 'drand'; readonly deadlineMs: number }
  /** Null: mail is captured, and can be read at /dev/mail. */
  readonly smtpUrl: string | null
  /** Null: events between processes use the database. */
  readonly natsUrl: string | null
  /** Where pictures are stored; null: in the data folder. */
  readonly s3: S3Place | null
  readonly mailFrom: string
  /** Null: the local chain. */
  readonly tron: {
    readonly apiUrl: string
    readonly apiKey: string | null
    readonly xpub: string
    readonly usdtContract: string | null
  } | null
  readonly lines: readonly [string, string] | null
  readonly supportUrl: string | null
  readonly supportEmail: string | null
  readonly secretKey: string | null
  /** Earlier secret keys: what they encrypted must still be decrypted. */
  readonly secretKeysPrevious: readonly string[]
  readonly withdrawals: WithdrawalTerms
  readonly adjustmentsMax: AdjustmentLimits
  readonly retention: Retention
  /** The greatest total payout of all bets of one player in one round. */
  readonly payoutMax: Amount
  readonly protection: ProtectionTerms
  /** How long the personal data of a closed account is kept. */
  readonly closedKeptDays: number
  readonly robots: boolean
  /** How many streams may be open of one process. */
  readonly streamsMax: number
  readonly logLevel: string
  readonly rateLimits: boolean
  readonly metricsToken: string | null
  /** Where traces are sent; null: nowhere. */
  readonly tracesTo: string | null
}

/**
 * Reads and checks the environment.
 *
 * @param environment the process's variables and those of `.env`
 * @throws StartError that names each invalid variable and why
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    VARIABLES.map((name) => [name, environment[name]?.trim() || undefined]),
  )
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0])
      return `${name}=${shown(name, given[name])} ${faultText(issue.message)}`
    })
    throw new StartError(`The environment is wrong: ${faults.join('; ')}. See .env.example.`)
  }
  const env = parsed.data
  if (environment.NODE_ENV === 'production' && given.PROFILE === undefined) {
    throw new StartError(
      'NODE_ENV=production says that this is no demo, and PROFILE says nothing: set PROFILE=production, or PROFILE=demo to run the demo all the same.',
    )
  }
  const production = env.PROFILE === 'production'

  if (env.SEAL_SECONDS >= env.ROUND_SECONDS) {
    throw new StartError(
      `The environment is wrong: SEAL_SECONDS=${env.SEAL_SECONDS} must be less than ROUND_SECONDS=${env.ROUND_SECONDS}.`,
    )
  }
  const openingHours = env.OPENING_HOURS ?? (production ? '10:00-02:00' : '00:00-24:00')
  const hours = parseOpeningHours(openingHours)
  if (!hours) throw new Error('the default opening hours do not parse')
  const holdHours = env.WITHDRAWAL_HOLD_HOURS ?? (production ? 24 : 0)
  const beaconKind = env.BEACON ?? (production ? 'drand' : 'local')

  if (env.ROLE !== 'all' && !(env.DATABASE_URL && env.SECRET_KEY)) {
    throw new StartError(
      `The environment is wrong: ROLE=${env.ROLE} needs DATABASE_URL and SECRET_KEY, which all processes have in common.`,
    )
  }
  if (env.DATABASE_REPLICA_URL && !env.DATABASE_URL) {
    throw new StartError(
      'The environment is wrong: DATABASE_REPLICA_URL is set and DATABASE_URL is not; the embedded database has no replicas.',
    )
  }
  if (env.TRON_API_URL && !env.TRON_XPUB) {
    throw new StartError(
      'The environment is wrong: TRON_API_URL is set and TRON_XPUB is not; without it no deposit address can be made.',
    )
  }
  if (production) {
    if (!env.SECRET_KEY)
      throw new StartError('PROFILE=production needs SECRET_KEY: 32 random characters or more.')
    if (!env.PUBLIC_URL)
      throw new StartError('PROFILE=production needs PUBLIC_URL: the address that players open.')
    if (env.RATE_LIMITS === 'off')
      throw new StartError('RATE_LIMITS=off is for the demo profile alone.')
    requireFloors(
      {
        secretKey: env.SECRET_KEY,
        secretKeysPrevious: commaList(env.SECRET_KEY_PREVIOUS ?? ''),
        publicUrl: env.PUBLIC_URL,
        otherUrls: [...(readLines(env.LINES) ?? []), ...(env.CONSOLE_URL ? [env.CONSOLE_URL] : [])],
        tronApiUrl: env.TRON_API_URL ?? null,
        beacon: beaconKind,
        smtpUrl: env.SMTP_URL ?? null,
        natsUrl: env.NATS_URL ?? null,
        s3Url: env.S3_URL ?? null,
        roundSeconds: env.ROUND_SECONDS,
        sealSeconds: env.SEAL_SECONDS,
        beaconDeadlineSeconds: env.BEACON_DEADLINE_SECONDS,
        holdHours,
        twoPersonsFrom: env.WITHDRAWAL_TWO_PERSONS_FROM,
      },
      commaList(env.ALLOW_IN_PRODUCTION),
    )
  }

  return {
    profile: env.PROFILE,
    role: env.ROLE,
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    replicas: {
      addresses: commaList(env.DATABASE_REPLICA_URL).map((text) => new URL(text).host),
      lagMaxMs: env.REPLICA_LAG_MAX_SECONDS * 1000,
    },
    drainMs: env.DRAIN_SECONDS * 1000,
    publicUrl: env.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    consoleUrl: readConsoleUrl(env.CONSOLE_URL, env.PUBLIC_URL),
    trustedProxies: proxyList(env.TRUSTED_PROXIES),
    openingHours,
    schedule: {
      timeZone: env.GAME_TIMEZONE,
      ...hours,
      roundMs: env.ROUND_SECONDS * 1000,
      sealMs: env.SEAL_SECONDS * 1000,
    },
    beacon: { kind: beaconKind, deadlineMs: env.BEACON_DEADLINE_SECONDS * 1000 },
    smtpUrl: env.SMTP_URL ?? null,
    natsUrl: env.NATS_URL ?? null,
    s3: env.S3_URL ? readS3Url(env.S3_URL) : null,
    mailFrom: env.MAIL_FROM,
    tron:
      env.TRON_API_URL && env.TRON_XPUB
        ? {
            apiUrl: env.TRON_API_URL.replace(/\/$/, ''),
            apiKey: env.TRON_API_KEY ?? null,
            xpub: env.TRON_XPUB,
            usdtContract: env.TRON_USDT_CONTRACT ?? null,
          }
        : null,
    lines: readLines(env.LINES),
    supportUrl: env.SUPPORT_URL ?? null,
    supportEmail: env.SUPPORT_EMAIL ?? null,
    secretKey: env.SECRET_KEY ?? null,
    secretKeysPrevious: commaList(env.SECRET_KEY_PREVIOUS ?? ''),
    withdrawals: {
      holdMs: Math.round(holdHours * 3_600_000),
      twoPersonsFrom: inMicro(env.WITHDRAWAL_TWO_PERSONS_FROM),
    },
    adjustmentsMax: {
      support: inMicro(env.ADJUSTMENT_MAX_SUPPORT),
      finance: inMicro(env.ADJUSTMENT_MAX_FINANCE),
      owner: inMicro(env.ADJUSTMENT_MAX_OWNER),
    },
    retention: {
      sessions: env.KEEP_SESSIONS_DAYS,
      messages: env.KEEP_MESSAGES_DAYS,
      mail: env.KEEP_MAIL_DAYS,
      keys: env.KEEP_KEYS_DAYS,
      pictures: env.KEEP_PICTURES_DAYS,
    },
    payoutMax: inMicro(env.PAYOUT_MAX),
    protection: {
      timeZone: env.GAME_TIMEZONE,
      sessionBreakMs: env.SESSION_BREAK_MINUTES * 60_000,
      checkEveryMs: env.REALITY_CHECK_MINUTES * 60_000,
      limits: [...env.LIMITS_BY_LAW, ...env.LIMITS_BY_OPERATOR],
    },
    closedKeptDays: env.CLOSED_ACCOUNT_KEPT_DAYS,
    robots: (env.ROBOTS ?? (production ? 'off' : 'on')) === 'on',
    streamsMax: env.STREAMS_MAX,
    logLevel: env.LOG_LEVEL,
    rateLimits: env.RATE_LIMITS === 'on',
    metricsToken: env.METRICS_TOKEN ?? null,
    tracesTo: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  }
}

/** The process's environment; variables that it does not set come from `.env`. */
export function environmentWithFile(file = '.env'): Record<string, string | undefined> {
  if (!existsSync(file)) return process.env
  return { ...parseEnv(readFileSync(file, 'utf8')), ...process.env }
}

/** An origin of its own: cookies and scripts of the players' app have no access to it. */
function readConsoleUrl(text: string | undefined, publicUrl: string | undefined): string | null {
  if (!text) return null
  const { origin, host } = new URL(text)
  if (text.replace(/\/$/, '') !== origin || (publicUrl && new URL(publicUrl).host === host)) {
    throw new StartError(
      'The environment is wrong: CONSOLE_URL must be an origin such as https://console.example, of another host than PUBLIC_URL.',
    )
  }
  return origin
}

function readLines(text: string | undefined): [string, string] | null {
  if (!text) return null
  const lines = text.split(',').map((line) => line.trim().replace(/\/$/, ''))
  const [first, second] = lines
  const valid = lines.length === 2 && lines.every((line) => hostUrl.safeParse(line).success)
  if (!valid || !first || !second) {
    throw new StartError(
      `The environment is wrong: LINES=${text} is not two base addresses with a comma between them.`,
    )
  }
  return [first, second]
}

/** `none` if players connect directly to the server. */
function proxyList(text: string): string[] {
  return text.trim() === 'none' ? [] : commaList(text)
}

function proxyFaults(text: string, context: z.RefinementCtx): void {
  for (const proxy of proxyList(text)) {
    const fault = networkFault(proxy)
    if (fault) context.addIssue({ code: 'custom', message: `must be a list of proxies: ${fault}` })
  }
}

/** The name, the password and the database come from DATABASE_URL: values given twice could differ. */
function replicaFaults(text: string, context: z.RefinementCtx): void {
  for (const address of commaList(text)) {
    const url = URL.parse(address)
    const bare = url && `${url.protocol}//${url.host}` === address.replace(/\/$/, '')
    if (!bare || !url.host || !/^postgres(ql)?:$/.test(url.protocol)) {
      const message =
        'must be addresses such as postgres://host:5432 with commas between them, without a name, password or database'
      context.addIssue({ code: 'custom', message })
    }
  }
}

/** A setting in u as an amount. */
function inMicro(units: number): Amount {
  return BigInt(Math.round(units * 1_000_000))
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Secrets are never printed, not even invalid ones. */
function shown(name: string, value: string | undefined): string {
  return /KEY|TOKEN|XPUB|_URL$|ENDPOINT/.test(name) ? '…' : (value ?? '')
}

function faultText(message: string): string {
  if (/received NaN/.test(message)) return 'is not a number'
  if (/^(is|must) /.test(message)) return message
  return `is not valid (${message.replace(/^Invalid (input|option): ?/, '')})`
}
