/**
 * What production refuses to start with, unless ALLOW_IN_PRODUCTION names it: the demo's test services, and settings
 * that would give money or accounts away.
 */
import { deflateRawSync } from 'node:zlib'
import { MICRO } from '@sum28/domain/money.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import type { TronSettings } from '#src/adapters/chain/tron-settings.ts'
import type { HttpSettings } from '#src/http/http-settings.ts'
import type { RoundSettings } from '#src/modules/games/round-settings.ts'
import type { WithdrawalTerms } from '#src/modules/withdrawals/withdrawal-terms.ts'
import { StartError } from '#src/process/start-error.ts'

type Configured = HttpSettings &
  RoundSettings & {
    readonly role: 'all' | 'api' | 'engine' | 'jobs' | 'migrate'
    readonly databaseUrl: string | null
    readonly secretKeys: readonly string[]
    readonly seedKeys: readonly string[]
    readonly smtpUrl: string | null
    readonly mailFrom: string
    readonly tron: TronSettings | null
    readonly withdrawals: WithdrawalTerms
    readonly witnesses: readonly unknown[]
    readonly closedKeptDays: number
  }

type Floor = {
  /** The name that allows it. */
  name: string
  broken: (settings: Configured) => boolean
  /** A whole sentence, without the part that says how to allow it. */
  why: string
}

/** For so long no comparison of the clocks is needed: `games.clocks_apart`. */
const SEAL_SECONDS_MIN = 30
const DEADLINE_SECONDS_MIN = 60
const HOLD_HOURS_MIN = 12
const TWO_PERSONS_FROM_MAX = 100_000
/** Five years, as anti-money-laundering laws ask for. */
const CLOSED_KEPT_DAYS_MIN = 1_826

const standIn = (name: string, broken: Floor['broken']): Floor => ({
  name,
  broken,
  why: `PROFILE=production does not run with the demo's ${name.replace('-', ' ')}: configure the real one`,
})

const FLOORS: readonly Floor[] = [
  standIn('local-beacon', ({ beacon }) => beacon.kind === 'local'),
  standIn('local-chain', ({ tron }) => tron === null),
  standIn('captured-mail', ({ smtpUrl }) => smtpUrl === null),
  {
    name: 'embedded-database',
    broken: ({ databaseUrl }) => databaseUrl === null,
    why: 'DATABASE_URL has to be set, for without it each process makes a database of its own, a new house whose deposit addresses begin again',
  },
  {
    name: 'no-witness',
    broken: ({ witnesses }) => witnesses.length === 0,
    why: 'WITNESSES has to name a witness of the public log that somebody else runs, for without one nobody knows that books are closed in time, and that all are shown one log',
  },
  {
    name: 'weak-key',
    broken: ({ secretKeys, seedKeys }) =>
      [secretKeys, seedKeys].some((keys) => keys.slice(0, 1).some(isGuessable)),
    why: 'SECRET_KEY or SEED_KEY repeats itself and could be guessed, and with it every secret or seed: take 32 random characters or more, such as "openssl rand -base64 32" gives',
  },
  {
    name: 'weak-previous-key',
    broken: ({ secretKeys, seedKeys }) =>
      [secretKeys, seedKeys].some((keys) => keys.slice(1).some(isGuessable)),
    why: 'SECRET_KEY or SEED_KEY holds an earlier key that repeats itself and could be guessed, and with it what it still seals: change it as docs/runbooks.md says, and take it out',
  },
  {
    name: 'plain-http',
    broken: ({ publicUrl, lines, consoleUrl }) =>
      [publicUrl, consoleUrl, ...(lines ?? [])].some((url) => url !== null && !isHttps(url)),
    why: 'PUBLIC_URL, LINES and CONSOLE_URL have to begin with https://, for passwords and tokens travel there',
  },
  {
    name: 'shared-console',
    broken: ({ consoleUrl }) => consoleUrl === null,
    why: 'CONSOLE_URL has to be set, an origin of its own, for a script in the app could act in a console of the same host',
  },
  {
    name: 'plain-http-chain',
    broken: ({ tron }) =>
      [tron?.apiUrl ?? null, tron?.secondApiUrl ?? null].some(
        (url) => url !== null && !isHttps(url) && !isThisMachine(url),
      ),
    why: 'both nodes of TRON_API_URL have to begin with https:// unless the node is on this machine, for whoever sits in between could make deposits up',
  },
  {
    name: 'one-chain-node',
    broken: ({ tron }) =>
      tron !== null &&
      (tron.secondApiUrl === null || new URL(tron.secondApiUrl).host === new URL(tron.apiUrl).host),
    why: 'TRON_API_URL has to name a second node, of another operator, for one node alone could make deposits up',
  },
  {
    name: 'other-token',
    broken: ({ tron }) => (tron?.usdtContract ?? USDT_MAINNET_CONTRACT) !== USDT_MAINNET_CONTRACT,
    why: 'TRON_USDT_CONTRACT has to be left out, for transfers of any other token would be credited as USDT',
  },
  {
    name: 'plain-mail',
    broken: ({ smtpUrl }) => smtpUrl !== null && !requiresTls(smtpUrl) && !isThisMachine(smtpUrl),
    why: 'SMTP_URL has to begin with smtps://, or to end with ?requireTLS=true, unless the server is on this machine, for whoever reads a mailed code can take the account',
  },
  {
    name: 'local-sender',
    broken: ({ smtpUrl, mailFrom }) => smtpUrl !== null && /@localhost>?$/.test(mailFrom),
    why: 'MAIL_FROM has to be an address of your domain, for mail servers refuse mail from localhost, and no player would get a code',
  },
  {
    name: 'short-seal',
    broken: ({ schedule }) => schedule.sealMs < SEAL_SECONDS_MIN * 1000,
    why: `SEAL_SECONDS has to be ${SEAL_SECONDS_MIN} or more, for the clock may be set back unnoticed by nearly as much, and no bet may be taken when the draw's value could be known`,
  },
  {
    name: 'short-beacon-deadline',
    broken: ({ beacon }) => beacon.deadlineMs < DEADLINE_SECONDS_MIN * 1000,
    why: `BEACON_DEADLINE_SECONDS has to be ${DEADLINE_SECONDS_MIN} or more, so that no short failure of the network voids a round`,
  },
  {
    name: 'short-hold',
    broken: ({ withdrawals }) => withdrawals.holdMs < HOLD_HOURS_MIN * 3_600_000,
    why: `WITHDRAWAL_HOLD_HOURS has to be ${HOLD_HOURS_MIN} or more, so that whose account was taken over can say so before the money is gone`,
  },
  {
    name: 'one-person-payouts',
    broken: ({ withdrawals }) => withdrawals.twoPersonsFrom > BigInt(TWO_PERSONS_FROM_MAX) * MICRO,
    why: `WITHDRAWAL_TWO_PERSONS_FROM has to be ${TWO_PERSONS_FROM_MAX} or less, so that nobody can approve a large withdrawal alone`,
  },
  {
    name: 'short-keeping',
    broken: ({ closedKeptDays }) => closedKeptDays < CLOSED_KEPT_DAYS_MIN,
    why: `CLOSED_ACCOUNT_KEPT_DAYS has to be ${CLOSED_KEPT_DAYS_MIN} or more, for what is deleted of closed accounts cannot be shown to an authority that asks`,
  },
]

/** What those roles alone are judged by that serve players or pay: other processes are not given such settings. */
const OF_SERVICES = new Set([
  'local-chain',
  'captured-mail',
  'local-sender',
  'shared-console',
  'no-witness',
])

/** @throws StartError with what is missing, or one sentence about each violation that is not allowed by name */
export function requireFloors(config: Configured, allowed: readonly string[]): void {
  const { role, secretKeys, seedKeys, publicUrl } = config
  const isService = role !== 'engine' && role !== 'migrate'
  if (isService && secretKeys.length === 0)
    throw new StartError('PROFILE=production needs SECRET_KEY: 32 random characters or more.')
  if (role === 'all' && seedKeys.length === 0)
    throw new StartError('PROFILE=production needs SEED_KEY: 32 other random characters or more.')
  if (seedKeys.some((key) => secretKeys.includes(key)))
    throw new StartError('SEED_KEY has to differ from SECRET_KEY, which does not open seeds.')
  if (isService && !publicUrl)
    throw new StartError('PROFILE=production needs PUBLIC_URL: the address that players open.')
  if (!config.rateLimits) throw new StartError('RATE_LIMITS=off is for the demo profile alone.')
  const sentences = FLOORS.filter(
    ({ name, broken }) =>
      (isService || !OF_SERVICES.has(name)) && broken(config) && !allowed.includes(name),
  ).map(({ why, name }) => `${why}, or allow it by name with ALLOW_IN_PRODUCTION=${name}.`)
  if (sentences.length > 0) throw new StartError(sentences.join('\n'))
}

/** Few different characters, or a repeated group: 32 random ones of any alphabet have neither. */
function isGuessable(key: string): boolean {
  return new Set(key).size < 8 || deflateRawSync(key).length < 24
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:'
}

/** By its protocol, or by the mail library's option to go on only after STARTTLS. */
function requiresTls(smtpUrl: string): boolean {
  const { protocol, searchParams } = new URL(smtpUrl)
  return protocol === 'smtps:' || searchParams.get('requireTLS') === 'true'
}

function isThisMachine(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
