/** The SQL in deploy/citus names every table once, and asks nothing of Citus that it refuses by its rules. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#testing/test-database.ts'
import { SCHEMAS } from './function-files.ts'

const FOLDER = new URL('../../../../deploy/citus/', import.meta.url)
const FIRST = readFileSync(new URL('distribute.sql', FOLDER), 'utf8')
const BOTH = FIRST + readFileSync(new URL('distribute-all.sql', FOLDER), 'utf8')

const REFERENCE = found(BOTH, /^select create_reference_table\('([\w.]+)'\)/gm)
const DISTRIBUTED = found(
  BOTH,
  /^select create_distributed_table\('([\w.]+)', '(?:player|holder)_id'/gm,
)
const ON_COORDINATOR = found(FIRST, /^-- {6}(\w.*)$/gm).flatMap((line) => line.split(' '))

type ForeignKey = { from: string; to: string; name: string }

let database: TestDatabase
let foreignKeys: ForeignKey[]

beforeAll(async () => {
  database = await cloneDatabase()
  foreignKeys = await database.owner.query<ForeignKey>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to, conname as name
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text = any ($1)`,
    [SCHEMAS],
  )
  return () => database.drop()
})

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name)
}

/** The foreign keys that the files drop, as “table name”. */
function dropped(): string[] {
  return found(BOTH, /^(alter table [\w.]+ drop constraint .*);$/gm).flatMap((statement) => {
    const [, , table] = statement.split(' ')
    return found(statement, /drop constraint (\w+)/g).map((name) => `${table} ${name}`)
  })
}

it('every table is distributed, a reference table, or named as one of the coordinator', async () => {
  const tables = await database.owner.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace::regnamespace::text = any ($1)`,
    [SCHEMAS],
  )
  const product = tables.map(({ name }) => name).filter((name) => name !== 'app.test_clock')
  expect([...REFERENCE, ...DISTRIBUTED, ...ON_COORDINATOR].toSorted()).toEqual(product.toSorted())
})

it('every key of a distributed table has the player in it', async () => {
  const others = await database.owner.query(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as key from pg_index
     where indisunique and indrelid::regclass::text = any ($1) and not exists (
       select from pg_attribute
       where attrelid = indrelid and attname in ('player_id', 'holder_id') and attnum = any (indkey))`,
    [DISTRIBUTED],
  )
  expect(DISTRIBUTED.length).toBeGreaterThan(10)
  expect(others).toEqual([])
})

it('no foreign key is left that leads from a shard or a reference table to the coordinator, or the other way', () => {
  const everywhere = (table: string) => REFERENCE.includes(table)
  const sharded = (table: string) => DISTRIBUTED.includes(table)
  const isKept = ({ from, to }: ForeignKey) => {
    if (sharded(from)) return sharded(to) || everywhere(to)
    return everywhere(from) === everywhere(to) && !sharded(to)
  }
  const place = ({ from, name }: ForeignKey) => `${from} ${name}`
  const refused = foreignKeys.filter((key) => !isKept(key)).map(place)
  // Of a bet's room it is dropped by the first file, and made anew by the second.
  const anew = 'bets.bet bet_room_id_fkey'
  expect(dropped().toSorted()).toEqual([...refused, anew].toSorted())
  expect(BOTH).toContain('alter table bets.bet add constraint bet_room_id_fkey foreign key')
})
