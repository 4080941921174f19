/** The database's answers to proposals, refusals and payments of held deposits, in each state. */
import { beforeEach, describe, expect, it } from 'vitest'
import { only, type Queryable } from '#src/db/database.ts'
import { exclude, releaseDeposits } from '#src/modules/protection/protection-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'

const U = 1_000_000n
const AT = Date.UTC(2026, 10, 20, 4)
const DAY = 24 * 3_600_000
const TODAY = '2026-11-20'

let database: TestDatabase
let player: number
let ann: string
let bob: string

beforeEach(async () => {
  database = await createTestDatabase()
  await database.freezeClock(AT)
  player = await addPlayer(database, { u: 0 })
  await exclude(database.db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
  ann = await staffToken(database, { role: 'finance' })
  bob = await staffToken(database, { role: 'owner' })
})

/** A held deposit of 7 u. */
async function held(reference = 'test:1'): Promise<bigint> {
  await database.owner.query(
    `select from protection.credit_deposits(
       array[row($1, $2, $3, $4)::wallet.movement], array['TFrom'])`,
    [player, TODAY, 7n * U, reference],
  )
  const rows = await database.db.query<{ id: bigint }>(
    'select id from protection.held_deposit where reference = $1',
    [reference],
  )
  return only(rows).id
}

async function say(db: Queryable, call: string, values: unknown[]): Promise<string> {
  return only(await db.query<{ answer: string }>(`select console_money.${call} as answer`, values))
    .answer
}

const propose = (id: bigint, by: string, db: Queryable = database.db) =>
  say(db, 'propose_refund($1, $2, $3)', [id, 'asked for', by])
const refuse = (id: bigint, by: string, db: Queryable = database.db) =>
  say(db, 'refuse_refund($1, $2, $3)', [id, 'he waits', by])
const confirm = (id: bigint, by: string, payment = 'PAID1', db: Queryable = database.db) =>
  say(db, 'confirm_refund($1, $2, $2, $3, $4)', [id, payment, TODAY, by])

async function row(id: bigint): Promise<Record<string, unknown>> {
  const rows = await database.db.query<Record<string, unknown>>(
    `select held.state, proposer.role as proposer, refund_proposed_at as proposed_at, refund_reason as reason,
       decider.role as decider, decided_at, refund_reference as reference
     from protection.held_deposit held
     left join staff.member proposer on proposer.id = refund_proposed_by
     left join staff.member decider on decider.id = decided_by where held.id = $1`,
    [id],
  )
  return only(rows)
}

describe('a held deposit', () => {
  it('that nobody proposed to pay back is neither refused nor paid', async () => {
    const id = await held()
    expect(await refuse(id, bob)).toBe('not_proposed')
    expect(await confirm(id, bob)).toBe('not_proposed')
    expect(await row(id)).toMatchObject({ state: 'held', reason: null, decided_at: null })
  })

  it('is proposed once, and the proposal is refused once, also by its proposer', async () => {
    const id = await held()
    expect(await propose(id, ann)).toBe('proposed')
    const proposed = await row(id)
    expect(proposed).toMatchObject({
      ...{ state: 'held', proposer: 'finance', proposed_at: AT, reason: 'asked for' },
    })
    await database.freezeClock(AT + 1)
    expect(await propose(id, bob)).toBe('already_proposed')
    expect(await row(id)).toEqual(proposed)
    expect(await refuse(id, ann)).toBe('refused')
    expect(await row(id)).toMatchObject({
      ...{ state: 'held', proposer: null, proposed_at: null, reason: 'he waits' },
    })
    expect(await refuse(id, ann)).toBe('not_proposed')
  })

  it('is paid back by another person than the one who proposed it, and leaves the books', async () => {
    const [id, other] = [await held('test:1'), await held('test:2')]
    for (const each of [id, other]) expect(await propose(each, ann)).toBe('proposed')
    expect(await confirm(id, ann)).toBe('same_person')
    await database.freezeClock(AT + 1)
    expect(await confirm(id, bob)).toBe('paid')
    expect(await row(id)).toMatchObject({
      ...{ state: 'refunded', decider: 'owner', decided_at: AT + 1, reference: 'PAID1' },
    })
    expect(await row(other)).toMatchObject({ state: 'held', decided_at: null })
    const postings = await database.db.query(
      `select holder_id as player, booked_on, amount, reference, cash_after, held_after
       from ledger.posting where kind = 'deposit_refunded'`,
    )
    expect(postings).toEqual([
      {
        ...{ player, booked_on: TODAY, amount: 7n * U, reference: 'test:1' },
        ...{ cash_after: 0n, held_after: 7n * U },
      },
    ])
    await expectAlwaysTrue(database.owner)
  })

  it('that was paid back is decided for every later call', async () => {
    const id = await held()
    await propose(id, ann)
    await confirm(id, bob)
    const decided = await row(id)
    expect(await propose(id, ann)).toBe('decided')
    expect(await refuse(id, bob)).toBe('decided')
    expect(await confirm(id, bob, 'PAID2')).toBe('decided')
    expect(await row(id)).toEqual(decided)
    await expectAlwaysTrue(database.owner)
  })

  it('that was credited is decided for every later call', async () => {
    const id = await held()
    await database.freezeClock(AT + DAY)
    expect(await releaseDeposits(database.db, { onDay: '2026-11-21' })).toHaveLength(1)
    const [cashier, owner] = [await staffToken(database), await staffToken(database)]
    expect(await propose(id, cashier)).toBe('decided')
    expect(await refuse(id, cashier)).toBe('decided')
    expect(await confirm(id, owner)).toBe('decided')
    expect(await row(id)).toMatchObject({ state: 'released', proposer: null, decider: null })
    await expectAlwaysTrue(database.owner)
  })

  it('that is missing is not found', async () => {
    const missing = (await held()) + 1n
    expect(await propose(missing, ann)).toBe('not_found')
    expect(await refuse(missing, ann)).toBe('not_found')
    expect(await confirm(missing, ann)).toBe('not_found')
  })

  it('is proposed by support, who may neither refuse nor pay', async () => {
    const id = await held()
    const support = await staffToken(database, { role: 'support' })
    const auditor = await staffToken(database, { role: 'auditor' })
    await expect(propose(id, auditor)).rejects.toThrow('forbidden')
    expect(await propose(id, support)).toBe('proposed')
    for (const by of [support, auditor]) {
      await expect(refuse(id, by)).rejects.toThrow('forbidden')
      await expect(confirm(id, by)).rejects.toThrow('forbidden')
    }
    expect(await row(id)).toMatchObject({ state: 'held', proposer: 'support' })
  })
})

describe('the reference of a payment', () => {
  it('is not that of another deposit that was paid back', async () => {
    const [id, other] = [await held('test:1'), await held('test:2')]
    for (const each of [id, other]) await propose(each, ann)
    expect(await confirm(id, bob)).toBe('paid')
    expect(await confirm(other, bob)).toBe('reference_used')
    expect(await row(other)).toMatchObject({ state: 'held', reference: null })
    await expectAlwaysTrue(database.owner)
  })

  it('is not that of a withdrawal’s payout', async () => {
    const id = await held()
    await propose(id, ann)
    await payOut(database.db, await approvedWithdrawal())
    expect(await confirm(id, bob)).toBe('reference_used')
    expect(await row(id)).toMatchObject({ state: 'held', reference: null })
    expect(await confirm(id, bob, 'PAID2')).toBe('paid')
  })

  it('is not that of a payout that is not committed yet', async () => {
    const id = await held()
    await propose(id, ann)
    const withdrawal = await approvedWithdrawal()
    const answer = await answerAfter(database, {
      first: (tx) => payOut(tx, withdrawal),
      second: () => confirm(id, bob),
    })
    expect(answer).toBe('reference_used')
    expect(await row(id)).toMatchObject({ state: 'held', reference: null })
  })
})

/** A withdrawal of another player that a third person has approved. */
async function approvedWithdrawal(): Promise<bigint> {
  const { db, owner } = database
  const asker = await addPlayer(database, { u: 300 })
  const method = only(
    await owner.query<{ id: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', 'sealed', 'T…', 'test', 'TRC20') returning id`,
      [asker],
    ),
  )
  const { id } = only(
    await db.query<{ id: bigint }>(
      `select withdrawal_id as id from withdrawals.request($1, $2, 120000000, $3, null, null)`,
      [asker, method.id, TODAY],
    ),
  )
  await db.query('select withdrawals.approve($1, $2)', [id, await staffToken(database)])
  return id
}

async function payOut(db: Queryable, withdrawal: bigint): Promise<void> {
  const rows = await db.query<{ answer: string }>(
    `select withdrawals.record_payout($1, $2, 'PAID1', 'PAID1') as answer`,
    [withdrawal, ann],
  )
  expect(only(rows).answer).toBe('paid')
}

describe('of two calls at once', () => {
  it('the second proposal is told of the first', async () => {
    const id = await held()
    const answer = await answerAfter(database, {
      first: (tx) => propose(id, ann, tx),
      second: () => propose(id, bob),
    })
    expect(answer).toBe('already_proposed')
    expect(await row(id)).toMatchObject({ proposer: 'finance' })
  })

  it.each([
    ['another payment', (id: bigint, by: string) => confirm(id, by, 'PAID2')],
    ['a refusal', (id: bigint, by: string) => refuse(id, by)],
  ])('after a payment that is not committed yet, %s is late', async (_what, late) => {
    const id = await held()
    await propose(id, ann)
    const cat = await staffToken(database)
    const answer = await answerAfter(database, {
      first: (tx) => confirm(id, bob, 'PAID1', tx),
      second: () => late(id, cat),
    })
    expect(answer).toBe('decided')
    expect(await row(id)).toMatchObject({ state: 'refunded', reference: 'PAID1' })
    await expectAlwaysTrue(database.owner)
  })
})
