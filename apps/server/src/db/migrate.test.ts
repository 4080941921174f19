import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
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

/** Every function, view and trigger of ours, and every right to something of ours. */
function schemaOf(owner: Database) {
  return owner.query(
    `select oid::regprocedure::text as name, pg_get_functiondef(oid) as text from pg_proc
     where pronamespace::regnamespace::text = any ($1)
     union all
     select oid::regclass::text, pg_get_viewdef(oid) from pg_class
     where relkind = 'v' and relnamespace::regnamespace::text = any ($1)
     union all
     select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all
     select oid::regprocedure::text, granted::text from pg_proc, aclexplode(proacl) granted
     where pronamespace::regnamespace::text = any ($1)
     union all
     select oid::regclass::text, granted::text from pg_class, aclexplode(relacl) granted
     where relnamespace::regnamespace::text = any ($1)
     union all
     select attrelid::regclass || '.' || attname, granted::text from pg_attribute, aclexplode(attacl) granted
     where attrelid >= 16384
     order by name, text`,
    [SCHEMAS],
  )
}

/** A folder with these migrations in it. */
function folderWith(files: Record<string, string>): SqlFolders {
  const folder = temporaryFolder()
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return { migrations: pathToFileURL(`${folder}/`) }
}

describe('migrating', () => {
  it('does it once when two start at once on a fresh database, and nothing the next time', async () => {
    const { url, owner } = await emptyDatabase()
    const applied = await Promise.all([migrate(url), migrate(url)])
    expect(applied.flat()).toEqual(NAMES)
    expect(applied.map((names) => names.length).sort((a, b) => a - b)).toEqual([0, NAMES.length])
    expect(await migrate(url)).toEqual([])
    expect(
      await owner.query(
        `select name from public.migration where name <> 'functions' order by name`,
      ),
    ).toEqual(NAMES.map((name) => ({ name })))
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
    const lines = await schemaOf(owner)
    await owner.query('create function games.of_old() returns integer language sql return 28')
    await owner.query('create or replace function app.now() returns timestamptz return now()')
    await owner.query('create view games.of_old as select games.of_old()')
    await owner.query('drop trigger bet_guarded on bets.bet')
    await owner.query('grant update on bets.bet to sum28_application')
    expect(await schemaOf(owner)).not.toEqual(lines)
    await owner.query(
      `update public.migration set sha256 = 'of another text' where name = 'functions'`,
    )
    expect(await isMigrated(url)).toBe(false)
    await migrate(url)
    expect(await isMigrated(url)).toBe(true)
    expect(await schemaOf(owner)).toEqual(lines)
  })

  it('does not put back functions that a later release has replaced, except where it may', async () => {
    const { url, owner } = await emptyDatabase()
    const schemas = SCHEMAS.map((schema) => `create schema ${schema}`).join(';')
    const release = (version: string, files: Record<string, string> = {}): SqlFolders => ({
      ...folderWith({ '0001_a.sql': schemas, ...files }),
      functions: folderWith({
        'app.sql': `create function app.release() returns text return '${version}'`,
      }).migrations,
    })
    const [first, second] = [release('first'), release('second')]
    const present = () => owner.value('select app.release()')
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

  it('waits for those who use a table, and then does all of it', async () => {
    const { url, owner } = migrated
    const lines = await schemaOf(owner)
    await owner.query(`delete from public.migration where name = 'functions'`)
    let migrating: Promise<string[]> | undefined
    await owner.transaction(async (tx) => {
      await tx.query('lock table bets.bet in row exclusive mode')
      migrating = migrate(url)
      await somebodyWaits({ owner })
    })
    await migrating
    expect(await schemaOf(owner)).toEqual(lines)
  })

  it('applies only the new migrations, and nothing if one was changed or is of a later release', async () => {
    const { url, owner } = await emptyDatabase()
    const first = { '0001_a.sql': 'create table a (id integer)' }
    expect(await migrate(url, folderWith(first))).toEqual(['0001_a.sql'])
    const both = { ...first, '0002_b.sql': 'alter table a add column name text', 'notes.txt': 'no' }
    expect(await migrate(url, folderWith(both))).toEqual(['0002_b.sql'])
    expect(await owner.query('select id, name from a')).toEqual([])
    const third = { '0003_c.sql': 'create table c ()' }
    for (const [files, why] of [
      [
        { ...both, ...third, '0001_a.sql': 'create table a (id bigint)' },
        'migration 0001_a.sql was changed after it had been applied: put the file back, or begin a new database',
      ],
      [first, 'the database has 0002_b.sql of a later release: start the later one'],
    ] as const) {
      await expect(migrate(url, folderWith(files))).rejects.toThrow(new MigrationError(why))
    }
    expect(await owner.query(`select to_regclass('c')::text as c`)).toEqual([{ c: null }])
  })

  it.each([
    [
      'a word',
      'create table a ();\n\nselect 1;\ncreat table b ();\n',
      ', line 4: syntax error at or near "creat"',
    ],
    [
      'a name, after signs of several bytes',
      '-- é漢👩‍👩‍👧\n\nselect none_such\nfrom pg_class;',
      ', line 3: column "none_such" does not exist',
    ],
    [
      'a rule',
      'create table a (id integer check (id > 0));\ninsert into a values (0);',
      ': new row for relation "a" violates check constraint "a_id_check"',
    ],
  ])(
    'names the file and the line of %s that is wrong, and leaves nothing',
    async (_name, sql, position) => {
      const { url, owner } = await emptyDatabase()
      const folder = folderWith({ '0001_good.sql': 'create table good ()', '0002_bad.sql': sql })
      await expect(migrate(url, folder)).rejects.toThrow(
        new MigrationError(`migration 0002_bad.sql${position}`),
      )
      expect(
        await owner.query(`select to_regclass('a')::text as a, to_regclass('good')::text as good`),
      ).toEqual([{ a: null, good: null }])
    },
  )
})

it('says what failed first when the connection ends by it', async () => {
  const { url } = await emptyDatabase()
  const folder = folderWith({ '0001_end.sql': 'select pg_terminate_backend(pg_backend_pid())' })
  await expect(migrate(url, folder)).rejects.toThrow(
    'migration 0001_end.sql: terminating connection due to administrator command',
  )
})

describe('the logins of the product’s parts', () => {
  it('are made by several processes at once, and get their passwords again', async () => {
    const { url } = migrated
    await Promise.all([1, 2, 3].map(() => makeLogins(url, LOGIN_KEYS)))
    const { api } = await makeLogins(url, LOGIN_KEYS)
    const db = openDatabase(api, { limits: PATIENT_TO_CONNECT })
    expect(await db.query('select id from games.game order by id')).toHaveLength(4)
    await db.close()
  })

  it('have no plan compiled, which takes longer than an order may', async () => {
    const { db } = database
    // The embedded server has it off by default; on other servers the connection's setting counts.
    expect(await db.query(`select setting, source from pg_settings where name = 'jit'`)).toEqual([
      { setting: 'off', source: 'client' },
    ])
  })

  it('own nothing, are no superusers, and make no tables of their own', async () => {
    const addresses = await makeLogins(migrated.url, LOGIN_KEYS)
    for (const address of Object.values(addresses)) {
      const db = openDatabase(address, { limits: PATIENT_TO_CONNECT })
      expect(
        await db.query(
          `select rolname from pg_roles where pg_has_role(oid, 'member')
             and (rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication)`,
        ),
      ).toEqual([])
      const owned = `select oid::regclass from pg_class where pg_has_role(relowner, 'member')`
      expect(await db.query(owned)).toEqual([])
      for (const making of [
        'create table public.x ()',
        'create temporary table x ()',
        'create schema x',
      ]) {
        await expect(db.query(making)).rejects.toThrow(/permission denied/)
      }
      await db.close()
    }
  })

  it.each([
    ['journal', 'ledger.posting'],
    ['balances', 'ledger.balance'],
    ['draws', 'rounds.draw'],
    ['rounds', 'rounds.round'],
    ['bets', 'bets.bet'],
    ['transfers', 'deposits.transfer'],
    ['withdrawals', 'withdrawals.withdrawal'],
    ['terms of withdrawals', 'withdrawals.terms'],
    ['proposals', 'staff.proposal'],
    ['bank account', 'deposits.bank_account'],
    ['staff', 'staff.member'],
    ['audit log', 'staff.audit'],
    ['audit log’s end', 'staff.audit_head'],
    ['odds', 'games.odds'],
    ['migrations', 'public.migration'],
  ])('cannot write the %s', async (_name, table) => {
    const { db, owner } = database
    const name = await owner.value<string>(
      `select attname as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and attidentity = '' order by attnum limit 1`,
      [table],
    )
    for (const statement of [
      `update ${table} set ${name} = ${name}`,
      `delete from ${table}`,
      `truncate ${table}`,
      `insert into ${table} default values`,
    ]) {
      await expect(db.query(statement), statement).rejects.toThrow(/permission denied/)
    }
  })

  it.each([
    ['the hold after a change', 'accounts.player', 'sensitive_changed_at = null'],
    ['a freeze', 'accounts.player', `state = 'active'`],
    ['whose member a session is', 'staff.session', 'staff_id = 1'],
    ['a role', 'staff.member', `role = 'owner'`],
    ['a closed account of staff', 'staff.member', 'active = true'],
    ['where a pay method leads', 'withdrawals.pay_method', `shown_number = 'other'`],
  ])('cannot undo %s', async (_what, table, change) => {
    const { db } = database
    await expect(db.query(`update ${table} set ${change}`)).rejects.toThrow(/permission denied/)
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
  it('have no index by blocks that waits for a vacuum until it knows new ones', async () => {
    const waiting = await migrated.owner.query(
      `select index.oid::regclass::text as name from pg_class index join pg_am on pg_am.oid = relam
       where amname = 'brin' and not coalesce('autosummarize=on' = any (reloptions), false)`,
    )
    expect(waiting).toEqual([])
  })

  it('of the journal are vacuumed after so many rows, however many they have', async () => {
    const others = await migrated.owner.query(
      `select relname as name from pg_partition_tree('ledger.posting') join pg_class on oid = relid
       where isleaf and not coalesce(
         reloptions @> '{autovacuum_vacuum_insert_scale_factor=0,autovacuum_vacuum_insert_threshold=200000}', false)`,
    )
    expect(others).toEqual([])
  })

  it('leave room in the pages of bets, which change once', async () => {
    const full = await migrated.owner.query(
      `select relname as name from pg_partition_tree('bets.bet') join pg_class on oid = relid
       where isleaf and not coalesce('fillfactor=50' = any (reloptions), false)`,
    )
    expect(full).toEqual([])
  })

  // It fails by the calendar alone: once the default has rows of a year, no migration can add that year's table.
  it('are there for two years more: if not, it is time for a migration that adds some', async () => {
    const later = new Date().getUTCFullYear() + 2
    for (const table of ['ledger.posting', 'bets.bet']) {
      const name = `${table}_${later}`
      expect(await migrated.owner.query('select to_regclass($1)::text as name', [name])).toEqual([
        { name },
      ])
    }
  })
})

describe('a database of one’s own', () => {
  it('that cannot be reached is reported in one sentence, without its password', async () => {
    const url = new URL(inject('databaseServer'))
    url.port = '1'
    url.password = 'owner-secret'
    url.pathname = '/x'
    const failure = (await reachAsOwner(url.href).catch((error) => error)) as Error
    expect(failure.message).toMatch(
      /^The database at [^ ]+ cannot be reached \(ECONNREFUSED.*\): check DATABASE_URL/,
    )
    expect(failure.message).not.toContain('owner-secret')
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
    await expect(
      reachAsOwner(new URL('/postgres', inject('databaseServer')).href),
    ).resolves.toBeUndefined()
  })
})
