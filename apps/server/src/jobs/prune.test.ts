/** Expired data is deleted in small steps, and nothing else is. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { KINDS, prune } from './prune.ts'

const { database, db, owner } = eachTestDatabase()

/** Each table, how many days it keeps, and the values of a row of a given age. */
const TABLES = [
  [
    'accounts.session',
    30,
    'token_hash, player_id, net_at_start, created_at, seen_at',
    'hash, player, 0, at, at',
  ],
  ['accounts.remembered_device', 30, 'secret_hash, player_id, expires_at', 'hash, player, at'],
  [
    'accounts.email_code',
    30,
    'email_key, event, code_hash, expires_at, created_at',
    `'a@b.example', 'register', hash, at, at`,
  ],
  ['accounts.known_network', 90, 'player_id, network_hash, last_at', 'player, hash, at'],
  ['accounts.known_device', 400, 'player_id, secret_hash, last_at', 'player, hash, at'],
  ['accounts.security_link', 30, 'token_hash, player_id, made_at', 'hash, player, at'],
  ['accounts.counter', 2, 'key, last_at', 'hash, at'],
  ['app.sent_mail', 30, 'mail_id, sent_at', 'name, at'],
  [
    'staff.alert_delivery',
    30,
    'staff_id, alert_ids, sent_at',
    `(select id from staff.member), '{}', at`,
  ],
  ['staff.alert', 30, 'kind, cause, seen_by, since, ended_at', `'books', name, 'books', at, at`],
  ['inbox.message', 365, 'player_id, kind, created_at', `player, 'deposit_credited', at`],
  [
    'bets.winner',
    2,
    'settled_at, player_id, bet_id, game_id, profit',
    'at, player, hashtext(name), 1, 1',
  ],
  [
    'app.request_key',
    7,
    'owner, key, route, input_hash, created_at',
    `'staff:1', name, '/api/staff/logout', hash, at`,
  ],
] as const

/** Adds rows of these ages, in days, to every table. */
async function withRows(database: TestDatabase, ages: (days: number) => number[]): Promise<void> {
  const player = await addPlayer(database)
  await staffToken(database)
  for (const [table, days, columns, values] of TABLES) {
    await database.owner.query(
      `insert into ${table} (${columns}) select ${values} from (
         select app.now() - make_interval(secs => age * 86400) as at, age::text as name,
           sha256(age::text::bytea) as hash, $2::integer as player
         from unnest($1::float8[]) age
       ) row`,
      [ages(days), player],
    )
  }
}

it('keeps each table for its days, to the second', async () => {
  expect(TABLES.map(([table]) => table).toSorted()).toEqual(
    KINDS.map(({ table }) => table).toSorted(),
  )
  await database.freezeClock(Date.parse('2026-11-20T12:00:00Z'))
  const second = 1 / 86_400
  await withRows(database, (days) => [0, days - second, days + second, days + 400])
  expect(await prune(database.jobs)).toEqual(
    Object.fromEntries(TABLES.map(([table]) => [table, 2])),
  )
  for (const [table] of TABLES) {
    expect(await database.owner.query(`select from ${table}`), table).toHaveLength(2)
  }
  // These are wins of no bet.
  await database.owner.query('delete from bets.winner')
  await expectAlwaysTrue(database.owner)
})

it('deletes step by step, a limited number of rows each, until none is left', async () => {
  await owner.query(
    `insert into app.request_key (owner, key, route, input_hash, created_at)
     select 'player:1', 'k' || n, 'playOrder', '', app.now() - interval '8 days' from generate_series(1, 25) n`,
  )
  // Each statement reports how many rows it deleted.
  await owner.query(`
    create table app.step (rows bigint); grant insert on app.step to sum28_application;
    create function app.count_step() returns trigger language plpgsql security definer as $$
    begin insert into app.step select count(*) from gone; return null; end $$;
    create trigger steps after delete on app.request_key referencing old table as gone
      for each statement execute function app.count_step()`)
  expect(await prune(db, { batch: 10 })).toEqual({ 'app.request_key': 25 })
  expect(await owner.column('select rows from app.step')).toEqual([10n, 10n, 5n])
})

it('skips rows that are locked at that moment until the next run, and stops between steps when the process ends', async () => {
  await withRows(database, (days) => [days + 1, days + 2])
  expect(await prune(db, { signal: AbortSignal.abort() })).toEqual({})
  await owner.transaction(async (tx) => {
    await tx.query(`select from inbox.message order by id limit 1 for update`)
    expect(await prune(db)).toMatchObject({ 'inbox.message': 1, 'accounts.session': 2 })
  })
  expect(await prune(db)).toEqual({ 'inbox.message': 1 })
})

it('deletes mails and pushes that were given up thirty days ago, and no other failed job', async () => {
  await owner.query(
    `select graphile_worker.add_job(task) from unnest('{send-mail,send-push,check-books}'::text[]) task, (values (1), (2)) n`,
  )
  await owner.query(
    `update graphile_worker._private_jobs set attempts = max_attempts,
       created_at = now() - interval '30 days' + case when id % 2 = 0 then -1 else 1 end * interval '1 minute'`,
  )
  await owner.query(
    `select graphile_worker.add_job('send-mail');
     update graphile_worker._private_jobs set created_at = now() - interval '40 days' where attempts = 0`,
  )
  expect(await prune(db)).toEqual({ 'graphile_worker.jobs': 2 })
  const left = 'select task_identifier from graphile_worker.jobs order by 1'
  const others = ['check-books', 'check-books', 'send-mail', 'send-mail', 'send-push']
  expect(await owner.column(left)).toEqual(others)
})
