import { describe, expect, it } from 'vitest'
import { readConfig, type Variable } from '#src/config.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer, giveAddress } from '#testing/database/fixtures.ts'
import { eachTestDatabase, openTestPool } from '#testing/database/test-database.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { publishedRoot } from '#testing/hosts/served-local-node.ts'
import { SECRET_KEY, SEED_KEY } from '#testing/product/secret-key.ts'
import { runProduct } from '#testing/product/started-server.ts'
import { PRODUCTION_ENVIRONMENT } from '#testing/product/test-app.ts'
import { requireStoredSettings, writeSettings } from './stored-settings.ts'

const { database, db, owner } = eachTestDatabase()

/** The extended public keys of two wallets. */
const [WALLET, OTHER_WALLET] = [0, 1].map(
  (account) => publishedRoot().derive(`m/44'/195'/${account}'`).publicExtendedKey,
) as [string, string]

const DATABASE_URL = 'postgres://unused'

const SETTINGS: Partial<Record<Variable, string>> = {
  GAME_TIMEZONE: 'Asia/Tokyo',
  LIMITS_BY_LAW: 'stake day 5000, loss month 20000.5',
  LIMITS_BY_OPERATOR: 'deposit week 1',
  ADJUSTMENTS_MAX: '1,2.5,3',
  PAYOUT_MAX: '28',
  WITHDRAWAL_HOLD_HOURS: '1.5',
  WITHDRAWAL_TWO_PERSONS_FROM: '0.000001',
  CLOSED_ACCOUNT_KEPT_DAYS: '100',
  TRON_API_URL: 'http://localhost:1',
  TRON_XPUB: WALLET,
  SECRET_KEY,
  OPENING_HOURS: '10:00-02:00',
  ROUND_SECONDS: '60',
  SEAL_SECONDS: '20',
  BEACON: 'local',
  BEACON_DEADLINE_SECONDS: '90',
  ROBOTS: 'on',
}

const OTHERWISE: [name: Variable, value: string][] = [
  ['GAME_TIMEZONE', 'Asia/Seoul'],
  ['LIMITS_BY_LAW', 'stake day 5000'],
  ['LIMITS_BY_LAW', 'stake day 5000, loss month 20000.51'],
  ['LIMITS_BY_OPERATOR', ''],
  ['ADJUSTMENTS_MAX', '1,2,3'],
  ['PAYOUT_MAX', '29'],
  ['WITHDRAWAL_HOLD_HOURS', '1.50001'],
  ['WITHDRAWAL_TWO_PERSONS_FROM', '0'],
  ['CLOSED_ACCOUNT_KEPT_DAYS', '101'],
  ['TRON_XPUB', OTHER_WALLET],
  ['SECRET_KEY', `another ${SECRET_KEY},${SECRET_KEY}`],
  ['OPENING_HOURS', '10:00-02:30'],
  ['ROUND_SECONDS', '61'],
  ['SEAL_SECONDS', '21'],
  ['BEACON', 'drand'],
  ['BEACON_DEADLINE_SECONDS', '90.5'],
  ['ROBOTS', 'off'],
]

describe('the stored settings', () => {
  it('are those of a process that has the same, in whatever order and with its defaults', async () => {
    await writeSettings(owner, readConfig({}))
    await requireStoredSettings(db, readConfig({}))
    await writeSettings(owner, readConfig(SETTINGS))
    const LIMITS_BY_LAW = 'loss month 20000.50,  stake day 5000.00'
    const keys = { SECRET_KEY: `${SECRET_KEY},an earlier ${SECRET_KEY}` }
    await requireStoredSettings(db, readConfig({ ...SETTINGS, ...keys, LIMITS_BY_LAW }))
  })

  it('differ by name, each in turn and all together', async () => {
    await writeSettings(owner, readConfig(SETTINGS))
    for (const [name, value] of OTHERWISE) {
      const attempt = requireStoredSettings(db, readConfig({ ...SETTINGS, [name]: value }))
      await expect(attempt, value).rejects.toThrow(new RegExp(`^${name}: the value is not the one`))
    }
    const otherwise = readConfig({ ...SETTINGS, ...Object.fromEntries(OTHERWISE) })
    const all = requireStoredSettings(db, otherwise)
    for (const [name] of OTHERWISE) await expect(all).rejects.toThrow(name)
  })

  it('are not compared with what a process does not have: the engine no wallet, migrate perhaps no key', async () => {
    const { TRON_API_URL, TRON_XPUB, SECRET_KEY: _, ...rest } = SETTINGS
    const engine = { ROLE: 'engine', BEACON: 'drand', ROBOTS: 'off', DATABASE_URL, SEED_KEY }
    await writeSettings(owner, readConfig({ ...SETTINGS, BEACON: 'drand' }))
    await requireStoredSettings(db, readConfig({ ...rest, ...engine }))
    await writeSettings(owner, readConfig({ ...rest, TRON_API_URL, TRON_XPUB }))
    await requireStoredSettings(db, readConfig(SETTINGS))
    // Without a node it is the demo's own wallet.
    const local = requireStoredSettings(db, readConfig(rest))
    await expect(local).rejects.toThrow(/^TRON_XPUB: the value/)
  })
})

describe('settings that would not open what the database has', () => {
  const OTHER_KEY = `another ${SECRET_KEY}`
  const ALL = { ...SETTINGS, SEED_KEY }

  it('are not stored under a key without the one before, which may stand behind the new one', async () => {
    await writeSettings(owner, readConfig(ALL))
    const turned = `${OTHER_KEY},${SECRET_KEY}`
    for (const ROLE of ['all', 'migrate']) {
      const own = ROLE === 'all' ? {} : { DATABASE_URL, SEED_KEY: undefined }
      const given = readConfig({ ...ALL, ...own, ROLE, PAYOUT_MAX: '29', SECRET_KEY: OTHER_KEY })
      await expect(writeSettings(owner, given)).rejects.toThrow(/^SECRET_KEY: /)
    }
    await requireStoredSettings(db, readConfig(SETTINGS))
    await writeSettings(owner, readConfig({ ...ALL, SECRET_KEY: turned }))
    await writeSettings(owner, readConfig({ ...ALL, SECRET_KEY: OTHER_KEY }))
  })

  it('are not those of a process without the key of the newest seeds', async () => {
    const engine = openTestPool(database.addresses.engine)
    const BEACON = 'drand'
    const withSeeds = (seedKey: string) => readConfig({ ...ALL, BEACON, SEED_KEY: seedKey })
    await writeSettings(owner, withSeeds(OTHER_KEY))
    for (const key of [OTHER_KEY, SEED_KEY])
      await owner.query(
        `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
         values (1, 1, sha256(convert_to($1, 'UTF8')), 'x', $1)`,
        [secretCipher(key).keyId],
      )
    const started = (key: string) => [
      () => writeSettings(owner, withSeeds(key)),
      () => requireStoredSettings(engine, readConfig({ ...SETTINGS, ...ROLE, SEED_KEY: key })),
    ]
    const ROLE = { ROLE: 'engine', BEACON, DATABASE_URL }
    for (const start of started(OTHER_KEY)) await expect(start()).rejects.toThrow(/^SEED_KEY: /)
    for (const key of [`${OTHER_KEY},${SEED_KEY}`, SEED_KEY])
      for (const start of started(key)) await start()
  })

  it('are not another wallet than that of players’ addresses, unless ROLE=migrate says so', async () => {
    const other = { ...SETTINGS, TRON_XPUB: OTHER_WALLET }
    await writeSettings(owner, readConfig(other))
    // Nobody has an address yet.
    await writeSettings(owner, readConfig(SETTINGS))
    await giveAddress(owner, await addPlayer(database), 'T1')
    await writeSettings(owner, readConfig(SETTINGS))
    for (const [place, why] of [
      [{}, /^TRON_XPUB: .*another DATA_DIR/],
      [{ DATABASE_URL }, /^TRON_XPUB: .*SEED_KEY empty/],
    ] as const)
      await expect(writeSettings(owner, readConfig({ ...other, ...place }))).rejects.toThrow(why)
    const migrate = { ROLE: 'migrate', DATABASE_URL }
    await writeSettings(owner, readConfig({ ...other, ...migrate }))
    await writeSettings(owner, readConfig(other))
    // Without a key it is the demo's own.
    const { TRON_API_URL, TRON_XPUB, ...local } = SETTINGS
    await writeSettings(owner, readConfig({ ...local, ...migrate }))
    await expect(writeSettings(owner, readConfig(SETTINGS))).rejects.toThrow(/^TRON_XPUB: /)
  })
})

it.each([
  ['demo', {}, PRODUCTION_ENVIRONMENT, /^PROFILE: the database is a demo’s, .* in DATABASE_URL\.$/],
  ['production', PRODUCTION_ENVIRONMENT, {}, /^PROFILE: .* Set PROFILE=production, or/],
] as const)(
  'the database of %s never becomes one of the other profile',
  async (_, own, other, why) => {
    const [all, migrate, api] = [
      {},
      { ROLE: 'migrate', SECRET_KEY: '', SEED_KEY: '' },
      { ROLE: 'api', SECRET_KEY, SEED_KEY: '' },
    ].map((role) => ({ ...role, DATABASE_URL }))
    await writeSettings(owner, readConfig({ ...own, ...all }))
    for (const role of [all, migrate]) {
      await expect(writeSettings(owner, readConfig({ ...other, ...role }))).rejects.toThrow(why)
    }
    await expect(requireStoredSettings(db, readConfig({ ...other, ...api }))).rejects.toThrow(why)
    await writeSettings(owner, readConfig({ ...own, ...migrate }))
    await requireStoredSettings(db, readConfig({ ...own, ...api }))
  },
)

it('a process with one role does not start with other settings than ROLE=migrate has written', async () => {
  const { ownerUrl, addresses } = database
  const folder = temporaryFolder()
  const migration = { ...SETTINGS, ROLE: 'migrate', DATABASE_URL: ownerUrl }
  expect(runProduct(folder, migration).status).toBe(0)
  expect(await owner.value('select time_zone from protection.house')).toBe('Asia/Tokyo')
  // Its login and the database's version are right.
  const api = { ROLE: 'api', DATABASE_URL: addresses.api, SECRET_KEY }
  expect(runProduct(folder, { ...SETTINGS, ...api, PAYOUT_MAX: '29' })).toMatchObject({
    status: 1,
    told: expect.stringContaining('PAYOUT_MAX: the value is not the one in the database'),
  })
})
