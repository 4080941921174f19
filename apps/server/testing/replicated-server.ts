/** A PostgreSQL of the test's own with a streaming replica, made from a base backup. */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import { openDatabase } from '#src/db/database.ts'
import { withClient } from '#src/db/with-client.ts'
import { startTestServer } from './database-server.ts'
import { PATIENT_TO_CONNECT } from './patience.ts'
import { makeServerFolder } from './server-folder.ts'
import { eventually } from './test-app.ts'

export type ReplicatedServer = {
  /** The owner's address of the primary, without a database name. */
  readonly primaryUrl: string
  /** The owner's address of a database of the replica. */
  replicaUrl(database: string): string
  /** Stops the replay of the replica; resolves when it has stopped. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  stop(): Promise<void>
}

/** Settings for a server to be copied from. Commits are in the log before they are answered, as in production. */
const PRIMARY = {
  // Its workers would make and remove files while the folder is copied.
  autovacuum: 'off',
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
  synchronous_commit: 'on',
}

export async function startReplicatedServer(): Promise<ReplicatedServer> {
  const folder = makeServerFolder()
  const [primaryDir, replicaDir] = [join(folder, 'primary'), join(folder, 'replica')]
  mkdirSync(primaryDir)
  mkdirSync(replicaDir)
  const primary = await startTestServer(primaryDir, PRIMARY)
  const primaryUrl = primary.url('')
  await copyFiles({ primaryUrl, primaryDir, replicaDir })
  const { hostname, port, username, password } = new URL(primaryUrl)
  const replica = await startEmbeddedPostgres({
    dataDir: replicaDir,
    settings: {
      ...{ fsync: 'off', max_connections: '400', ...PRIMARY },
      primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
    },
  })
  const replicaUrl = (database: string) => {
    const url = new URL(replica.ownerUrl)
    url.pathname = `/${database}`
    return url.toString()
  }
  const limits = PATIENT_TO_CONNECT
  const owner = openDatabase(replicaUrl('postgres'), { connectionsMax: 1, limits })
  return {
    primaryUrl,
    replicaUrl,
    async pauseReplay() {
      await owner.query('select pg_wal_replay_pause()')
      await eventually(async () => {
        const [row] = await owner.query<{ state: string }>(
          'select pg_get_wal_replay_pause_state() as state',
        )
        return row?.state === 'paused' || undefined
      })
    },
    async resumeReplay() {
      await owner.query('select pg_wal_replay_resume()')
    },
    async stop() {
      await owner.close()
      await replica.stop()
      await primary.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** The work of `pg_basebackup`, which is not among the programs of the embedded server. */
async function copyFiles(from: {
  primaryUrl: string
  primaryDir: string
  replicaDir: string
}): Promise<void> {
  const { primaryUrl, primaryDir, replicaDir } = from
  const label = await withClient(`${primaryUrl}postgres`, async (client) => {
    await client.query(`select pg_backup_start('replica', true)`)
    execFileSync('cp', ['-a', join(primaryDir, 'postgres'), replicaDir])
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(false)',
    )
    return rows[0]?.label ?? ''
  })
  const cluster = join(replicaDir, 'postgres', 'cluster')
  for (const name of ['postmaster.pid', 'postmaster.opts']) {
    rmSync(join(cluster, name), { force: true })
  }
  const { uid, gid } = statSync(cluster)
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(cluster, name), text)
    chownSync(join(cluster, name), uid, gid)
  }
}
