import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { withClient } from '#src/db/with-client.ts'
import { diskFull, reportsDiskFull, StartError } from '#src/process/start-error.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import { endLeftoverServer } from './leftover-server.ts'
import { choosePostgresAccount } from './postgres-account.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import {
  clusterFiles,
  ensureCluster,
  giveToAccount,
  makeHome,
  OWNER_ROLE,
} from './postgres-cluster.ts'
import { runServer } from './postgres-server.ts'

export const EMBEDDED_DATABASE = 'sum28'

/** Settings for a small machine. Commits still wait for the disk. */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_connections: '60',
  synchronous_commit: 'on',
  fsync: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Fewer processes: there is no replication, and reads on one small disk gain nothing from parallel workers.
  max_logical_replication_workers: '0',
  io_method: 'sync',
  // In the data folder: systemd deletes what a user has in /dev/shm once he has logged out (RemoveIPC).
  dynamic_shared_memory_type: 'mmap',
  jit: 'off',
}

/** A running server that only this process uses. */
export type EmbeddedPostgres = {
  /** Connects as the superuser, over 127.0.0.1, to a UTF-8 database of its own. */
  ownerUrl: string
  /** Ends the server and unlocks the data folder; a second call waits for the same end. */
  stop(): Promise<void>
  /** Resolves if the server ends without a call of `stop`. */
  died: Promise<StartError>
}

/**
 * Starts the real PostgreSQL that npm installed, on files under `<dataDir>/postgres`, which the first start makes. It
 * runs in its own session, so that Ctrl-C does not reach it, and ends with `stop` or soon after this process ends. A
 * server that an earlier process left running is ended first. Servers on different folders are independent.
 *
 * @param log gets a line for each step that takes noticeable time.
 * @param settings PostgreSQL parameters that override or extend ours; tests pass `fsync: 'off'`.
 * @throws StartError, one sentence that says what to do.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log = () => {},
  settings = {},
}: {
  dataDir: string
  log?: (line: string) => void
  settings?: Readonly<Record<string, string>>
}): Promise<EmbeddedPostgres> {
  const files = clusterFiles(resolve(dataDir))
  const lock = lockDataFolder({ folder: files.dataDir, purpose: 'postgres' })
  try {
    const binaries = findPostgresBinaries()
    makeHome(files)
    const account = choosePostgresAccount({
      binaries,
      folder: files.home,
      give: (owner) => giveToAccount(files, owner),
    })
    const wanted = { ...SETTINGS, ...settings }
    const password = await ensureCluster({
      files,
      binaries,
      account,
      log,
      durable: wanted.fsync !== 'off',
    })
    const stranger = await endLeftoverServer({ cluster: files.cluster, log })
    const server = await runServer({
      files,
      binaries,
      account,
      log,
      settings: wanted,
      ...(stranger === undefined ? {} : { stranger }),
    })
    const address = `postgres://${OWNER_ROLE}:${password}@127.0.0.1:${server.port}`
    try {
      await ensureDatabase({ address, dataDir: files.dataDir })
    } catch (error) {
      await server.stop()
      throw error
    }
    return {
      ownerUrl: `${address}/${EMBEDDED_DATABASE}`,
      died: server.died,
      async stop() {
        await server.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Why something failed that needs the server of a data folder: its full disk, if the error or the server's log says so;
 * the error itself otherwise.
 */
export function causeIn(dataDir: string, error: unknown): unknown {
  const { logFile } = clusterFiles(resolve(dataDir))
  const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''
  return reportsDiskFull(`${error}${log}`) ? diskFull(dataDir) : error
}

async function ensureDatabase({
  address,
  dataDir,
}: {
  address: string
  dataDir: string
}): Promise<void> {
  try {
    await withClient(`${address}/postgres`, async (client) => {
      const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
        EMBEDDED_DATABASE,
      ])
      if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${EMBEDDED_DATABASE}`)
    })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (reportsDiskFull(reason)) throw diskFull(dataDir)
    throw new StartError(
      `The embedded database in ${dataDir} does not let us in (${reason}): move ${dataDir}/postgres away to begin anew, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}
