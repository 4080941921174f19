import type { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, shareTestDatabase } from '#testing/database/test-database.ts'

const database = shareTestDatabase()

const U = 1_000_000n

/** One posting request as SQL: holder, kind, source, destination, amount, reference. */
const POST = `select * from ledger.post(array[
  row($1, '2026-11-20', $2, $3, $4, $5, $6)::ledger.posting_request])`

/** The postings here have no cause, and are of any kind. */
const MADE_UP = {
  without: [
    'each movement is of a known kind, between the two accounts of that kind',
    'no stake, payout or refund is without its bet',
    'each deposit came by the chain or by the bank',
  ],
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    const { constraint, message } = error as DatabaseError
    return constraint ?? message
  }
  return 'nothing was refused'
}

describe('the ledger', () => {
  it('moves amounts from one account to another in their order, returns the balance after each, and keeps the sum of all at zero', async () => {
    const database = await createTestDatabase()
    const { owner } = database
    const holder = await addPlayer(database, { u: 10 })
    await owner.query(POST, [holder, 'hold', 'cash', 'held', 3n * U, 'a'])
    const posted = await owner.column<bigint>(
      `select cash_after from ledger.post(array[
        row($1, '2026-11-20', 'return', 'held', 'cash', 3000000, 'a')::ledger.posting_request,
        row($1, '2026-11-20', 'stake', 'cash', 'house:game', 4000000, 'b')::ledger.posting_request,
        row($1, '2026-11-20', 'payout', 'house:game', 'cash', 9000000, 'c')::ledger.posting_request,
        row($1, '2026-11-20', 'stake', 'cash', 'house:game', 15000000, 'd')::ledger.posting_request]) order by id`,
      [holder],
    )
    expect(posted).toEqual([10n * U, 6n * U, 15n * U, 0n])
    const totals = await owner.query(
      'select account, total::bigint from ledger.account_total order by account',
    )
    expect(totals).toEqual([
      { account: 'cash', total: 0n },
      { account: 'held', total: 0n },
      { account: 'house:game', total: 10n * U },
      { account: 'house:treasury', total: -10n * U },
    ])
    await expectAlwaysTrue(owner, MADE_UP)
  })

  it('refuses to take more than the balance, also by the last of several, and keeps nothing of the attempt', async () => {
    const holder = await addPlayer(database, { u: 10 })
    const row = (u: number) =>
      `row($1, '2026-11-20', 'stake', 'cash', 'house:game', ${u} * 1000000, 'a${u}')::ledger.posting_request`
    for (const rows of [[row(11)], [row(6), row(5)]]) {
      const refused = database.owner.query(`select ledger.post(array[${rows.join()}])`, [holder])
      expect(await refusalOf(refused)).toBe('cash_not_negative')
    }
    expect(await cashOf(database, holder)).toBe(10n * U)
    await expectAlwaysTrue(database.owner, MADE_UP)
  })

  it('posts one cause once', async () => {
    const holder = await addPlayer(database, { u: 10 })
    const post = () =>
      database.owner.query(POST, [holder, 'payout', 'house:game', 'cash', U, 'bet:1'])
    await post()
    expect(await refusalOf(post())).toContain('posting')
    expect(await cashOf(database, holder)).toBe(11n * U)
  })

  it('refuses a holder who has no wallet, an account it does not know, and nothing at all', async () => {
    const holder = await addPlayer(database)
    const { owner } = database
    for (const [values, fault] of [
      [[0, 'stake', 'house:game', 'cash', U, 'a'], 'holder'],
      [[holder, 'x', 'house:moon', 'cash', U, 'a'], 'known_accounts'],
      [[holder, 'x', 'house:game', 'cash', 0n, 'a'], 'amount'],
      [[holder, 'x', 'house:game', 'cash', -U, 'a'], 'amount'],
      [[holder, 'x', 'house:game', 'house:bonus', U, 'a'], 'holder_involved'],
    ] as const) {
      expect(await refusalOf(owner.query(POST, [...values])), fault).toContain(fault)
    }
    await expectAlwaysTrue(owner, MADE_UP)
  })

  it('accepts one of a hundred simultaneous postings on a balance for one', async () => {
    const holder = await addPlayer(database, { u: 1 })
    const tries = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        database.owner.query(POST, [holder, 'stake', 'cash', 'house:game', U, `try ${index}`]),
      ),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await cashOf(database, holder)).toBe(0n)
    await expectAlwaysTrue(database.owner, MADE_UP)
  })
})

it('a holder’s postings have the same order by time as by id, even if one waited for another', async () => {
  const { owner } = database
  const holder = await addPlayer(database, { u: 10 })
  const post = (by: Queryable, kind: string, from: string, to: string, reference: string) =>
    by.query(POST, [holder, kind, from, to, U, reference])
  await answerAfter(database, {
    first: (tx) =>
      tx.query('select from ledger.balance where holder_id = $1 for no key update', [holder]),
    second: () => post(owner, 'payout', 'house:game', 'cash', 'waited'),
    whileWaiting: (tx) => post(tx, 'stake', 'cash', 'house:game', 'held'),
  })
  const byTime = await owner.column<string>(
    `select reference from ledger.posting where holder_id = $1 and kind <> 'deposit'
     order by posted_at, id`,
    [holder],
  )
  expect(byTime).toEqual(['held', 'waited'])
})

describe('the journal', () => {
  it('cannot be written by the application, nor can balances', async () => {
    const holder = await addPlayer(database)
    for (const [change, values] of [
      ['update ledger.balance set cash = cash + 1', []],
      ['delete from ledger.balance', []],
      ['insert into ledger.balance (holder_id, cash) values (1, 1)', []],
      [POST, [holder, 'payout', 'house:game', 'cash', U, 'mine']],
    ] as const) {
      expect(await refusalOf(database.db.query(change, values)), change).toContain(
        'permission denied',
      )
    }
  })

  it('must agree with the balance beside it', async () => {
    const holder = await addPlayer(database)
    const forged = database.owner.query(
      `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount,
         cash_after, held_after, reference)
       values ($1, 999, '2026-11-20', app.now(), 'payout', 'house:game', 'cash', 5, 5, 0, 'forged')`,
      [holder],
    )
    expect(await refusalOf(forged)).toContain('does not agree with the journal')
  })
})
