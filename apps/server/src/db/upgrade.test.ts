/** How a release starts on a database that the previous release serves, and how both run on it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { somebodyWaits } from '#testing/lock-wait.ts'
import { PATIENT_TO_CONNECT } from '#testing/patience.ts'
import { functionTexts, schemaText } from '#testing/schema-text.ts'
import { eventually } from '#testing/test-app.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, OWN_SQL, type SqlFolders } from './migrate.ts'

/** The SQL of a release: ours, with more functions, placed before their grants, and with more migrations. */
function release(
  functions: Record<string, string>,
  migrations: Record<string, string> = {},
): Required<SqlFolders> {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const kind of ['migrations', 'functions'] as const) {
    cpSync(fileURLToPath(OWN_SQL[kind] as URL), join(folder, kind), { recursive: true })
  }
  for (const [name, sql] of Object.entries(functions)) {
    const file = join(folder, 'functions', name)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^grant /m, (grants) => `${sql}\n${grants}`),
    )
  }
  for (const [name, sql] of Object.entries(migrations)) {
    writeFileSync(join(folder, 'migrations', name), sql)
  }
  const url = (kind: string) => pathToFileURL(`${join(folder, kind)}/`)
  return { migrations: url('migrations'), functions: url('functions') }
}

/** A function that maps a number to another, and that the application may call. */
function adding(name: string, number: number): string {
  return `create or replace function games.${name}(given integer) returns integer language sql return given + ${number};
grant execute on function games.${name} to sum28_application;
`
}

const answerOf = async (db: Database, call: string) => {
  const [row] = await db.query<{ answer: number }>(`select games.${call} as answer`)
  return row?.answer
}

const shapeOf = async (owner: Database) => ({
  tables: await schemaText(owner),
  functions: await functionTexts(owner),
})

it('keeps what earlier releases call, until the upgrade is finished', async () => {
  const { db, ownerUrl } = await createTestDatabase()
  await migrate(
    ownerUrl,
    release({
      'games.sql': `${adding('of_first', 1)}
grant insert on games.odds to sum28_application;`,
    }),
  )
  const mayInsert = async () =>
    (await db.query(`select has_table_privilege('games.odds', 'insert') as may`))[0]
  await migrate(ownerUrl, release({ 'games.sql': adding('of_second', 2) }))
  expect(await answerOf(db, 'of_first(10)')).toBe(11)
  expect(await answerOf(db, 'of_second(10)')).toBe(12)
  expect(await mayInsert()).toEqual({ may: true })

  // As if the second was upgraded while the first was still running.
  const third = release({ 'games.sql': adding('of_third', 3) })
  await migrate(ownerUrl, third)
  expect(await answerOf(db, 'of_first(10)')).toBe(11)
  expect(await answerOf(db, 'of_second(10)')).toBe(12)
  expect(await mayInsert()).toEqual({ may: true })

  await migrate(ownerUrl, third, { beside: false })
  expect(await answerOf(db, 'of_third(10)')).toBe(13)
  await expect(db.query('select games.of_second(10)')).rejects.toThrow(/does not exist/)
  await expect(db.query('select games.of_first(10)')).rejects.toThrow(/does not exist/)
  expect(await mayInsert()).toEqual({ may: false })
})

it('is served by its successor: started again it changes nothing, and its texts return only when it finishes the upgrade', async () => {
  const { db, owner, ownerUrl } = await createTestDatabase()
  const first = release({ 'games.sql': adding('number', 1) })
  const second = release(
    { 'games.sql': adding('number', 2) + adding('more', 2) },
    { '9000_more.sql': 'alter table games.game add column more integer' },
  )
  await migrate(ownerUrl, first)
  const before = await functionTexts(owner)
  await migrate(ownerUrl, second)
  const shape = await shapeOf(owner)
  expect(await migrate(ownerUrl, first)).toEqual([])
  expect(await shapeOf(owner)).toEqual(shape)
  expect(await answerOf(db, 'number(10)')).toBe(12)

  // Permanently back, when no process of the second is left.
  await migrate(ownerUrl, first, { beside: false })
  expect(await answerOf(db, 'number(10)')).toBe(11)
  expect(await functionTexts(owner)).toEqual(before)
  // And forward again.
  await migrate(ownerUrl, second)
  expect(await shapeOf(owner)).toEqual(shape)
})

it('drops everything of other releases when it finishes the upgrade', async () => {
  const { owner, ownerUrl } = await createTestDatabase()
  const second = release({ 'games.sql': adding('of_second', 2) })
  await migrate(ownerUrl, second, { beside: false })
  const alone = await shapeOf(owner)
  await migrate(ownerUrl, release({ 'games.sql': adding('of_first', 1) }))
  await migrate(ownerUrl, second)
  expect(await shapeOf(owner)).not.toEqual(alone)
  await migrate(ownerUrl, second, { beside: false })
  expect(await shapeOf(owner)).toEqual(alone)
})

it('is refused after a later release has finished the upgrade, and can be restored by finishing again', async () => {
  const { db, ownerUrl } = await createTestDatabase()
  const first = release({ 'games.sql': adding('number', 1) })
  const second = release({ 'games.sql': adding('number', 2) })
  await migrate(ownerUrl, first)
  await migrate(ownerUrl, second)
  await migrate(ownerUrl, second, { beside: false })
  await expect(migrate(ownerUrl, first)).rejects.toThrow(
    'this release served the database once, and a later one has taken its place for good',
  )
  expect(await answerOf(db, 'number(10)')).toBe(12)
  await migrate(ownerUrl, first, { beside: false })
  expect(await answerOf(db, 'number(10)')).toBe(11)
  await migrate(ownerUrl, second)
  expect(await answerOf(db, 'number(10)')).toBe(12)
})

it('is refused by a database with tables of a later release that does not know it', async () => {
  const { ownerUrl } = await createTestDatabase()
  await migrate(
    ownerUrl,
    release(
      { 'games.sql': adding('number', 2) },
      { '9001_more.sql': 'create table games.more ()' },
    ),
  )
  await expect(migrate(ownerUrl, release({ 'games.sql': adding('number', 1) }))).rejects.toThrow(
    'the database has 9001_more.sql of a later release, which does not know this release: start the later one',
  )
})

it('allows a function other parameters if no call could mean both', async () => {
  const { db, ownerUrl } = await createTestDatabase()
  await migrate(ownerUrl, release({ 'games.sql': adding('number', 1) }))
  const two = `create or replace function games.number(given integer, other integer) returns integer language sql
      return given + other;
grant execute on function games.number to sum28_application;`
  await migrate(ownerUrl, release({ 'games.sql': two }))
  expect(await answerOf(db, 'number(10)')).toBe(11)
  expect(await answerOf(db, 'number(10, 7)')).toBe(17)

  const either = `create or replace function games.number(given integer, other integer, more integer default 0)
      returns integer language sql return given + other + more;
grant execute on function games.number to sum28_application;`
  await expect(migrate(ownerUrl, release({ 'games.sql': either }))).rejects.toThrow(
    'functions/games.sql: a call could mean games.number(integer,integer,integer) and games.number(integer,integer), which the release before calls. Give the new one another name; or stop all processes and run npm run upgrade:finish',
  )
  expect(await answerOf(db, 'number(10, 7)')).toBe(17)
})

it('finds the functions of a database whose release kept no lists, and is found by that release', async () => {
  const { db, owner, ownerUrl } = await createTestDatabase()
  await migrate(ownerUrl, release({ 'games.sql': adding('of_first', 1) }))
  await owner.query(`drop table public.function_text`)
  await owner.query(`create table public.function_text (
    only_one boolean primary key default true check (only_one), sha256 text not null)`)
  await owner.query(`insert into public.function_text (sha256) values ('of the first')`)
  await migrate(ownerUrl, release({ 'games.sql': adding('of_second', 2) }))
  expect(await answerOf(db, 'of_first(10)')).toBe(11)
  // This statement checks whether there is anything to do.
  expect(
    await owner.query(`select from public.function_text where sha256 = 'of the first'`),
  ).toHaveLength(1)
})

/** Another connection of the owner, in a transaction that the test ends. */
async function transaction(ownerUrl: string) {
  const database = openDatabase(ownerUrl, { connectionsMax: 1, limits: PATIENT_TO_CONNECT })
  let finish = () => {}
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  const begun = Promise.withResolvers<(text: string) => Promise<unknown>>()
  const whole = database.transaction(async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    begun.resolve((text) => tx.query(text))
    await ended
  })
  whole.catch(begun.reject)
  const end = async () => {
    finish()
    await whole
    await database.close()
  }
  return { query: await begun.promise, end }
}

it('waits for a table in short tries, between which others continue', async () => {
  const { db, owner, ownerUrl } = await createTestDatabase()
  const long = await transaction(ownerUrl)
  await long.query('select from app.request_key')
  const tries: string[] = []
  const migrated = migrate(
    ownerUrl,
    release({}, { '9000_more.sql': 'alter table app.request_key add column more integer' }),
    { onBusy: (about, count) => tries.push(`${about}: ${count}`) },
  )
  await somebodyWaits({ owner })
  // Behind a statement without a time limit, these would wait until the long transaction ends.
  await db.query('update app.request_key set key = key')
  await eventually(async () => tries.length >= 2 || undefined)
  await db.query('update app.request_key set key = key')
  await long.end()
  expect((await migrated).at(-1)).toBe('9000_more.sql')
  expect(tries.slice(0, 2)).toEqual(['migration 9000_more.sql: 1', 'migration 9000_more.sql: 2'])
})

it('replaces functions while every table is written, and waits for none', async () => {
  const { db, owner, ownerUrl } = await createTestDatabase()
  await migrate(ownerUrl, release({}))
  const tables = await owner.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema', 'public', 'graphile_worker')`,
  )
  const writing = await transaction(ownerUrl)
  await writing.query('set local lock_timeout = 0')
  expect(tables.length).toBeGreaterThan(50)
  await writing.query(
    `lock table ${tables.map(({ name }) => name).join(', ')} in row exclusive mode`,
  )
  const busy: string[] = []
  await migrate(ownerUrl, release({ 'games.sql': adding('number', 1) }), {
    onBusy: (about) => busy.push(about),
  })
  expect(await answerOf(db, 'number(10)')).toBe(11)
  expect(busy).toEqual([])
  await writing.end()
})

it('makes a trigger again when its text has changed, and drops one that is in no file', async () => {
  const { owner, ownerUrl } = await createTestDatabase()
  const trigger = (event: string) =>
    `create or replace trigger kept before ${event} on games.game
      for each row execute function app.refuse_change();`
  const shown = async () =>
    owner.query(`select pg_get_triggerdef(oid) as text from pg_trigger where tgname = 'kept'`)
  await migrate(ownerUrl, release({ 'games.sql': trigger('delete') }))
  expect(await shown()).toMatchObject([{ text: expect.stringContaining('BEFORE DELETE') }])
  await migrate(ownerUrl, release({ 'games.sql': trigger('update') }))
  expect(await shown()).toMatchObject([{ text: expect.stringContaining('BEFORE UPDATE') }])
  await migrate(ownerUrl, release({ 'games.sql': adding('number', 1) }))
  expect(await shown()).toEqual([])
})

it('drops a trigger’s function when the trigger has another one, or is dropped', async () => {
  const { owner, ownerUrl } = await createTestDatabase()
  const guard = (
    name: string,
  ) => `create or replace function games.${name}() returns trigger language plpgsql
    as $$ begin return old; end $$;
create or replace trigger kept before delete on games.game for each row execute function games.${name}();`
  const functions = async () =>
    owner.query(`select proname as name from pg_proc where proname in ('guard_1', 'guard_2')`)
  const first = release({ 'games.sql': guard('guard_1') })
  const second = release({ 'games.sql': guard('guard_2') })
  await migrate(ownerUrl, first, { beside: false })
  await migrate(ownerUrl, second, { beside: false })
  expect(await functions()).toEqual([{ name: 'guard_2' }])
  await migrate(ownerUrl, release({}), { beside: false })
  expect(await functions()).toEqual([])
  // The same way back after an upgrade beside the one before.
  await migrate(ownerUrl, first)
  await migrate(ownerUrl, release({}), { beside: false })
  expect(await functions()).toEqual([])
})

it('keeps its triggers whatever the path of the database is', async () => {
  const { owner, ownerUrl } = await createTestDatabase()
  const count = async () =>
    owner.query('select count(*)::integer as n from pg_trigger where not tgisinternal')
  const before = await count()
  const [{ name } = { name: '' }] = await owner.query<{ name: string }>(
    'select current_database() as name',
  )
  await owner.query(`alter database ${name} set search_path = ledger, staff, bets`)
  await migrate(ownerUrl, release({ 'games.sql': adding('number', 1) }))
  expect(await count()).toEqual(before)
})

it('builds an index during traffic, and again if an earlier try was interrupted', async () => {
  const { owner, ownerUrl } = await createTestDatabase()
  const valid = () =>
    owner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('app.mail_by_time')`,
    )
  await owner.query('create index mail_by_time on app.captured_mail (captured_at)')
  await owner.query(`update pg_index set indisvalid = false
    where indexrelid = 'app.mail_by_time'::regclass`)
  expect(await valid()).toEqual([{ valid: false }])
  const building = `-- For the page.
    create index concurrently mail_by_time on app.captured_mail (captured_at);`
  expect(await migrate(ownerUrl, release({}, { '9000_index.sql': building }))).toEqual([
    '9000_index.sql',
  ])
  expect(await valid()).toEqual([{ valid: true }])
  const more = `drop index concurrently if exists app.mail_by_time; create table app.more ();`
  await expect(
    migrate(ownerUrl, release({}, { '9000_index.sql': building, '9001_more.sql': more })),
  ).rejects.toThrow(/“create table app.more \(\)” has to stand in another migration/)
  expect(await valid()).toEqual([{ valid: true }])
})
