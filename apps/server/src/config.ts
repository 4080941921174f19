/** The environment: read once, checked, typed. No other file looks at process.env. */
import { lstatSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Amount } from '@sum28/domain/money.ts'
import * as z from 'zod'
import {
  readTronSettings,
  type TronSettings,
  tronVariables,
} from '#src/adapters/chain/tron-settings.ts'
import { baseUrl, commaList, flag, pageUrl } from '#src/formats/setting-kinds.ts'
import { type HttpSettings, httpVariables, readHttpSettings } from '#src/http/http-settings.ts'
import { payoutVariables } from '#src/modules/games/payout-limit.ts'
import {
  type RoundSettings,
  readRoundSettings,
  roundVariables,
} from '#src/modules/games/round-settings.ts'
import { closingVariables } from '#src/modules/own-account/close-account.ts'
import {
  houseLimitVariables,
  type ProtectionTerms,
  USUAL_CHECKS,
} from '#src/modules/protection/protection-terms.ts'
import { type WitnessAddress, witnessVariables } from '#src/modules/public-log/witness-settings.ts'
import {
  type AdjustmentLimits,
  adjustmentVariables,
} from '#src/modules/wallet/adjustment-limits.ts'
import {
  readWithdrawalTerms,
  type WithdrawalTerms,
  withdrawalVariables,
} from '#src/modules/withdrawals/withdrawal-terms.ts'
import { StartError, systemCode } from '#src/process/start-error.ts'
import { requireFloors } from '#src/settings/production-floors.ts'

/** An address, alone or after a name. */
const SENDER = /^([^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/

/** The present key and, after commas, earlier ones: what they encrypted must still be decrypted. */
const secretKeys = z
  .string()
  .default('')
  .transform(commaList)
  .refine(
    (keys) => keys.every((key) => key.length >= 32),
    'must have at least 32 characters in each of its keys',
  )

/** Those of the whole process, and those that parts declare beside their code. */
const variables = z.object({
  PROFILE: z.enum(['demo', 'production']).default('demo'),
  ROLE: z.enum(['all', 'api', 'engine', 'jobs', 'migrate']).default('all'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  SECRET_KEY: secretKeys,
  SEED_KEY: secretKeys,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .regex(SENDER, 'is not an address such as Sum28 <no-reply@example.com>')
    .default('Sum28 <no-reply@localhost>'),
  SUPPORT_URL: pageUrl.optional(),
  SUPPORT_EMAIL: z.email().optional(),
  ROBOTS: flag.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  ALLOW_IN_PRODUCTION: z.string().default('').transform(commaList),
  ...httpVariables,
  ...roundVariables,
  ...tronVariables,
  ...withdrawalVariables,
  ...adjustmentVariables,
  ...payoutVariables,
  ...houseLimitVariables,
  ...closingVariables,
  ...witnessVariables,
})

export type Variable = keyof z.infer<typeof variables>

/** Every variable that exists, for `.env.example` and its test. */
export const VARIABLES = Object.keys(variables.shape) as Variable[]

/** Which drivers a process runs: requests of players and staff, rounds, jobs. */
export type Role = z.infer<typeof variables>['ROLE']

export type Config = HttpSettings &
  RoundSettings & {
    readonly profile: 'demo' | 'production'
    readonly role: Role
    readonly dataDir: string
    readonly databaseUrl: string | null
    /** The present one first; none: this installation makes its own. */
    readonly secretKeys: readonly string[]
    /** The same for seeds. */
    readonly seedKeys: readonly string[]
    /** Null: mail is captured, and can be read at /dev/mail. */
    readonly smtpUrl: string | null
    readonly mailFrom: string
    readonly supportUrl: string | null
    readonly supportEmail: string | null
    /** Null: the local chain. */
    readonly tron: TronSettings | null
    readonly withdrawals: WithdrawalTerms
    readonly adjustmentsMax: AdjustmentLimits
    /** The greatest total payout of all bets of one player in one round. */
    readonly payoutMax: Amount
    readonly protection: ProtectionTerms
    /** How long the personal data of a closed account is kept. */
    readonly closedKeptDays: number
    readonly robots: boolean
    /** Who signs, with their own time, that the public log only grows. */
    readonly witnesses: readonly WitnessAddress[]
    readonly logLevel: string
    /** Where traces are sent; null: nowhere. */
    readonly tracesTo: string | null
  }

/**
 * Reads and checks the environment.
 *
 * @param environment the process's variables and those of `.env`
 * @throws StartError that names each invalid variable and why
 */
export function readConfig(environment: Environment): Config {
  const present = Object.fromEntries(
    VARIABLES.map((name) => [name, environment[name]?.trim() || undefined]),
  )
  const parsed = variables.safeParse(present)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0])
      return `${name}=${shown(name, present[name])} ${faultText(issue.message)}`
    })
    throw new StartError(`The environment is wrong: ${faults.join('; ')}. See .env.example.`)
  }
  const env = parsed.data
  if (environment.NODE_ENV === 'production' && present.PROFILE === undefined) {
    throw new StartError(
      'NODE_ENV=production says that this is no demo, and PROFILE says nothing: set PROFILE=production, or PROFILE=demo to run the demo all the same.',
    )
  }
  const production = env.PROFILE === 'production'

  const config: Config = {
    profile: env.PROFILE,
    role: env.ROLE,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    secretKeys: env.SECRET_KEY,
    seedKeys: env.SEED_KEY,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM,
    supportUrl: env.SUPPORT_URL ?? null,
    supportEmail: env.SUPPORT_EMAIL ?? null,
    ...readHttpSettings(env),
    ...readRoundSettings(env, { production }),
    tron: readTronSettings(env),
    withdrawals: readWithdrawalTerms(env, { production }),
    adjustmentsMax: env.ADJUSTMENTS_MAX,
    payoutMax: env.PAYOUT_MAX,
    protection: {
      timeZone: env.GAME_TIMEZONE,
      ...USUAL_CHECKS,
      limits: [...env.LIMITS_BY_LAW, ...env.LIMITS_BY_OPERATOR],
    },
    closedKeptDays: env.CLOSED_ACCOUNT_KEPT_DAYS,
    robots: (env.ROBOTS ?? (production ? 'off' : 'on')) === 'on',
    witnesses: env.WITNESSES,
    logLevel: env.LOG_LEVEL,
    tracesTo: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  }
  requireOwnSettings(config)
  if (production) requireFloors(config, env.ALLOW_IN_PRODUCTION)
  return config
}

/** A process with one role has the address and the keys that its part needs, and the key of seeds only the engine. */
function requireOwnSettings({ role, databaseUrl, secretKeys, seedKeys, beacon }: Config): void {
  if (role === 'all') return
  const isEngine = role === 'engine'
  const presence = {
    DATABASE_URL: databaseUrl !== null,
    // The demo's beacon follows from it.
    SECRET_KEY:
      secretKeys.length > 0 || role === 'migrate' || (isEngine && beacon.kind !== 'local'),
    SEED_KEY: seedKeys.length > 0 || !isEngine,
  }
  const missing = Object.entries(presence).filter(([, is]) => !is)
  if (missing.length > 0) {
    throw new StartError(
      `The environment is wrong: ROLE=${role} needs ${missing.map(([name]) => name).join(' and ')}.`,
    )
  }
  if (!isEngine && seedKeys.length > 0) {
    throw new StartError(
      `The environment is wrong: ROLE=${role} has SEED_KEY, which only ROLE=engine may have.`,
    )
  }
}

/** An unquoted value that `#` cuts, because no blank is in front of it. */
const CUT = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?![ \t"'`])[^#\n]*[^#\s]#/m

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The process's environment; variables that it does not set come from `.env`. The settings leave `process.env`, so that
 * no library, report or other process that is started is given a secret with it.
 */
export function takeEnvironment(file = '.env'): Environment {
  for (const name of Object.keys(process.env)) {
    const meant = isSetting(name) ? undefined : VARIABLES.find((each) => isNearly(each, name))
    if (meant) console.warn(`${name} is no setting: ${meant} is. See .env.example.`)
  }
  return { ...variablesOf(file), ...takeSettings() }
}

/** The process's environment alone, whose settings leave `process.env`. */
export function takeSettings(): Environment {
  const environment = { ...process.env }
  for (const name of VARIABLES) delete process.env[name]
  return environment
}

/**
 * The variables of a file. A name there that is no setting is told, because the setting that was meant has its default.
 *
 * @throws StartError if the file would be read as something else than it says
 */
function variablesOf(file: string): Environment {
  const text = textOf(file)
  const cut = CUT.exec(text)?.[1]
  if (cut) throw new StartError(`${file}: the value of ${cut} ends before #: put it in quotes.`)
  const written = parseEnv(text)
  for (const name of Object.keys(written)) {
    if (name === 'NODE_ENV' || isSetting(name)) continue
    console.warn(`${file}: ${name} is no setting. See .env.example.`)
  }
  return written
}

/** A file's text, without its byte order mark; empty if there is no file. @throws StartError if it cannot be read */
function textOf(file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    // UTF-16 can be valid UTF-8, with such a letter for each half.
    if (!text.includes('\0')) return text
  } catch (cause) {
    const code = systemCode(cause)
    // Not a link that leads nowhere.
    if (code === 'ENOENT' && !lstatSync(file, { throwIfNoEntry: false })) return ''
    if (code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      const what = 'make it a file that this user may read, or remove it'
      throw new StartError(`${file} cannot be read (${code}): ${what}.`, { cause })
    }
  }
  throw new StartError(`${file} is not text in UTF-8: save it as UTF-8.`)
}

function isSetting(name: string): boolean {
  return VARIABLES.some((variable) => variable === name)
}

/** Whether two long names differ by one letter, or by one or two that one of them lacks. */
function isNearly(one: string, other: string): boolean {
  const [long, short] = one.length > other.length ? [one, other] : [other, one]
  if (short.length < 6 || long.length - short.length > 2) return false
  if (long.length === short.length)
    return [...long].filter((letter, at) => letter !== short[at]).length === 1
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length
}

/** Secrets are never printed, not even invalid ones. */
function shown(name: string, value: string | undefined): string {
  return /KEY|TOKEN|XPUB|_URL$|ENDPOINT|LINES|WITNESSES/.test(name) ? '…' : (value ?? '')
}

function faultText(message: string): string {
  if (/received NaN/.test(message)) return 'is not a number'
  if (/^(is|must) /.test(message)) return message
  return `is not valid (${message.replace(/^Invalid (input|option): ?/, '')})`
}
