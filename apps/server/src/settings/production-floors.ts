/**
 * What production refuses to start with, unless ALLOW_IN_PRODUCTION names it: the demo's test services, and settings
 * that would give money or accounts away.
 */
import { deflateRawSync } from 'node:zlib'
import { StartError } from '#src/process/start-error.ts'

export type Settings = {
  secretKey: string
  secretKeysPrevious: readonly string[]
  publicUrl: string
  /** LINES and CONSOLE_URL. */
  otherUrls: readonly string[]
  /** Null: the local chain. */
  tronApiUrl: string | null
  beacon: 'local' | 'drand'
  /** Null: mail is captured. */
  smtpUrl: string | null
  /** Null: the database carries the events. */
  natsUrl: string | null
  /** Null: files are in the data folder. */
  s3Url: string | null
  roundSeconds: number
  sealSeconds: number
  beaconDeadlineSeconds: number
  holdHours: number
  /** In u. */
  twoPersonsFrom: number
}

type Floor = {
  /** The name that allows it. */
  name: string
  broken: (settings: Settings) => boolean
  /** A whole sentence, without the part that says how to allow it. */
  why: string
}

const ROUND_SECONDS_MIN = 60
const SEAL_SECONDS_MIN = 10
const DEADLINE_SECONDS_MIN = 60
const HOLD_HOURS_MIN = 12
const TWO_PERSONS_FROM_MAX = 100_000

const standIn = (name: string, broken: Floor['broken']): Floor => ({
  name,
  broken,
  why: `PROFILE=production does not run with the demo's ${name.replace('-', ' ')}: configure the real one`,
})

const FLOORS: readonly Floor[] = [
  standIn('local-beacon', ({ beacon }) => beacon === 'local'),
  standIn('local-chain', ({ tronApiUrl }) => tronApiUrl === null),
  standIn('captured-mail', ({ smtpUrl }) => smtpUrl === null),
  {
    name: 'weak-key',
    broken: ({ secretKey }) => isGuessable(secretKey),
    why: 'SECRET_KEY repeats itself and could be guessed, and with it every seed and secret: take 32 random characters or more, such as "openssl rand -base64 32" gives',
  },
  {
    name: 'weak-previous-key',
    broken: ({ secretKeysPrevious }) => secretKeysPrevious.some(isGuessable),
    why: 'SECRET_KEY_PREVIOUS holds a key that repeats itself and could be guessed, and with it what it still seals: change it as docs/runbooks.md says, and take it out',
  },
  {
    name: 'plain-http',
    broken: ({ publicUrl, otherUrls }) => [publicUrl, ...otherUrls].some((url) => !isHttps(url)),
    why: 'PUBLIC_URL, LINES and CONSOLE_URL have to begin with https://, for passwords and tokens travel there',
  },
  {
    name: 'plain-http-chain',
    broken: ({ tronApiUrl }) =>
      tronApiUrl !== null && !isHttps(tronApiUrl) && !isThisMachine(tronApiUrl),
    why: 'TRON_API_URL has to begin with https:// unless the node is on this machine, for whoever sits in between could make deposits up',
  },
  {
    name: 'plain-mail',
    broken: ({ smtpUrl }) =>
      smtpUrl !== null && !requiresTls(smtpUrl, 'smtps:') && !isThisMachine(smtpUrl),
    why: 'SMTP_URL has to begin with smtps://, or to end with ?requireTLS=true, unless the server is on this machine, for whoever reads a mailed code can take the account',
  },
  {
    name: 'plain-nats',
    broken: ({ natsUrl }) =>
      natsUrl !== null && !requiresTls(natsUrl, 'tls:') && !isThisMachine(natsUrl),
    why: 'NATS_URL has to begin with tls:// unless the server is on this machine, for its password travels there',
  },
  {
    name: 'plain-http-files',
    broken: ({ s3Url }) => s3Url !== null && !isHttps(s3Url) && !isThisMachine(s3Url),
    why: 'S3_URL has to begin with https:// unless the store is on this machine, for whoever sits in between could change the pictures that players see',
  },
  {
    name: 'short-round',
    broken: ({ roundSeconds }) => roundSeconds < ROUND_SECONDS_MIN,
    why: `ROUND_SECONDS has to be ${ROUND_SECONDS_MIN} or more, for players to see what they bet on`,
  },
  {
    name: 'short-seal',
    broken: ({ sealSeconds }) => sealSeconds < SEAL_SECONDS_MIN,
    why: `SEAL_SECONDS has to be ${SEAL_SECONDS_MIN} or more, so that no bet is taken when the draw's value could be known, whatever clocks differ by`,
  },
  {
    name: 'short-beacon-deadline',
    broken: ({ beaconDeadlineSeconds }) => beaconDeadlineSeconds < DEADLINE_SECONDS_MIN,
    why: `BEACON_DEADLINE_SECONDS has to be ${DEADLINE_SECONDS_MIN} or more, so that no short failure of the network voids a round`,
  },
  {
    name: 'short-hold',
    broken: ({ holdHours }) => holdHours < HOLD_HOURS_MIN,
    why: `WITHDRAWAL_HOLD_HOURS has to be ${HOLD_HOURS_MIN} or more, so that whose account was taken over can say so before the money is gone`,
  },
  {
    name: 'one-person-payouts',
    broken: ({ twoPersonsFrom }) => twoPersonsFrom > TWO_PERSONS_FROM_MAX,
    why: `WITHDRAWAL_TWO_PERSONS_FROM has to be ${TWO_PERSONS_FROM_MAX} or less, so that nobody can approve a large withdrawal alone`,
  },
]

/** @throws StartError with one sentence about each violation that is not allowed by name */
export function requireFloors(settings: Settings, allowed: readonly string[]): void {
  const sentences = FLOORS.filter(
    (floor) => floor.broken(settings) && !allowed.includes(floor.name),
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

/** By its protocol, or, of mail, by the option of its library to go on only after STARTTLS. */
function requiresTls(url: string, protocol: 'smtps:' | 'tls:'): boolean {
  const given = new URL(url)
  if (given.protocol === protocol) return true
  return given.protocol === 'smtp:' && given.searchParams.get('requireTLS') === 'true'
}

function isThisMachine(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
