/** The monthly partitions, made while players bet. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { captureLog } from '#testing/captured-log.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/fixtures.ts'
import { somebodyWaits } from '#testing/lock-wait.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { ensurePartitions } from './partitions.ts'

/** The months of a table that are attached, such as `2027_03`. */
async function monthsOf({ owner }: TestDatabase, table: string): Promise<string[]> {
  const rows = await owner.query<{ month: string }>(
    `select right(inhrelid::regclass::text, 7) as month from pg_inherits
     where inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows.map(({ month }) => month).filter((month) => month !== 'default')
}

/** A database whose clock is at a time for which no month was made yet. */
async function inMay2031(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await database.freezeClock(Date.parse('2031-05-20T12:00:00Z'))
  return database
}

const COMING = ['2031_04', '2031_05', '2031_06', '2031_07', '2031_08']

it('makes last month’s, this one’s and three ahead, once, also when two processes do at once', async () => {
  const database = await inMay2031()
  const { log } = captureLog()
  await Promise.all([1, 2, 3].map(() => ensurePartitions({ db: database.db, log })))
  for (const table of ['ledger.posting', 'bets.bet']) {
    expect((await monthsOf(database, table)).slice(-5)).toEqual(COMING)
  }
  await ensurePartitions({ db: database.db, log })
  expect((await monthsOf(database, 'bets.bet')).slice(-5)).toEqual(COMING)
})

it('makes a month like its table: with its indexes, checks and triggers', async () => {
  const database = await inMay2031()
  const { owner, db } = database
  await ensurePartitions({ db, log: captureLog().log })
  const shape = (of: string) =>
    owner.query(
      `select replace(pg_get_indexdef(indexrelid), $1, '') as line from pg_index
       where indrelid = ('ledger.posting_' || $1)::regclass
       union all
       select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
       where conrelid = ('ledger.posting_' || $1)::regclass and contype in ('c', 'f')
       union all
       select tgname || ' ' || tgfoid::regproc from pg_trigger
       where tgrelid = ('ledger.posting_' || $1)::regclass and not tgisinternal
       order by 1`,
      [of],
    )
  await owner.query(
    `create table ledger.posting_2040_01 partition of ledger.posting for values from ('2040-01-01') to ('2040-02-01')`,
  )
  const strip = (rows: object[]) =>
    rows.map((row) => JSON.stringify(row).replaceAll(/posting_[a-z0-9_]*/g, '')).sort()
  expect(strip(await shape('2031_06'))).toEqual(strip(await shape('2040_01')))
})

it('lets betting continue while an uncommitted bet delays it', async () => {
  const database = await inMay2031()
  const { db, owner } = database
  const { log, lines } = captureLog()
  const round = await openTestRound(database)
  const other = await openTestRound(database, { gameId: 2 })
  // One month is missing yet.
  await owner.query(`select app.ensure_partitions('2031-04-01', 3)`)
  const [ann, bob] = [await addPlayer(database), await addPlayer(database)]
  const before = await monthsOf(database, 'ledger.posting')
  await owner.transaction(async (tx) => {
    // A bet whose transaction stays open.
    await tx.query('select reason from bets.place($1::jsonb)', [
      JSON.stringify([{ ...orderFor(ann, round), ord: 0 }]),
    ])
    const stopping = new AbortController()
    const making = ensurePartitions({ db, log }, stopping.signal)
    await somebodyWaits(database)
    // Others queue behind it for a moment, and not behind the bet.
    expect(await placeAll(database, [orderFor(bob, other)])).toEqual([null])
    stopping.abort()
    await making
  })
  expect(lines.join()).toContain('could not be attached yet')
  expect(await monthsOf(database, 'ledger.posting')).toEqual(before)
  await ensurePartitions({ db, log })
  expect((await monthsOf(database, 'ledger.posting')).slice(-5)).toEqual(COMING)
  await expectAlwaysTrue(owner)
})

it('counts the months that it makes for a database that is not in use yet, of all tables', async () => {
  const { owner } = await inMay2031()
  const make = () => owner.query(`select app.ensure_partitions('2031-04-01', 3) as made`)
  const [{ tables } = { tables: 0n }] = await owner.query<{ tables: bigint }>(
    'select count(*) as tables from app.monthly_table',
  )
  expect(await make()).toEqual([{ made: 4 * Number(tables) }])
  expect(await make()).toEqual([{ made: 0 }])
})

it('does not move rows of a month that are already stored', async () => {
  const database = await inMay2031()
  const { db, owner } = database
  const player = await addPlayer(database, { u: 0 })
  await owner.query(
    `select wallet.credit_deposits(array[row($1, '2031-06-02', 5, 'test:early')::wallet.movement])`,
    [player],
  )
  await ensurePartitions({ db, log: captureLog().log })
  expect((await monthsOf(database, 'ledger.posting')).slice(-4)).toEqual(
    COMING.filter((month) => month !== '2031_06'),
  )
  await expectAlwaysTrue(owner)
})

it('leaves out the month of a stored row, to the first and the last day of it', async () => {
  const database = await inMay2031()
  const { db, owner } = database
  const player = await addPlayer(database, { u: 0 })
  for (const day of ['2031-06-01', '2031-08-31']) {
    await owner.query(`select wallet.credit_deposits(array[row($1, $2, 5, $3)::wallet.movement])`, [
      player,
      day,
      `test:${day}`,
    ])
  }
  const missing = await db.query(
    `select month::text from app.missing_partitions('2031-05-31', 4) where parent = 'ledger.posting'`,
  )
  expect(missing).toEqual([
    ...[{ month: '2031-05-01' }, { month: '2031-07-01' }, { month: '2031-09-01' }],
  ])
})

it('only works for tables that are split by month, whatever the application requests', async () => {
  const { db } = await createTestDatabase()
  for (const call of [
    `app.prepare_partition('staff.member', '2031-05-01')`,
    `app.attach_partition('staff.member', '2031-05-01')`,
    `app.prepare_partition('nothing', '2031-05-01')`,
    `app.attach_partition('ledger.posting; drop table staff.member', '2031-05-01')`,
  ]) {
    await expect(db.query(`select ${call}`), call).rejects.toThrow()
  }
  expect(await db.query('select from staff.member')).toEqual([])
})
