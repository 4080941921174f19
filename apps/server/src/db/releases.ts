/**
 * The releases that a database serves: the one whose functions are in it, and earlier ones whose processes may still
 * be running. And earlier releases that it no longer serves, which are refused.
 */
import type pg from 'pg'
import { SCHEMAS } from './function-files.ts'
import { inTransaction } from './migration-step.ts'

export type Release = {
  /** The hash of all its function texts. */
  sha256: string
  /** The later release has the greater number. */
  number: number
  /** `past`: when an upgrade was finished, none of its processes was running any more. */
  place: 'present' | 'before' | 'past'
  /** The functions that it uses, with their parameters' types; null: all that existed. */
  functions: string[] | null
  /** What it grants to the application, such as `select on table bets.bet`; null: all that existed. */
  rights: string[] | null
}

// The first version of this table had one row, for the release that was applied last.
const TABLE = `
  create table if not exists public.function_text (sha256 text primary key);
  alter table public.function_text drop column if exists only_one;
  do $$
  begin
    if not exists (select from pg_constraint where conname = 'function_text_pkey') then
      alter table public.function_text add primary key (sha256);
    end if;
  end
  $$;
  alter table public.function_text
    add column place text not null check (place in ('present', 'before', 'past')) default 'present',
    add column number integer not null default 1,
    add column functions text[],
    add column rights text[];
  alter table public.function_text alter column place drop default, alter column number drop default`

/** The releases that the database serves; none if it is new. */
export async function readReleases(client: pg.Client): Promise<Release[]> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('public.function_text') and attname = 'place'`,
  )
  if (!rowCount) {
    await inTransaction(client, { about: 'the table of releases', sql: TABLE }, async () => {
      await client.query(TABLE)
    })
  }
  const { rows } = await client.query<Release>(
    'select sha256, number, place, functions, rights from public.function_text',
  )
  return rows
}

export async function writeReleases(client: pg.Client, releases: readonly Release[]) {
  await client.query('delete from public.function_text')
  for (const { sha256, number, place, functions, rights } of releases) {
    await client.query(
      `insert into public.function_text (sha256, number, place, functions, rights)
       values ($1, $2, $3, $4, $5)`,
      [sha256, number, place, functions, rights],
    )
  }
}

/** What the application may do in our schemas. */
export async function readRights(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ granted: string }>(RIGHTS, [SCHEMAS])
  return rows.map(({ granted }) => granted)
}

const RIGHTS = `
  with ours as (select oid, nspname, nspacl from pg_namespace where nspname = any ($1)),
  may as (
    select lower(privilege_type) || ' on schema ' || nspname as granted, grantee
    from ours, aclexplode(nspacl)
    union all
    select lower(privilege_type) || case relkind when 'S' then ' on sequence ' else ' on table ' end
      || pg_class.oid::regclass, grantee
    from ours join pg_class on relnamespace = ours.oid, aclexplode(relacl)
    union all
    select format('%s (%I) on table %s', lower(privilege_type), attname, attrelid::regclass), grantee
    from ours join pg_class on relnamespace = ours.oid join pg_attribute on attrelid = pg_class.oid,
      aclexplode(attacl)
    where not attisdropped
    union all
    select lower(privilege_type) || ' on function ' || pg_proc.oid::regprocedure, grantee
    from ours join pg_proc on pronamespace = ours.oid, aclexplode(proacl)
  )
  select granted from may where grantee = 'sum28_application'::regrole order by granted`

/** The missing object of a grant: a table, function, column or schema. */
const IS_MISSING = /^(42P01|42883|42703|3F000)$/

/** Grants these rights to the application, except those on objects that no longer exist. */
export async function grantRights(client: pg.Client, rights: readonly string[]): Promise<void> {
  for (const right of rights) {
    await client.query('savepoint before_right')
    try {
      await client.query(`grant ${right} to sum28_application`)
    } catch (error) {
      if (!IS_MISSING.test((error as pg.DatabaseError).code ?? '')) throw error
      await client.query('rollback to savepoint before_right')
    }
  }
}
