/**
 * Migrations with which the previous release can still run, and that hold no lock for long: decision page 0066.
 * Earlier migrations were made for stopped installations.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isOfIndexes } from './index-migration.ts'

const FOLDER = new URL('../../sql/migrations/', import.meta.url)
const SINCE = '0160'

const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql') && name >= SINCE)
  .map((name) => ({ name, sql: readFileSync(new URL(name, FOLDER), 'utf8') }))

/** Tables of these schemas have few rows, however many players there are: one statement may change all of them. */
const SMALL = /^(?:games|content)\./

/** A file that drops something names the migration of the release that stopped using it. */
const UNUSED_SINCE = /^-- Unused since (\d{4})\b/m

type Rule = { says: string; breaks: (statement: string, ofOld: boolean) => boolean }

const TAKING_AWAY: Rule = {
  says: 'takes away what the release before uses: do so one release later, in a file that says “-- Unused since NNNN”',
  breaks: (statement, ofOld) =>
    /\brename\b/.test(statement) ||
    /^drop (?:table|view|function|type|schema|sequence)\b/.test(statement) ||
    (ofOld &&
      (/\bdrop column\b/.test(statement) ||
        /\balter column \w+ (?:type|set data type|set not null|drop default)\b/.test(statement))),
}

const RULES: readonly Rule[] = [
  {
    says: 'adds a column that the release before cannot fill: let it be null, or give it a constant default',
    breaks: (statement, ofOld) => ofOld && clauses(statement, 'not null').some(hasNoDefault),
  },
  {
    says: 'writes the table anew under its lock: a default of a new column has to be a constant',
    breaks: (statement, ofOld) =>
      ofOld &&
      /\badd column\b[^,]*(?:\bdefault [\w.]+\(|\bgenerated (?:always|by default) as\b|\b(?:small|big)?serial\b)/.test(
        statement,
      ),
  },
  {
    says: 'reads the whole table under its lock: add it as “not valid”, and validate it in the next migration',
    breaks: (statement, ofOld) =>
      ofOld &&
      !/\bnot valid$/.test(statement) &&
      /\badd (?:constraint \w+ )?(?:check|foreign key|exclude|unique|primary key)\b|\badd column\b[^,]*\b(?:check|references|unique)\b/.test(
        statement,
      ),
  },
  {
    says: 'stops writing while the index is built: create index concurrently, in a file of its own',
    breaks: (statement, ofOld) =>
      ofOld &&
      /^create (?:unique )?index (?!concurrently)/.test(statement) &&
      !/ on only /.test(statement),
  },
  {
    says: 'locks each row that it changes until its end: let a job do it in steps',
    breaks: (statement, ofOld) =>
      ofOld && /^(?:update|delete from)\b/.test(statement) && !SMALL.test(tableOf(statement)),
  },
]

function clauses(statement: string, word: string): string[] {
  return statement
    .split(/\badd column\b/)
    .slice(1)
    .filter((clause) => clause.includes(word))
}

function hasNoDefault(clause: string): boolean {
  return !/\bdefault\b/.test(clause)
}

function tableOf(statement: string): string {
  const place =
    /^(?:alter table|update|delete from|create table)(?: if exists| if not exists| only)* ([\w.]+)|\bon (?:only )?([\w.]+)/
  const [, first, second] = place.exec(statement) ?? []
  return first ?? second ?? ''
}

/** What a migration does although it must not. */
function faultsOf({ name, sql }: { name: string; sql: string }): string[] {
  // Text between quotes or dollars is data or a function's body.
  const code = sql
    .replace(/--[^\n]*/g, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, `''`)
    .replace(/'(?:[^']|'')*'/g, `''`)
    .toLowerCase()
  const statements = code
    .split(';')
    .map((each) => each.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
  const made = statements.filter((each) => /^create (?:unlogged )?table/.test(each))
  const own = new Set(made.map((each) => /table (?:if not exists )?([\w.]+)/.exec(each)?.[1]))
  const since = UNUSED_SINCE.exec(sql)?.[1]
  const rules = since !== undefined && since < name ? RULES : [TAKING_AWAY, ...RULES]
  return statements.flatMap((statement) =>
    rules
      .filter(({ breaks }) => breaks(statement, !own.has(tableOf(statement))))
      .map(({ says }) => `${name}: “${statement}” ${says}`),
  )
}

it('every migration is one that the release before can live with', () => {
  expect(FILES.flatMap(faultsOf)).toEqual([])
})

it.each([
  'create table app.made (id integer not null unique check (id > 0)); create index a on app.made (id)',
  'create table app.made (id integer); alter table app.made add column b text not null; delete from app.made',
  'alter table bets.bet add column more text',
  "alter table bets.bet add column more text not null default 'drop table x'",
  'alter table bets.bet add constraint positive check (stake > 0) not valid',
  'alter table bets.bet validate constraint positive',
  'alter table bets.bet drop constraint positive',
  'create index concurrently a on bets.bet (id); drop index concurrently if exists bets.b',
  'create index a on only bets.bet (id)',
  'update games.game set sort = 1',
  '-- Unused since 0160.\nalter table bets.bet drop column more; drop function bets.old(integer)',
])('lets a migration do: %s', (sql) => {
  expect(faultsOf({ name: '0170_x.sql', sql })).toEqual([])
})

it.each([
  ['drop table bets.bet', 'takes away'],
  ['alter table bets.bet drop column stake', 'takes away'],
  ['alter table bets.bet rename column stake to paid', 'takes away'],
  ['alter table bets.bet alter column stake type numeric', 'takes away'],
  ['alter table bets.bet alter column note set not null', 'takes away'],
  ['drop function if exists bets.place(jsonb)', 'takes away'],
  ['-- Unused since 0190.\ndrop table bets.bet', 'takes away'],
  ['alter table bets.bet add column more text not null', 'cannot fill'],
  ['alter table bets.bet add column at timestamptz default app.now()', 'writes the table anew'],
  ['alter table bets.bet add constraint positive check (stake > 0)', 'reads the whole table'],
  ['alter table bets.bet add column by integer references staff.member', 'reads the whole table'],
  ['create index a on bets.bet (id)', 'stops writing'],
  ['update bets.bet set stake = 1', 'locks each row'],
])('lets none do: %s', (sql, why) => {
  expect(faultsOf({ name: '0170_x.sql', sql })).toEqual([expect.stringContaining(why)])
})

it('knows a file of indexes by its text without comments', () => {
  expect(isOfIndexes('create unique index concurrently a on bets.bet (id)')).toBe(true)
  expect(isOfIndexes('-- No index concurrently here.\ncreate table app.made ()')).toBe(false)
})
