/** Starts the product from the environment, and ends it on a signal. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { keysOf } from '#src/adapters/local-keys.ts'
import { lockDataFolder } from '#src/adapters/postgres/data-folder-lock.ts'
import { causeIn, startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import { type App, startApp } from '#src/app.ts'
import {
  type Config,
  type Environment,
  readConfig,
  takeEnvironment,
  takeSettings,
} from '#src/config.ts'
import { MigrationError } from '#src/db/apply-functions.ts'
import { type Database, isDatabaseAway, openDatabase } from '#src/db/database.ts'
import { CONNECT_AT_START_MS } from '#src/db/limits.ts'
import { makeLogins, onlyAddress, type Part } from '#src/db/logins.ts'
import { isMigrated, migrate, OWN_SQL } from '#src/db/migrate.ts'
import { reachAsOwner, reachAsPart } from '#src/db/reach-database.ts'
import {
  answerSupervisor,
  engineEnvironment,
  isSupervised,
  superviseEngine,
} from '#src/engine/supervise-engine.ts'
import { demoStaffFile } from '#src/modules/staff/demo-staff.ts'
import { greeting, staffNote } from '#src/process/greeting.ts'
import { listening, tryAddress } from '#src/process/listening.ts'
import { makeLog } from '#src/process/log.ts'
import { processEnd } from '#src/process/process-end.ts'
import { StartError } from '#src/process/start-error.ts'
import type { AppOptions } from '#src/resources.ts'
import { requireStoredSettings, writeSettings } from '#src/settings/stored-settings.ts'

/** How long a supervised engine may take to end; what is left then is due at the next start. */
const SUPERVISED_END_MS = 3_000

/** The same for all other parts, of which some wait for a database that may be silent. */
const PARTS_END_MS = 8_000

const ending = new AsyncDisposableStack()
let log: Log | null = null
/** The data folder of the database that this process has started. */
let embeddedIn: string | null = null
const life = processEnd({
  ending,
  survives,
  ...(isSupervised() ? { by: 'parent', withinMs: SUPERVISED_END_MS } : { by: 'signals' }),
})

try {
  await main()
} catch (error) {
  // Parts that were starting when the signal came may fail because of it.
  if (!life.begun) console.error(`\n${sentenceOf(causeOf(error))}\n`)
  await life.end(1)
}

async function main(): Promise<void> {
  // A supervised engine is given all of its settings, and none that a file has for its parent.
  const environment = isSupervised() ? takeSettings() : takeEnvironment()
  const config = readConfig(environment)
  log = makeLog({ level: config.logLevel, pretty: process.stdout.isTTY === true })
  if (isSupervised()) return runSupervised(config, log)
  const lock = lockDataFolder({ folder: config.dataDir })
  ending.defer(() => lock.release())
  if (config.role === 'migrate') {
    await prepareDatabase(await ownerAddress(config), config)
    return life.end(0)
  }
  if (config.role === 'all') return runAll({ environment, config, log })
  await runPart({ config, part: config.role, log })
}

/** All parts, on a database that this process prepares; the engine is a process of its own. */
async function runAll({ environment, config, log }: Started): Promise<void> {
  await tryAddress(config)
  const ownerUrl = await ownerAddress(config)
  await prepareDatabase(ownerUrl, config)
  // Makes the keys before two processes read them.
  const { secretKeys, seedKeys } = keysOf(config)
  const keys = { secretKey: secretKeys[0], seedKey: seedKeys[0] }
  const addresses = await makeLogins(ownerUrl, keys)
  const engine = superviseEngine({
    environment: engineEnvironment(environment, {
      databaseUrl: addresses.engine,
      seedKeys,
      // The demo's beacon follows from it.
      secretKey: config.beacon.kind === 'local' ? keys.secretKey : null,
    }),
    log,
  })
  await serve({ config, addresses, log, engineProcess: engine })
}

/** One part, as its own login, on a database that ROLE=migrate has prepared with the same settings. */
async function runPart({ config, part, log }: Omit<Started, 'environment'> & { part: Part }) {
  const address = config.databaseUrl ?? ''
  await reachAsPart(address, part)
  if (!(await isMigrated(address))) {
    throw new StartError(
      'The database is not that of this version of Sum28: start it once with ROLE=migrate, then this process again.',
    )
  }
  await withDatabase(address, (db) => requireStoredSettings(db, config))
  await serve({ config, addresses: onlyAddress(address), log })
}

type Log = ReturnType<typeof makeLog>
type Started = { environment: Environment; config: Config; log: Log }

async function serve({
  engineProcess,
  ...options
}: Pick<AppOptions, 'config' | 'addresses' | 'log' | 'engineProcess'>): Promise<void> {
  const { config } = options
  let stopApp = async () => {}
  // Both at once: neither needs the other for its end.
  ending.defer(() => inTime(Promise.all([stopApp(), engineProcess?.stop()])))
  let starts = true
  // That the end breaks off the connections of parts that still start is no news.
  ending.defer(() => {
    if (starts && log?.isLevelEnabled('warn')) log.level = 'error'
  })
  const app = await listening(config, () =>
    startApp({
      ...options,
      build: buildVersion(),
      ...(engineProcess ? { engineProcess } : {}),
    }),
  )
  starts = false
  if (life.begun) return inTime(app.stop())
  stopApp = app.stop
  await engineProcess?.started
  greet(app, config)
}

/** Waits for the end of parts, but not for a database that is silent: the process then ends with what they hold. */
async function inTime(end: Promise<unknown>): Promise<void> {
  const late = sleep(PARTS_END_MS, true)
  if ((await Promise.race([end, late])) === true)
    log?.warn({}, 'parts that did not end are cut short')
}

/** The engine of a process that has prepared the database and the data folder. */
async function runSupervised(config: Config, log: Log): Promise<void> {
  const app = await startApp({
    config,
    log,
    build: buildVersion(),
    addresses: onlyAddress(config.databaseUrl ?? ''),
  })
  ending.defer(() => app.stop())
  await answerSupervisor({ metrics: app.engineMetrics })
}

/**
 * A library's own query without a waiting caller fails if the database is down or slow, and is repeated later: no
 * reason to end the process.
 */
function survives(error: unknown): boolean {
  if (!isDatabaseAway(error)) return false
  log?.warn({ error }, 'a query that nobody waited for failed')
  return true
}

/** Brings the database up to date and writes the settings, which only its owner may. */
async function prepareDatabase(ownerUrl: string, config: Config): Promise<void> {
  await migrate(ownerUrl, OWN_SQL, { mayGoBack: config.profile === 'demo' })
  await withDatabase(ownerUrl, (owner) => writeSettings(owner, config))
}

async function withDatabase(address: string, work: (db: Database) => Promise<void>): Promise<void> {
  const limits = { connectMs: CONNECT_AT_START_MS }
  const db = openDatabase(address, { connectionsMax: 1, limits })
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/** The database's owner: of an external database, or of the embedded server, which is started. */
async function ownerAddress(config: Config): Promise<string> {
  if (config.databaseUrl) {
    await reachAsOwner(config.databaseUrl)
    return config.databaseUrl
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (line) => console.log(line),
  })
  // Its log is of this start from here on.
  embeddedIn = config.dataDir
  ending.defer(() => postgres.stop())
  void postgres.died.then((error) => {
    if (life.begun) return
    console.error(`\n${error.message}\n`)
    void life.end(1)
  })
  return postgres.ownerUrl
}

function greet({ url, mails, chain }: App, { profile, role, dataDir, consoleUrl }: Config): void {
  const stand = { capturedMail: mails !== null, localChain: chain !== null }
  const staff = staffNote(demoStaffFile(dataDir))
  console.log(`\n${greeting({ profile, role, url, ...stand, staff, consoleUrl })}\n`)
}

function buildVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** A full disk of the embedded database fails whatever the start asks of it. */
function causeOf(error: unknown): unknown {
  if (error instanceof StartError || embeddedIn === null) return error
  return causeIn(embeddedIn, error)
}

/** One clear sentence if the cause is known, and all details if it is not. */
function sentenceOf(error: unknown): string {
  if (error instanceof StartError || error instanceof MigrationError) return error.message
  return `Sum28 could not start: ${error instanceof Error ? error.stack : String(error)}`
}
