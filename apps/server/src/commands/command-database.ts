/** The product's database for a command, whether or not the product is running. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cipherOf, keysOf } from '#src/adapters/local-keys.ts'
import { type DataFolderLock, lockDataFolder } from '#src/adapters/postgres/data-folder-lock.ts'
import {
  EMBEDDED_DATABASE,
  startEmbeddedPostgres,
} from '#src/adapters/postgres/embedded-postgres.ts'
import { clusterFiles } from '#src/adapters/postgres/postgres-cluster.ts'
import type { Config } from '#src/config.ts'
import { MigrationError } from '#src/db/apply-functions.ts'
import { type Database, openDatabase } from '#src/db/database.ts'
import { CONNECT_AT_START_MS } from '#src/db/limits.ts'
import { addressOf, type LoginKeys, makeLogins } from '#src/db/logins.ts'
import { migrate, OWN_SQL } from '#src/db/migrate.ts'
import { reachAsOwner, reachAsPart } from '#src/db/reach-database.ts'
import { startInOrder } from '#src/process/lifetime.ts'
import { StartError } from '#src/process/start-error.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

const INVALID_PASSWORD = '28P01'
const INVALID_AUTHORIZATION = '28000'

export type CommandDatabase = {
  /** Connected as a part that may read what staff did, to a database that is up to date. */
  db: Database
  cipher: SecretCipher
  /** Leaves the database as it was: running or stopped. */
  close(): Promise<void>
}

/**
 * Opens the configured database: with the settings of a process with that part's role by its address, and with those of one with
 * ROLE=all by the address that this process has for the same part. If another process runs the database, that server is
 * used; an embedded database that does not run is started for the duration of the command. None is made.
 *
 * @throws StartError, one sentence that says what to do
 */
export async function openCommandDatabase(
  config: Config,
  part: 'api' | 'jobs' = 'api',
): Promise<CommandDatabase> {
  const { role, databaseUrl } = config
  if (role !== 'all' && role !== part) {
    throw new StartError(
      `This command needs the settings of a process with ROLE=${part} or ROLE=all, and not of ROLE=${role}.`,
    )
  }
  if (databaseUrl && role === part) {
    await reachAsPart(databaseUrl, role)
    return openPrepared(config, databaseUrl)
  }
  if (databaseUrl) {
    await reachAsOwner(databaseUrl)
    return openPrepared(config, ofApi(config, databaseUrl))
  }
  const { dataDir } = config
  if (!existsSync(clusterFiles(resolve(dataDir)).cluster)) {
    throw new StartError(
      `There is no database in ${dataDir}: name the product's folder with DATA_DIR, or start the product once with \`npm start\`.`,
    )
  }
  let lock: DataFolderLock
  try {
    lock = lockDataFolder({ folder: dataDir })
  } catch (error) {
    const url = error instanceof StartError && runningServer(dataDir)
    if (!url) throw error
    return openPrepared(config, ofApi(config, url))
  }
  return startOwn(config, lock)
}

async function startOwn(config: Config, lock: DataFolderLock): Promise<CommandDatabase> {
  const { result, stop } = await startInOrder(async (ending) => {
    ending.defer(() => lock.release())
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir })
    ending.defer(() => postgres.stop())
    await migrate(postgres.ownerUrl, OWN_SQL, { mayGoBack: config.profile === 'demo' })
    const { api } = await makeLogins(postgres.ownerUrl, loginKeysOf(config))
    const db = openDatabase(api, { connectionsMax: 2, limits: { connectMs: CONNECT_AT_START_MS } })
    ending.defer(() => db.close())
    return { db, cipher: cipherOf(keysOf(config).secretKeys) }
  })
  return { ...result, close: stop }
}

/**
 * A database that the product has set up. Its roles are not changed: with another SECRET_KEY the running product
 * would lose access, and it could not decrypt what this command encrypts.
 */
async function openPrepared(config: Config, address: string): Promise<CommandDatabase> {
  const db = openDatabase(address, {
    connectionsMax: 2,
    limits: { connectMs: CONNECT_AT_START_MS },
  })
  try {
    if (!(await db.exists(`select where to_regclass('staff.member') is not null`))) {
      throw new StartError(
        'The product has not set up this database yet: start it once with `npm start`, then try again.',
      )
    }
    return { db, cipher: cipherOf(keysOf(config).secretKeys), close: () => db.close() }
  } catch (cause) {
    await db.close()
    if (cause instanceof StartError) throw cause
    const url = new URL(address)
    const { code, message } = cause as { code?: string; message?: string }
    if (code === INVALID_PASSWORD || code === INVALID_AUTHORIZATION) {
      throw new StartError(
        'The database does not let this command in: give it the ROLE, SECRET_KEY and DATA_DIR that the product runs with, and start the product once with `npm start` where it has never run.',
        { cause },
      )
    }
    throw new StartError(
      `The database at ${url.host}${url.pathname} cannot be reached (${code ?? message}): try again when the product has started.`,
      { cause },
    )
  }
}

/**
 * The address of the embedded server that the running product has started; null if none is found. PostgreSQL writes
 * its port on the fourth line of `postmaster.pid` (its storage-file-layout page and src/include/utils/pidfile.h).
 */
function runningServer(dataDir: string): string | null {
  const { cluster } = clusterFiles(resolve(dataDir))
  try {
    const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3] ?? ''
    return /^\d+$/.test(port) ? `postgres://127.0.0.1:${port}/${EMBEDDED_DATABASE}` : null
  } catch {
    return null
  }
}

/** The address by which a process with ROLE=all serves players and staff. */
function ofApi(config: Config, address: string): string {
  return addressOf('api', address, loginKeysOf(config))
}

function loginKeysOf(config: Config): LoginKeys {
  const { secretKeys, seedKeys } = keysOf(config)
  return { secretKey: secretKeys[0], seedKey: seedKeys[0] }
}

/** Prints what a command answers, or one sentence that says why there is no answer. */
export async function runCommand(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work())
  } catch (error) {
    const isExpected = error instanceof StartError || error instanceof MigrationError
    const text = isExpected ? error.message : error instanceof Error ? error.stack : error
    console.error(`\n${text}\n`)
    process.exitCode = 1
  }
}
