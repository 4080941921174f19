/** Fills a database with what the console lists, in SQL with triggers off. */
import type { Database } from '@sum28/server/src/db/database.ts'
import type pg from 'pg'
import { LOADS, type Load, type Size } from './console-loads.ts'

/** The longest time between the first row and the last, in seconds. */
const SPAN = 90_000_000

/** @param all how many rows the largest kinds have */
function sizeOf(
  all: number,
  { share = 1, most = Number.POSITIVE_INFINITY, least = 1_000 }: Load,
): Size {
  const rows = Math.min(Math.max(Math.floor(all / share), Math.min(all, least)), most)
  const rare = Math.max(2, Math.floor(rows / Math.max(30, rows / 1_000)))
  return {
    ...{ rows, rare, rares: Math.floor(rows / rare) },
    owners: Math.max(2, Math.min(5_000, Math.floor(rows / 50))),
    step: SPAN / rows,
  }
}

/** Loads that are made at a time. */
const LANES = 2

/** @param rows how many of the kinds that a house has most of */
export async function fillConsole(owner: Database, rows: number): Promise<void> {
  await owner.query(
    `insert into staff.member (name, role, password_hash, sealed_totp_secret, totp_key_id)
     select 'member' || n, 'support', 'none', 'none', 'bench' from generate_series(1, 21) n`,
  )
  for (const second of [false, true]) {
    const waiting = LOADS.filter((load) => (load.second ?? false) === second)
    await Promise.all(Array.from({ length: LANES }, () => fillAll(owner, waiting, rows)))
  }
}

async function fillAll(owner: Database, waiting: Load[], rows: number): Promise<void> {
  await runLoading(owner, async (client) => {
    for (let load = waiting.shift(); load; load = waiting.shift()) {
      const begun = performance.now()
      await fill(client, load.table, load.sql(sizeOf(rows, load)))
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      if (rows > 100_000) console.log(`  ${load.table}: ${seconds} s`)
    }
  })
}

/** Fills tables one after the other, each by its statement. */
export async function loadTables(
  owner: Database,
  loads: readonly { table: string; sql: string }[],
): Promise<void> {
  await runLoading(owner, async (client) => {
    for (const { table, sql } of loads) await fill(client, table, sql)
  })
}

/** Does work on a connection of its own, without triggers, without waiting for the disk, and for as long as it takes. */
export async function runLoading(
  owner: Database,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await owner.pool.connect()
  try {
    await client.query(`set session_replication_role = replica`)
    await client.query(`set synchronous_commit = off`)
    await client.query(`set statement_timeout = 0`)
    await client.query(`set lock_timeout = 0`)
    await client.query(`set maintenance_work_mem = '1GB'`)
    await work(client)
  } finally {
    client.release(true)
  }
}

/** Its indexes, except those that other tables refer to, are made when the rows are there. */
async function fill(client: pg.PoolClient, table: string, sql: string): Promise<void> {
  const { rows: indexes } = await client.query<{ make: string; drop: string }>(
    `select 'drop index ' || indexrelid::regclass as drop,
       replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as make
     from pg_index where indrelid = $1::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)
     union all
     select format('alter table %s drop constraint %I', $1, conname),
       format('alter table %s add constraint %I %s', $1, conname, pg_get_constraintdef(oid))
     from pg_constraint made where conrelid = $1::regclass and contype in ('p', 'u')
       and not exists (select from pg_constraint other where other.contype = 'f' and other.conindid = made.conindid)`,
    [table],
  )
  for (const { drop } of indexes) await client.query(drop)
  await client.query(sql)
  for (const { make } of indexes) await client.query(make)
  await client.query(`vacuum analyze ${table}`)
}
