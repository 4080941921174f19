/** A real PostgreSQL for one bench, durable as in production, with players who have a balance. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@sum28/server/src/adapters/postgres/embedded-postgres.ts'
import { type Database, openDatabase } from '@sum28/server/src/db/database.ts'
import { makeLogin, PARTS } from '@sum28/server/src/db/logins.ts'
import { migrate } from '@sum28/server/src/db/migrate.ts'
import { withClient } from '@sum28/server/src/db/with-client.ts'

export type BenchDatabase = {
  /** Connects as a login that may do what all parts of the product may. */
  db: Database
  /** Connects as the owner. */
  owner: Database
  stop(): Promise<void>
}

/**
 * @param connections how many connections the application may use at once
 * @param settings PostgreSQL parameters besides
 */
export async function startBenchDatabase(
  connections: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-bench-'))
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { max_connections: '200', ...settings },
  })
  await migrate(server.ownerUrl)
  // Hundreds of clients share few connections; waiting for one is part of what is measured.
  const limits = { connectMs: 60_000 }
  const owner = openDatabase(server.ownerUrl, { connectionsMax: 4, limits })
  // No engine compares the clocks here.
  await owner.query('update games.house set clocks_agreed_at = null')
  const login = { name: 'bench', password: 'bench', parts: PARTS }
  await withClient(server.ownerUrl, (client) => makeLogin(client, login))
  const address = Object.assign(new URL(server.ownerUrl), { username: 'bench', password: 'bench' })
  const db = openDatabase(address.toString(), { connectionsMax: connections, limits })
  return {
    db,
    owner,
    async stop() {
      await Promise.all([db.close(), owner.close()])
      await server.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Adds players with a million u each, or another amount in micro-units, and returns their ids. */
export async function addPlayers(
  owner: Database,
  count: number,
  { micro = 1_000_000_000_000n } = {},
): Promise<number[]> {
  const rows = await owner.query<{ id: number }>(
    `insert into accounts.player (username, email, email_key, group_id)
     select name, name || '@example.org', name || '@example.org', 1
     from generate_series(1, $1) n cross join lateral (select 'b' || $2 || n as name) named
     returning id`,
    [count, randomBytes(3).toString('hex')],
  )
  const ids = rows.map(({ id }) => id)
  await owner.query(
    `select ledger.post(array_agg(
       row(id, current_date, 'deposit', 'house:treasury', 'cash', $2, 'bench')::ledger.posting_request))
     from unnest($1::integer[]) id`,
    [ids, String(micro)],
  )
  return ids
}
