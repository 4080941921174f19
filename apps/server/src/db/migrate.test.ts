import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { openTestPool, shareTestDatabase } from '#testing/database/test-database.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { LOGIN_KEYS } from '#testing/product/secret-key.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { MigrationError, SCHEMAS } from './apply-functions.ts'
import { type Database, openDatabase } from './database.ts'
import { loginOf, makeLogins, PARTS } from './logins.ts'
import { isMigrated, migrate, type SqlFolders } from './migrate.ts'
import { reachAsOwner } from './reach-database.ts'
import { withClient } from './with-client.ts'

const NAMES = (await readdir(new URL('../../sql/migrations/', import.meta.url)))
  .filter((name) => name.endsWith('.sql'))
  .sort()

function asAdmin(statement: string) {
  const url = new URL('/postgres', inject('databaseServer')).href
  return withClient(url, (admin) => admin.query(statement))
}

/** A database in which nothing has been done yet, as its owner; the caller drops it. */
async function makeEmpty() {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const url = new URL(`/${name}`, inject('databaseServer')).href
  const owner = openDatabase(url, { connectionsMax: 2, limits: PATIENT_TO_CONNECT })
  async function drop() {
    await owner.close()
    await asAdmin(`drop database ${name} with (force)`)
    await asAdmin(`drop role if exists ${PARTS.map((part) => loginOf(name, part))}`)
  }
  return { url, owner, drop }
}

async function emptyDatabase() {
  const database = await makeEmpty()
  onTestFinished(database.drop)
  return database
}

/** Each test leaves it as it was. */
let migrated: Awaited<ReturnType<typeof makeEmpty>>
beforeAll(async () => {
  migrated = await makeEmpty()
  await migrate(migrated.url)
  return migrated.drop
})

const database = shareTestDatabase()

/** Everything that the functions' files make in a database: functions, views, triggers and rights. */
function madeByFiles(owner: Database) {
  return owner.query(
    `with ours as (select oid, nspname from pg_namespace where nspname = any ($1))
     select pg_get_functiondef(pg_proc.oid) as text, proacl::text as rights
     from pg_proc join ours on ours.oid = pronamespace
     union all
     select relname || coalesce(pg_get_viewdef(case when relkind = 'v' then pg_class.oid end), ''), relacl::text
     from pg_class join ours on ours.oid = relnamespace where not relispartition
     union all
     select attrelid::regclass || '.' || attname, attacl::text
     from pg_attribute join pg_class on pg_class.oid = attrelid join ours on ours.oid = relnamespace
     where attacl is not null
     union all
     select pg_get_triggerdef(pg_trigger.oid), null
     from pg_trigger join pg_class on pg_class.oid = tgrelid join ours on ours.oid = relnamespace
     where not tgisinternal and not relispartition
     union all
     select nspname, nspacl::text from pg_namespace join ours using (oid, nspname)
     order by 1, 2`,
    [SCHEMAS],
  )
}

function folderWith(files: Record<string, string>): URL {
  const folder = temporaryFolder()
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return pathToFileURL(`${folder}/`)
}

/** The folders of a release with these migrations, and perhaps functions. */
function releaseOf(
  migrations: Record<string, string>,
  functions?: Record<string, string>,
): SqlFolders {
  const folders = { migrations: folderWith(migrations) }
  return functions ? { ...folders, functions: folderWith(functions) } : folders
}

describe('migrating', () => {
  it('does it once when two start at once on a fresh database, and nothing the next time', async () => {
    const { url, owner } = await emptyDatabase()
    const applied = await Promise.all([migrate(url), migrate(url)])
    expect(applied.flat()).toEqual(NAMES)
    expect(applied.map((names) => names.length).sort((a, b) => a - b)).toEqual([0, NAMES.length])
    expect(await migrate(url)).toEqual([])
    const done = `select name from public.migration where name <> 'functions' order by name`
    expect(await owner.column(done)).toEqual(NAMES)
  })

  it('listens to the connections of its pools to their end, so that one broken then ends no process', async () => {
    const end = vi.spyOn(pg.Pool.prototype, 'end')
    onTestFinished(() => end.mockRestore())
    await migrate(migrated.url)
    const pools = end.mock.contexts as pg.Pool[]
    expect(pools.map((pool) => pool.listenerCount('error') > 0)).toEqual([true])
  })

  it('applies functions again when a text has changed, and drops those that are in no file any more', async () => {
    const { url, owner } = migrated
    const lines = await madeByFiles(owner)
    await owner.query(`create function games.of_old() returns integer language sql return 28;
      create or replace function app.now() returns timestamptz return now();
      create view games.of_old as select games.of_old();
      drop trigger bet_guarded on bets.bet;
      grant update on bets.bet to sum28_application;
      update public.migration set sha256 = 'of another text' where name = 'functions'`)
    expect(await madeByFiles(owner)).not.toEqual(lines)
    expect(await isMigrated(url)).toBe(false)
    await migrate(url)
    expect(await isMigrated(url)).toBe(true)
    expect(await madeByFiles(owner)).toEqual(lines)
  })

  it('does not put back functions that a later release has replaced, except where it may', async () => {
    const { url, owner } = await emptyDatabase()
    const release = (version: string, files: Record<string, string> = {}) =>
      releaseOf(
        { '0001_a.sql': '', ...files },
        { 'app.sql': `create function app.release() returns text return '${version}'` },
      )
    const [first, second] = [release('first'), release('second')]
    const present = () => owner.value<string>('select app.release()')
    for (const folders of [first, second, second]) await migrate(url, folders)
    const why = 'the database has the functions of a later release: start the later one'
    await expect(migrate(url, first)).rejects.toThrow(new MigrationError(why))
    expect(await present()).toBe('second')
    // While somebody works on the functions.
    for (const [folders, version] of [
      [first, 'first'],
      [second, 'second'],
    ] as const) {
      await migrate(url, folders, { mayGoBack: true })
      expect(await present()).toBe(version)
    }
    // A later release, which has a migration too, may have the text of an earlier one.
    const third = release('first', { '0002_b.sql': '-- The functions of the first release again.' })
    await migrate(url, third)
    expect(await present()).toBe('first')
    await expect(migrate(url, second)).rejects.toThrow('has 0002_b.sql of a later release')
  })

  it('refuses a database in which another application has one of its schemas, and leaves that as it was', async () => {
    const { url, owner } = await emptyDatabase()
    await owner.query('create schema content')
    await owner.query('create function content.page() returns integer language sql return 28')
    await expect(migrate(url)).rejects.toThrow(
      new MigrationError('the schemas of the product: schema "content" already exists'),
    )
    expect(await owner.value('select content.page()')).toBe(28)
  })

  it('gives a later migration the functions that tables need as its own release has them', async () => {
    const { url, owner } = await emptyDatabase()
    const release = (migrations: Record<string, string>, start: number) =>
      releaseOf(migrations, {
        'before_tables.sql': `
          create or replace function app.now() returns timestamptz return clock_timestamp();
          create or replace function app.start() returns integer return ${start}`,
      })
    const first = { '0001_a.sql': 'create table a as select app.start() as start' }
    await migrate(url, release(first, 1))
    await migrate(url, release({ ...first, '0002_b.sql': 'insert into a select app.start()' }, 2))
    expect(await owner.column('select start from a order by start')).toEqual([1, 2])
  })

  it('waits for those who use a table, and then does all of it', async () => {
    const { url, owner } = migrated
    const lines = await madeByFiles(owner)
    await owner.query(`delete from public.migration where name = 'functions'`)
    let migrating: Promise<string[]> | undefined
    await owner.transaction(async (tx) => {
      await tx.query('lock table bets.bet in row exclusive mode')
      migrating = migrate(url)
      await somebodyWaits({ owner })
    })
    await migrating
    expect(await madeByFiles(owner)).toEqual(lines)
  })

  it('applies only the new migrations, and nothing if one was changed or is of a later release', async () => {
    const { url, owner } = await emptyDatabase()
    const first = { '0001_a.sql': 'create table a (id integer)' }
    expect(await migrate(url, releaseOf(first))).toEqual(['0001_a.sql'])
    const both = { ...first, '0002_b.sql': 'alter table a add column name text', 'notes.txt': 'no' }
    expect(await migrate(url, releaseOf(both))).toEqual(['0002_b.sql'])
    expect(await owner.query('select id, name from a')).toEqual([])
    const third = { '0003_c.sql': 'create table c ()' }
    for (const [files, why] of [
      [
        { ...both, ...third, '0001_a.sql': 'create table a (id bigint)' },
        'migration 0001_a.sql was changed after it had been applied: put the file back, or begin a new database',
      ],
      [first, 'the database has 0002_b.sql of a later release: start the later one'],
    ] as const) {
      await expect(migrate(url, releaseOf(files))).rejects.toThrow(new MigrationError(why))
    }
    expect(await owner.value(`select to_regclass('c')::text`)).toBeNull()
  })

  it('names the file and the line that is wrong, or what failed first, and leaves nothing', async () => {
    const { url, owner } = await emptyDatabase()
    for (const [sql, position] of [
      [
        'create table a ();\n\nselect 1;\ncreat table b ();\n',
        ', line 4: syntax error at or near "creat"',
      ],
      // Behind signs of several bytes.
      [
        '-- é漢👩‍👩‍👧\n\nselect none_such\nfrom pg_class;',
        ', line 3: column "none_such" does not exist',
      ],
      [
        'create table a (id integer check (id > 0));\ninsert into a values (0);',
        ': new row for relation "a" violates check constraint "a_id_check"',
      ],
      [
        'select pg_terminate_backend(pg_backend_pid())',
        ': terminating connection due to administrator command',
      ],
    ] as const) {
      const files = { '0001_good.sql': 'create table good ()', '0002_bad.sql': sql }
      const wrong = new MigrationError(`migration 0002_bad.sql${position}`)
      await expect(migrate(url, releaseOf(files))).rejects.toThrow(wrong)
      const tables = `select coalesce(to_regclass('a'), to_regclass('good'))::text`
      expect(await owner.value(tables)).toBeNull()
    }
  })
})

describe('the logins of the product’s parts', () => {
  it('have no plan compiled, which takes longer than an order may', async () => {
    const { db } = database
    // The embedded server has it off by default; on other servers the connection's setting counts.
    const jit = await db.one(`select setting, source from pg_settings where name = 'jit'`)
    expect(jit).toEqual({ setting: 'off', source: 'client' })
  })

  it('are made by several processes at once, own nothing, are no superusers, and make no tables of their own', async () => {
    await Promise.all([1, 2, 3].map(() => makeLogins(migrated.url, LOGIN_KEYS)))
    // They get their passwords again.
    const addresses = await makeLogins(migrated.url, LOGIN_KEYS)
    for (const address of Object.values(addresses)) {
      const db = openTestPool(address)
      expect(
        await db.query(
          `select rolname from pg_roles where pg_has_role(oid, 'member')
             and (rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication)`,
        ),
      ).toEqual([])
      const owned = `select oid::regclass from pg_class where pg_has_role(relowner, 'member')`
      expect(await db.query(owned)).toEqual([])
      for (const made of ['table public.x ()', 'temporary table x ()', 'schema x'])
        await expect(db.query(`create ${made}`)).rejects.toThrow(/permission denied/)
    }
  })

  it('write no money, no draw, no decision and no guard', async () => {
    const tables = `ledger.posting ledger.balance rounds.draw rounds.round bets.bet deposits.transfer
      withdrawals.withdrawal withdrawals.terms staff.proposal deposits.bank_account staff.audit games.odds
      public.migration staff.audit_head staff.member staff.session accounts.player withdrawals.pay_method`
    const rights = await database.db.column(
      `select right_name || ' ' || name || coalesce(' ' || string_agg(attname, ' ' order by attname collate "C"), '')
       from unnest($1::regclass[]) name cross join unnest('{insert,update,delete,truncate}'::text[]) right_name
         left join pg_attribute on attrelid = name and attnum > 0 and right_name in ('insert', 'update')
       where case when attnum is null then has_table_privilege(name, right_name)
         else has_column_privilege(name, attnum, right_name) end
       group by right_name, name order by 1`,
      [tables.split(/\s+/)],
    )
    expect(rights).toEqual([
      'insert accounts.player email email_key group_id inviter_id lang password_hash username',
      'update accounts.player avatar lang password_hash',
      'update staff.audit_head broken_by_file broken_id broken_since',
      'update staff.member code_tried_at code_tries encrypted_totp_secret totp_key_id totp_time_step',
      'update staff.session seen_at',
      'update withdrawals.pay_method encrypted_number key_id note',
    ])
  })

  it('cannot post, and cannot stop the triggers that guard history', async () => {
    const { db } = database
    const posting = `select ledger.post(array[row(1, current_date, 'deposit', 'house:treasury', 'cash', 1, 'x')::ledger.posting_request])`
    for (const [statement, why] of [
      [posting, /permission denied/],
      ['set session_replication_role = replica', /permission denied/],
      ['alter table ledger.posting disable trigger all', /must be owner/],
      ['set role sum28_api; drop table ledger.posting', /must be owner/],
    ] as const) {
      await expect(db.query(statement), statement).rejects.toThrow(why)
    }
  })

  it('is granted each function that runs as the owner: none is public, or without a fixed search path', async () => {
    const { db } = database
    const open = await db.query(
      `select oid::regproc::text as name from pg_proc
       where prosecdef and prorettype <> 'trigger'::regtype
         and pronamespace::regnamespace::text not in ('pg_catalog', 'graphile_worker')
         and has_function_privilege('public', oid, 'execute')`,
    )
    expect(open).toEqual([])
    // Whatever runs as the owner has its search path pinned.
    const loose = await db.query(
      `select oid::regproc::text as name from pg_proc
       where prosecdef and pronamespace::regnamespace::text not in ('pg_catalog', 'graphile_worker')
         and not coalesce(proconfig::text like '%search_path=pg_catalog, pg_temp%', false)`,
    )
    expect(loose).toEqual([])
  })
})

describe('the tables of years', () => {
  it.each([
    [
      'have no index by blocks that waits for a vacuum until it knows new ones',
      `pg_class join pg_am on pg_am.oid = relam where amname = 'brin'`,
      'autosummarize=on',
    ],
    [
      'of the journal are vacuumed after so many rows, however many they have',
      `pg_partition_tree('ledger.posting') join pg_class on oid = relid where isleaf`,
      'autovacuum_vacuum_insert_scale_factor=0,autovacuum_vacuum_insert_threshold=200000',
    ],
    [
      'leave room in the pages of bets, which change once',
      `pg_partition_tree('bets.bet') join pg_class on oid = relid where isleaf`,
      'fillfactor=50',
    ],
  ])('%s', async (_what, relations, options) => {
    const others = `select relname from ${relations} and (reloptions @> $1) is not true`
    expect(await migrated.owner.query(others, [options.split(',')])).toEqual([])
  })

  // It fails by the calendar alone: once the default has rows of a year, no migration can add that year's table.
  it('are there for two years more: if not, it is time for a migration that adds some', async () => {
    const later = new Date().getUTCFullYear() + 2
    for (const table of ['ledger.posting', 'bets.bet']) {
      const name = `${table}_${later}`
      expect(await migrated.owner.value('select to_regclass($1)::text', [name])).toBe(name)
    }
  })
})

describe('a database of one’s own', () => {
  it('that cannot be reached is reported in one sentence, without its password', async () => {
    const url = new URL(inject('databaseServer'))
    url.port = '1'
    url.password = 'owner-secret'
    url.pathname = '/x'
    const { message } = (await reachAsOwner(url.href).catch((error) => error)) as Error
    const sentence =
      /^The database at [^ ]+ cannot be reached \(ECONNREFUSED.*\): check DATABASE_URL/
    expect(message).toMatch(sentence)
    expect(message).not.toContain('owner-secret')
  })

  it('that does not get our limits of time, as behind a pooler, is refused', async () => {
    const url = new URL('/postgres', inject('databaseServer'))
    url.searchParams.set('lock_timeout', '0')
    await expect(reachAsOwner(url.href)).rejects.toThrow(/does not get the limits of time/)
  })

  it('whose role may not make roles is reported', async () => {
    await expect(reachAsOwner(database.applicationUrl)).rejects.toThrow(
      /may not make roles: give it CREATEROLE/,
    )
    await reachAsOwner(new URL('/postgres', inject('databaseServer')).href)
  })
})
