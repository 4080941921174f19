/** One PostgreSQL for a whole test run, with a migrated template that every test database is cloned from. */

import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import { isAlive } from '#src/adapters/postgres/leftover-server.ts'
import { makeLogin, makeLogins } from '#src/db/logins.ts'
import { migrate } from '#src/db/migrate.ts'
import { withClient } from '#src/db/with-client.ts'
import { LOGIN_KEYS } from '../product/secret-key.ts'
import {
  ALL_PARTS,
  addressIn,
  onServer,
  SETTABLE_CLOCK,
  TEMPLATE,
  WITHOUT_LATER_YEARS,
} from './cloned-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's address, without a database name. */
    databaseServer: string
    /** A folder for what lives as long as the run. */
    dataFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, stop } = await serverOfRun()
  project.provide('databaseServer', address)
  const dataFolder = mkdtempSync(join(tmpdir(), 'sum28-run-'))
  project.provide('dataFolder', dataFolder)
  return async () => {
    await stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** The server of a test run, by its owner's address: one that stays, or one that is started and ends with the run. */
export async function serverOfRun(): Promise<{ address: string; stop(): Promise<void> }> {
  // A running server that stays: see lab/mutants/test-bench.ts.
  const runningUrl = process.env.TEST_DATABASE_SERVER
  if (runningUrl) return { address: runningUrl, stop: async () => {} }
  const folder = makeServerFolder()
  const server = await startTestServer(folder)
  return {
    address: server.url(''),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

type TestServer = {
  /** The owner's address of a database, or without its name. */
  url(database: string): string
  stop(): Promise<void>
}

/** As the limits of the pools of tests: a busy machine is slow, and that is no fault. */
const PATIENT_SETTLEMENT = `alter function bets.pay(text, wallet.movement[]) set lock_timeout = '60s'`

/** Starts a server on a folder in memory or without durability, with the migrated template. */
export async function startTestServer(dataDir: string): Promise<TestServer> {
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      // A test makes the statistics that it needs: it plans alike, whatever ran before and however long.
      autovacuum: 'off',
      // Tests make deadlocks, and need not wait for their end.
      deadlock_timeout: '200ms',
      // Passwords of tests need no slow hash, and connections are many.
      scram_iterations: '1',
      // Nothing is replicated, and crash safety is not needed, so little is written to the log.
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '256MB',
    },
  })
  const url = (database: string) => addressIn(server.ownerUrl, { pathname: `/${database}` })
  await makeTemplate(server.ownerUrl)
  return { url, stop: () => server.stop() }
}

/** The first content is there at whatever time a test sets the clock. */
const PUBLISHED_LONG_AGO = `;
  update content.article set published_at = published_at - interval '1 year';
  update content.announcement set published_at = published_at - interval '1 year'`

/**
 * Makes the migrated template on a server, in the place of the one that an earlier run has left there. Nobody can
 * connect to it afterwards: it can be cloned only while nobody is connected.
 */
async function makeTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, async (admin) => {
    await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
    await admin.query(`create database ${TEMPLATE}`)
  })
  const template = addressIn(serverUrl, { pathname: `/${TEMPLATE}` })
  await migrate(template)
  await makeLogins(template, LOGIN_KEYS)
  await withClient(template, async (owner) => {
    await makeLogin(owner, ALL_PARTS)
    await owner.query(SETTABLE_CLOCK + PUBLISHED_LONG_AGO + WITHOUT_LATER_YEARS)
    await owner.query(PATIENT_SETTLEMENT)
  })
  await onServer(serverUrl, async (admin) => {
    await admin.query(`alter database ${TEMPLATE} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      TEMPLATE,
    ])
  })
}

/** Where Linux has files in memory: the databases are small, and are cloned and dropped all the time. */
const MEMORY = '/dev/shm'

/** A server uses far less; if memory is short, a disk is slower but does not fill up. */
const ROOM_BYTES = 2 * 1024 ** 3

/** The number is the process id of the maker, which removes the folder in the end. */
const NAME = /^sum28-server-(\d+)-/

/** Makes a folder, which its caller removes, and removes those of killed runs. */
export function makeServerFolder(): string {
  const parent = hasRoom() ? MEMORY : tmpdir()
  for (const name of readdirSync(parent)) {
    const owner = NAME.exec(name)?.[1]
    if (owner && !isAlive(Number(owner))) {
      rmSync(join(parent, name), { recursive: true, force: true })
    }
  }
  return mkdtempSync(join(parent, `sum28-server-${process.pid}-`))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ROOM_BYTES && process.availableMemory() > 2 * ROOM_BYTES
  } catch {
    return false
  }
}
