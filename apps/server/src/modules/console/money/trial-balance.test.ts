/** Which postings the trial balance of a moment has, with marks and without; its page, and chain against books. */
import {
  chainAgainstBooks,
  trialBalance as trialBalanceRoute,
} from '@sum28/contract/staff-books-routes.ts'
import { expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, moveMoney } from '#testing/database/fixtures.ts'
import { readBy } from '#testing/database/table-reads.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { booksRoutes, snapshotBalances, trialBalance } from './books-routes.ts'

const U = 1_000_000n
const HOUR = 3_600_000
const AT = Date.UTC(2026, 10, 20)

/** A stake of 1 u, a payout of 2 u, and a stake of 4 u, an hour apart, the first at the beginning. */
async function threePostings() {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  const player = await addPlayer(database, { u: 100 })
  for (const [position, [move, amount]] of (
    [
      ['stake', U],
      ['payout', 2n * U],
      ['stake', 4n * U],
    ] as const
  ).entries()) {
    await database.freezeClock(AT + position * HOUR)
    const movement = { playerId: player, micro: amount, reference: `bet:${position}` }
    await moveMoney(database.owner, move, movement)
  }
  return database
}

async function mark({ db }: TestDatabase): Promise<boolean> {
  return db.value<boolean>('select console_money.snapshot_balances() as marked')
}

async function marks({ owner }: TestDatabase): Promise<number[]> {
  return owner.column<number>('select distinct at from console_money.balance_snapshot order by at')
}

it('the trial balance before a moment is the same with a snapshot at, before and after it', async () => {
  const database = await threePostings()
  const { db, owner } = database
  const moments = [0, 1, 2, 3].flatMap((hours) => [-1, 0, 1].map((ms) => AT + hours * HOUR + ms))
  const balances = async () => Promise.all(moments.map((moment) => trialBalance(db, moment)))
  const cash = (moment: number) =>
    trialBalance(db, moment).then((rows) =>
      rows
        .filter(({ account }) => account === 'cash')
        .map(({ kind, debit, credit }) => `${kind} ${debit / U} in, ${credit / U} out`),
    )
  const before = await balances()
  for (const rows of before) {
    expect(rows.reduce((sum, { debit, credit }) => sum + debit - credit, 0n)).toBe(0n)
  }
  expect(await cash(AT)).toEqual([])
  expect(await cash(AT + HOUR)).toEqual(['deposit 100 in, 0 out', 'stake 0 in, 1 out'])
  // A mark is stored of the moment of the second posting: it has the first alone.
  await database.freezeClock(AT + 2 * HOUR)
  expect(await mark(database)).toBe(true)
  const marked = await owner.query(
    `select at, kind, (credit / 1000000)::integer as out from console_money.balance_snapshot
     where account = 'cash' order by kind`,
  )
  expect(marked).toEqual([
    { at: AT + HOUR, kind: 'deposit', out: 0 },
    { at: AT + HOUR, kind: 'stake', out: 1 },
  ])
  expect(await balances()).toEqual(before)
  expect(await cash(AT + 3 * HOUR)).toEqual([
    ...['deposit 100 in, 0 out', 'payout 2 in, 0 out', 'stake 0 in, 5 out'],
  ])
  await expectAlwaysTrue(owner, { without: ['no stake, payout or refund is without its bet'] })
})

it('robots’ money is an account of its own, so that what is owed to players can be read', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  const person = await addPlayer(database, { u: 100 })
  const robot = await addPlayer(database, { u: 7, robot: true })
  for (const [playerId, micro] of [
    [person, 10n * U],
    [robot, 2n * U],
  ] as const) {
    await moveMoney(database.owner, 'stake', { playerId, micro, reference: `bet:${playerId}` })
  }
  const rows = await trialBalance(database.db, AT + 1)
  const of = (name: string) =>
    rows
      .filter(({ account }) => account === name)
      .reduce((sum, row) => sum + row.debit - row.credit, 0n)
  expect([of('cash'), of('robots:cash')]).toEqual([90n * U, 5n * U])
  // What the house won from players is read without its robots' bets.
  expect([of('house:game'), of('robots:house:game')]).toEqual([10n * U, 2n * U])
})

it('marks are stored of each hour since the first posting, of the ends of days too, until an hour before now, by one process', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  await addPlayer(database)
  await database.freezeClock(AT + 2 * HOUR)
  await database.owner.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('console_money.snapshot_balances'))`)
    expect(await mark(database)).toBe(false)
  })
  expect(await marks(database)).toEqual([])
  expect(await mark(database)).toBe(true)
  await database.freezeClock(AT + 3 * HOUR - 1)
  expect(await mark(database)).toBe(false)
  await database.freezeClock(AT + 3 * HOUR)
  expect(await mark(database)).toBe(true)
  expect(await marks(database)).toEqual([AT + HOUR, AT + 2 * HOUR])
  await database.freezeClock(AT + 50.4 * HOUR)
  await snapshotBalances(database.db)
  expect(await marks(database)).toEqual(
    Array.from({ length: 49 }, (_, hour) => AT + (hour + 1) * HOUR),
  )
})

/** A player who has deposited 25 u on the chain. */
async function depositor() {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  const player = await addPlayer(database, { u: 0 })
  let deposits = 0
  const deposit = async (u: number) => {
    deposits += 1
    await database.owner.query(
      `with seen as (
         insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
           player_id, credited_at) values ($1, 0, 1, app.now(), 'from', 'to', $2, $3, app.now()) returning 1)
       select wallet.move('deposit', array[row($3, '2026-11-20', $2, $4)::wallet.movement]) from seen`,
      [String(deposits), BigInt(u) * U, player, `usdt:${deposits}:0`],
    )
  }
  await deposit(25)
  /** What a reader gets, who uses these connections. */
  const read = (route: { path: string }, input: object = {}, db: Database = database.db) => {
    const routes = booksRoutes({ db, timeZone: 'UTC', now: () => AT })
    const binding = routes.find((each) => each.route.path === route.path)
    return binding?.handle({ input } as never)
  }
  return { database, deposit, read }
}

it('readers see the balance of a day and the comparison of chain and ledger, and no future day', async () => {
  const { database, read } = await depositor()
  await database.owner.query(
    `insert into deposits.chain_difference (found_at, kind, tx_id, log_index, details)
     values (app.now() - interval '9 days', 'missing_on_chain', 'x', 0, '{}'),
       (app.now(), 'unmatched', 'is due in its own list', 0, '{}')`,
  )
  expect(await read(trialBalanceRoute)).toMatchObject({
    day: '2026-11-20',
    debit: '25.00',
    credit: '25.00',
    list: [
      { account: 'cash', balance: '25.00' },
      {
        account: 'house:treasury',
        balance: '-25.00',
        debit: '0.00',
        credit: '25.00',
        kinds: [{ kind: 'deposit', debit: '0.00', credit: '25.00' }],
      },
    ],
  })
  expect(await read(chainAgainstBooks)).toMatchObject({
    received: '25.00',
    matched: '25.00',
    unmatched: '0.00',
    booked: '25.00',
    difference: '0.00',
    differences: 1,
  })
  const dayBefore = { list: [], debit: '0.00', credit: '0.00' }
  expect(await read(trialBalanceRoute, { day: '2026-11-19' })).toMatchObject(dayBefore)
  expect(await read(trialBalanceRoute, { day: '2026-11-21' })).toMatchObject({
    refused: 'invalid_input',
  })
})

it('a deposit that is credited while staff read causes no difference between the chain and the books', async () => {
  const { database, deposit, read } = await depositor()
  // After each statement of the reader a deposit is credited, and the next statement waits for it.
  let before: Promise<unknown> = Promise.resolve()
  const query = (...parameters: Parameters<Database['query']>) => {
    const rows = before.then(() => database.db.query(...parameters))
    before = rows.then(() => deposit(7))
    return rows
  }
  const slow = { ...database.db, query: query as Database['query'] }
  expect(await read(chainAgainstBooks, {}, slow)).toMatchObject({
    matched: '25.00',
    booked: '25.00',
    difference: '0.00',
  })
  await before
})

it('the comparison of chain and ledger reads what was deposited since the last mark, and is the same with it', async () => {
  const { database, deposit, read } = await depositor()
  const { owner } = database
  const transfers = 2_000
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id,
         credited_at)
       select 'old' || n, 0, 1, app.now(), 'from', 'to', 1000000, 1, app.now() from generate_series(1, $1::integer) n`,
      [transfers],
    )
    await tx.query(
      `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at, state, confirmed_by,
         confirmed_at)
       select 'bank_deposit', 'player:1', 1, jsonb_build_object('amount', 1000000, 'reference', 'B' || n), 1, app.now(),
         'confirmed', 2, app.now() from generate_series(1, $1::integer) n`,
      [transfers],
    )
  })
  await database.freezeClock(AT + 2 * HOUR)
  await deposit(7)
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
     values ('unmatched', 0, 2, app.now(), 'from', 'to', 4000000)`,
  )
  const before = await read(chainAgainstBooks)
  expect(before).toMatchObject({
    ...{ received: '2036.00', matched: '2032.00', unmatched: '4.00' },
    ...{ booked: '-1968.00', difference: '4000.00' },
  })
  expect(await mark(database)).toBe(true)
  // Bets since then are not read either.
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount, cash_after,
         held_after, reference)
       select holder_id, nextval('ledger.posting_id'), '2026-11-20', app.now(), 'stake', 'cash', 'house:game', 1, cash, 0,
         'bet:' || n
       from ledger.balance, generate_series(1, $1::integer) n`,
      [transfers],
    )
  })
  await owner.query('analyze')
  const reads = await owner.transaction((tx) =>
    readBy(tx, async () => {
      expect(await read(chainAgainstBooks, {}, { ...database.db, ...tx })).toEqual(before)
    }),
  )
  for (const { name, rows, fetches } of reads) expect(rows + fetches, name).toBeLessThan(100)
  await owner.query('update console_money.deposit_snapshot set by_bank = by_bank + 1')
  const without = ['each posting goes on from the one before it']
  await expect(expectAlwaysTrue(owner, { without })).rejects.toThrow('the last mark of deposits')
})
