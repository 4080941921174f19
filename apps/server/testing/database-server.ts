/** One PostgreSQL for a whole test run, with a migrated template that every test database is cloned from. */
import { rmSync } from 'node:fs'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import { migrate } from '#src/db/migrate.ts'
import { makeServerFolder } from './server-folder.ts'
import { TEMPLATE } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's address, without a database name. */
    databaseServer: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A running server that stays: see test-bench.ts.
  const standing = process.env.TEST_DATABASE_SERVER
  if (standing) {
    project.provide('databaseServer', standing)
    return async () => {}
  }
  const folder = makeServerFolder()
  const server = await startTestServer(folder)
  project.provide('databaseServer', server.url(''))
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export type TestServer = {
  /** The owner's address of a database, or without its name. */
  url(database: string): string
  stop(): Promise<void>
}

/** Starts a server on a folder in memory or without durability, with the migrated template. */
export async function startTestServer(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<TestServer> {
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      // Nothing is replicated, and crash safety is not needed, so little is written to the log.
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '256MB',
      ...settings,
    },
  })
  const url = (database: string) => {
    const address = new URL(server.ownerUrl)
    address.pathname = `/${database}`
    return address.toString()
  }
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(url(TEMPLATE))
  const owner = new pg.Client({ connectionString: url(TEMPLATE) })
  await owner.connect()
  await owner.query('select app.ensure_partitions(current_date - 40, 4)')
  await owner.end()
  return { url, stop: () => server.stop() }
}
