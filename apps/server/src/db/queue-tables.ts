/** The queue's tables, which its library makes and changes. */
import { runMigrations } from 'graphile-worker'
import { openPool } from './database.ts'
import { CONNECT_AT_START_MS } from './limits.ts'

/**
 * Makes the queue's tables, or updates them, as the database's owner.
 *
 * The library is given a pool of ours: it closes its own without waiting for the end, and does not listen meanwhile, so
 * that a connection which is broken then would end the process.
 */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  const limits = { connectMs: CONNECT_AT_START_MS, lockMs: 0 }
  const pool = openPool(ownerUrl, { connectionsMax: 1, limits })
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
}

/** The queue's tables belong to its library, which grants access to the owner only. */
export const GRANT_QUEUE = `
  grant usage on schema graphile_worker to sum28_application;
  grant select, insert, update, delete on all tables in schema graphile_worker to sum28_application;
  grant usage, select, update on all sequences in schema graphile_worker to sum28_application;
  grant execute on all functions in schema graphile_worker to sum28_application;
  do $$
  declare
    closed regclass;
  begin
    for closed in
      select oid::regclass from pg_class
      where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
        and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'application')
    loop
      execute format('create policy application on %s to sum28_application using (true) with check (true)', closed);
    end loop;
  end
  $$`
