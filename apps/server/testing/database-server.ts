/** One PostgreSQL for a whole test run, with a migrated template that every test database is cloned from. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import { migrate, OWN_SQL, type SqlFolders } from '#src/db/migrate.ts'
import { TEMPLATE } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the owner connects, without a database's name. */
    databaseServer: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-test-'))
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
    },
  })
  const admin = new URL(server.ownerUrl)
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = new URL(admin)
  template.pathname = `/${TEMPLATE}`
  await migrate(template.toString(), testedSql())
  const owner = new pg.Client({ connectionString: template.toString() })
  await owner.connect()
  await owner.query('select app.ensure_partitions(current_date - 40, 4)')
  await owner.end()

  admin.pathname = '/'
  project.provide('databaseServer', admin.toString())
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The product's SQL, or with functions that have a fault in them: see run-mutants.ts. */
function testedSql(): SqlFolders {
  const faulty = process.env.TESTED_SQL_FUNCTIONS
  return faulty ? { ...OWN_SQL, functions: pathToFileURL(`${faulty}/`) } : OWN_SQL
}
