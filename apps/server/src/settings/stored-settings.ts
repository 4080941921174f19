/** The settings that all processes have in common, stored in the database, whose functions read those of money and protection. */
import { isDeepStrictEqual } from 'node:util'
import { accountName, openAccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import type { Config, Variable } from '#src/config.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { storedTerms } from '#src/modules/console/figures/stored-terms.ts'
import { writePayoutMax } from '#src/modules/games/payout-limit.ts'
import { writeClosedKept } from '#src/modules/own-account/close-account.ts'
import { type HouseLimit, writeProtectionTerms } from '#src/modules/protection/protection-terms.ts'
import { writeAdjustmentLimits } from '#src/modules/wallet/adjustment-limits.ts'
import { writeWithdrawalTerms } from '#src/modules/withdrawals/withdrawal-terms.ts'
import { StartError } from '#src/process/start-error.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'

/**
 * @param owner the database as its owner: the parts of the product may only read them
 * @throws StartError if it is another profile's database, if the keys do not open what it has, or if the wallet is not that
 *   of players' addresses
 */
export async function writeSettings(owner: Database, config: Config): Promise<void> {
  await requireProfile(owner, config)
  requireKey('SECRET_KEY', config.secretKeys, await storedValue(owner, 'SECRET_KEY'))
  await requireSeedKey(owner, config)
  await requireWallet(owner, config)
  await writeWithdrawalTerms(owner, config.withdrawals)
  await writeAdjustmentLimits(owner, config.adjustmentsMax)
  await writePayoutMax(owner, config.payoutMax)
  await owner.transaction((tx) => writeProtectionTerms(tx, config.protection))
  await writeClosedKept(owner, config.closedKeptDays)
  await owner.query(
    `insert into app.setting (name, value) select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set value = excluded.value`,
    [Object.keys(inCommon(config)), Object.values(inCommon(config))],
  )
}

/** What processes work by that no function of the database reads: as texts that tell no secret; null: not given. */
function inCommon(config: Config): Partial<Record<Variable, string | null>> {
  const { role, tron, secretKeys, schedule, beacon, robots } = config
  const [secretKey] = secretKeys
  return {
    PROFILE: config.profile,
    // An engine may have no wallet. Without one it is the demo's own.
    TRON_XPUB: role === 'engine' ? null : tron ? accountName(openAccountKey(tron.xpub)) : '',
    SECRET_KEY: secretKey === undefined ? null : secretCipher(secretKey).keyId,
    OPENING_HOURS: `${schedule.opensMinute}-${schedule.closesMinute}`,
    ROUND_SECONDS: String(schedule.roundMs / 1_000),
    SEAL_SECONDS: String(schedule.sealMs / 1_000),
    BEACON: beacon.kind,
    BEACON_DEADLINE_SECONDS: String(beacon.deadlineMs / 1_000),
    // An engine that ROLE=all starts is not told.
    ROBOTS: role === 'engine' ? null : robots ? 'on' : 'off',
  }
}

/**
 * A demo's database has test money, staff whose passwords are in a file, and addresses whose keys follow from SECRET_KEY:
 * none of it may become real. A demo in turn would change a real house.
 */
async function requireProfile(db: Queryable, { profile, databaseUrl }: Config): Promise<void> {
  const stored = await storedValue(db, 'PROFILE')
  if (stored === null || stored === profile) return
  const anew = databaseUrl ? 'an empty database in DATABASE_URL' : 'another DATA_DIR'
  throw new StartError(
    stored === 'demo'
      ? `PROFILE: the database is a demo’s, whose test money, staff and addresses must not become real. Begin with ${anew}.`
      : `PROFILE: the database is in production, and a demo would change it. Set PROFILE=production, or begin with ${anew}.`,
  )
}

/** Of a process that has keys of seeds: others may not read whose key seeds need. */
async function requireSeedKey(db: Queryable, { seedKeys }: Config): Promise<void> {
  if (seedKeys.length === 0) return
  const newest = 'select key_id from fairness.chain order by id desc limit 1'
  const [keyId = null] = await db.column<string>(newest)
  requireKey('SEED_KEY', seedKeys, keyId)
}

function requireKey(name: Variable, keys: readonly string[], keyId: string | null): void {
  if (keyId === null || keys.length === 0) return
  if (keys.some((key) => secretCipher(key).keyId === keyId)) return
  throw new StartError(
    `${name}: what the database has is encrypted with another key. Put that one behind the new one, with a comma.`,
  )
}

/** Only ROLE=migrate begins with another wallet than that which players have addresses of. */
async function requireWallet(db: Queryable, config: Config): Promise<void> {
  const [stored, given] = [await storedValue(db, 'TRON_XPUB'), inCommon(config).TRON_XPUB]
  if (config.role === 'migrate' || stored === null || stored === given) return
  if (!(await db.exists('select from deposits.address where address is not null'))) return
  const orElse = config.databaseUrl
    ? 'start once with ROLE=migrate and SEED_KEY empty, which begins with this one'
    : 'begin anew in another DATA_DIR'
  throw new StartError(
    `TRON_XPUB: players have addresses of another wallet. Put its key back, or ${orElse}.`,
  )
}

async function storedValue(db: Queryable, name: Variable): Promise<string | null> {
  const [value = null] = await db.column<string | null>(
    'select value from app.setting where name = $1',
    [name],
  )
  return value
}

/** @throws StartError that names each setting which differs from the database's */
export async function requireStoredSettings(db: Queryable, config: Config): Promise<void> {
  await requireProfile(db, config)
  await requireSeedKey(db, config)
  const terms = await storedTerms(db)
  const { withdrawals, protection } = terms
  const stored = await db.query<{ name: Variable; value: string | null }>(
    'select name, value from app.setting',
  )
  const given = inCommon(config)
  // What was not given to either cannot be compared.
  const known = stored.filter(({ name, value }) => value !== null && (given[name] ?? null) !== null)
  const compared: [name: Variable, stored: unknown, given: unknown][] = [
    ...known.map(({ name, value }): [Variable, unknown, unknown] => [name, value, given[name]]),
    ['WITHDRAWAL_HOLD_HOURS', withdrawals.holdMs, config.withdrawals.holdMs],
    ['WITHDRAWAL_TWO_PERSONS_FROM', withdrawals.twoPersonsFrom, config.withdrawals.twoPersonsFrom],
    ['ADJUSTMENTS_MAX', terms.adjustmentsMax, config.adjustmentsMax],
    ['PAYOUT_MAX', terms.payoutMax, config.payoutMax],
    ['GAME_TIMEZONE', protection.timeZone, config.protection.timeZone],
    ['LIMITS_BY_LAW', limitsBy('law', protection), limitsBy('law', config.protection)],
    [
      'LIMITS_BY_OPERATOR',
      limitsBy('operator', protection),
      limitsBy('operator', config.protection),
    ],
    ['CLOSED_ACCOUNT_KEPT_DAYS', terms.closedKeptDays, config.closedKeptDays],
  ]
  const different = compared.filter(([, stored, given]) => !isDeepStrictEqual(stored, given))
  if (different.length === 0) return
  const names = different.map(([name]) => name).join(', ')
  throw new StartError(
    `${names}: the value is not the one in the database. Give all processes the same, or start once with ROLE=migrate, which writes this one.`,
  )
}

function limitsBy(source: HouseLimit['source'], { limits }: { limits: readonly HouseLimit[] }) {
  return limits
    .filter((limit) => limit.source === source)
    .map(({ kind, period, amount }) => `${kind} ${period} ${amount}`)
    .sort()
}
