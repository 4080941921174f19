/** The withdrawals that a batch for the bank has, the answers that are recorded, and releases and cancellations. */
import { beforeEach, describe, expect, it } from 'vitest'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod, askWithdrawal, payByHand } from '#testing/people/cash-desk.ts'
import { newWallet } from '#testing/people/cashier.ts'
import { confirmReversal, proposeReversal } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { answerBankBatch } from './bank-batch.ts'
import { insertAnswers, insertBatch, takeBatch } from './bank-batch-store.ts'

const U = 1_000_000n
const AT = Date.UTC(2026, 10, 20, 4)

let database: TestDatabase
/** Approves the withdrawals. */
let approver: string
/** Makes the batches. */
let maker: string
/** Records the bank's answers. */
let clerk: string
/** Has no part in any of it before. */
let other: string

beforeEach(async () => {
  database = await createTestDatabase()
  await database.freezeClock(AT)
  approver = await staffToken(database, { role: 'owner' })
  maker = await staffToken(database, { role: 'finance' })
  clerk = await staffToken(database, { role: 'finance' })
  other = await staffToken(database, { role: 'finance' })
})

/** Where a withdrawal goes: to a card, or to a wallet, by default to one that no other withdrawal has. */
type Payee = { kind?: 'bank' | 'wallet'; wallet?: string }

/** A new player's withdrawal of 100 u, not yet approved. */
async function asked({ kind = 'bank', wallet = newWallet() }: Payee = {}): Promise<number> {
  const player = await addPlayer(database)
  const method = await addPayMethod(database, player, kind, kind === 'wallet' ? wallet : undefined)
  return Number(await askWithdrawal(database.db, { playerId: player, to: method }))
}

async function approve(id: number, db: Queryable = database.db): Promise<number> {
  expect(await callFunction(db, 'withdrawals.approve', id, approver)).toBe('approved')
  return id
}

const approved = async (of: Payee = {}) => approve(await asked(of))
const toWallet = () => approved({ kind: 'wallet' })

/** Makes a batch and returns the numbers of its withdrawals. */
async function batch({ max = 10, db = database.db as Queryable } = {}) {
  const of = { paymentsMax: max, kind: 'bank', session: maker } as const
  const { id, payments } = await insertBatch(db as Transaction, of)
  const ids = await db.column<bigint>(
    'select withdrawal_id from console_money.bank_payment where batch_id = $1 order by 1',
    [id],
  )
  expect(ids).toHaveLength(payments)
  return { id, of: ids.map(Number) }
}

async function batchOf(withdrawals: number[]): Promise<number> {
  const { id, of } = await batch()
  expect(of).toEqual(withdrawals)
  return id ?? 0
}

/** A batch of this many new withdrawals: its number, and theirs. */
async function sent(
  count: 1 | 2 | 3,
): Promise<[id: number, ...withdrawals: [number, number, number]]> {
  const ids: number[] = []
  for (let made = 0; made < count; made += 1) ids.push(await approved())
  const [one = 0, two = 0, three = 0] = ids
  return [await batchOf(ids), one, two, three]
}

type Line = {
  withdrawal: number
  state?: 'paid' | 'failed'
  reference?: string
  amount?: bigint
}

/** Records the bank's answers; a failure has a reason, a payment a reference. */
async function answer(
  batchId: number,
  lines: Line[],
  { by = clerk, db = database.db }: { by?: string; db?: Queryable } = {},
): Promise<string[]> {
  const answers = lines.map(({ withdrawal, state = 'paid', reference, amount }, index) => ({
    line: index + 2,
    withdrawal,
    state,
    amount: amount ?? 100n * U,
    reference: state === 'paid' ? (reference ?? `BANK ${withdrawal}`) : null,
    reason: state === 'paid' ? null : 'closed',
  }))
  const results = await insertAnswers(db as Transaction, { batchId, answers, session: by })
  return results.map((result) => result.outcome)
}

const cancel = (id: number, by: string, db: Queryable = database.db) =>
  callFunction<string>(db, 'console_money.cancel_batch', id, 'sent twice', by)
const take = (id: number, by: string, takenFrom?: string) =>
  database.db.transaction((tx) => takeBatch(tx, { id, takenFrom, session: by }))
/** `seen`: until when the person has seen what was said of the payment; by default all of it. */
const release = (
  withdrawal: number,
  by: string,
  { seen = AT + 60_000, db = database.db as Queryable } = {},
) => callFunction<string>(db, 'console_money.release_payment', withdrawal, new Date(seen), by)
const releaseAll = (id: number, by: string) =>
  database.db.value('select answer from console_money.release_batch($1, $2)', [id, by])
const pay = (id: number, { by = other, db = database.db as Queryable } = {}) =>
  payByHand(db, { id, by, reference: `HAND ${id}` })

const madeBatch = (kind: 'bank' | 'wallet') =>
  database.db.transaction((tx) => insertBatch(tx, { paymentsMax: 10, kind, session: maker }))
const walletBatch = () => madeBatch('wallet')

/** What the chain shows of a payout: the transfers to its player, what is wrong, and the transfers and amounts instead. */
type Shown = [logs: number[], fault: string | null, others?: number[], amounts?: string[]]

const chainShows = (
  id: number,
  reference: string,
  ...[logs, fault, others = [], amounts = []]: Shown
) =>
  callFunction<string>(
    database.db,
    'withdrawals.take_chain_answer',
    ...[id, reference, logs, fault, others, amounts],
  )
/** `reference`: null to have it made again. Whoever says so has seen the present payment. */
const correct = (id: number, by: string, reference: string | null, db: Queryable = database.db) =>
  db.value<string>(
    `select console_money.correct_payout($1, $2, $3,
       (select payout_reference from withdrawals.withdrawal where id = $1))`,
    [id, by, reference],
  )
/** All nodes lack the transaction of a payout until so many minutes from now. */
const absent = (id: number, reference: string, minutes: number) =>
  database.db.query(
    'select withdrawals.note_absent_payout($1, $2, app.now() + make_interval(mins => $3))',
    [id, reference, minutes],
  )
const accept = (id: number, by: string, reference: string) =>
  callFunction(database.db, 'console_money.accept_payout', id, by, reference)

const FROZEN = `state = 'frozen'`
const ON_HOLD = 'sensitive_changed_at = app.now()'

/** Changes the player of a withdrawal. */
const stop = (withdrawal: number, change: string, owner: Queryable = database.owner) =>
  owner.query(
    `update accounts.player set ${change}
     where id = (select player_id from withdrawals.withdrawal where id = $1)`,
    [withdrawal],
  )

/** Each payment of a withdrawal as batch, state, and whether it is released. */
const paymentsOf = (withdrawal: number) =>
  database.owner.column<string>(
    `select concat_ws(' ', batch_id, state, case when released_by is not null then 'released' end)
     from console_money.bank_payment where withdrawal_id = $1 order by batch_id`,
    [withdrawal],
  )

const batchRow = (id: number) =>
  database.owner.one<Record<string, unknown>>(
    `select state, ended_by = (select id from staff.member where name = 'm' || $2) as ended_by_clerk,
       ended_at, cancel_reason from console_money.bank_batch where id = $1`,
    [id, clerk],
  )

const atBank = (id: number) =>
  database.owner.value<boolean>('select at_bank from withdrawals.withdrawal where id = $1', [id])

describe('a batch', () => {
  it('has the oldest approved bank withdrawals, each once, and is not made of none', async () => {
    expect(await batch()).toEqual({ id: null, of: [] })
    const [one, two, three] = [await approved(), await approved(), await approved()]
    await asked()
    await toWallet()
    expect((await batch({ max: 2 })).of).toEqual([one, two])
    expect(await Promise.all([one, two, three].map(atBank))).toEqual([true, true, false])
    expect((await batch({ max: 2 })).of).toEqual([three])
    expect(await batch()).toEqual({ id: null, of: [] })
    await expectAlwaysTrue(database.owner)
  })

  it('leaves out what is paid by hand, and says how many it leaves out for each other reason', async () => {
    const [paid, returning, taken] = [await approved(), await approved(), await approved()]
    const [frozen, held, due] = [await approved(), await approved(), await approved()]
    expect(await pay(paid)).toBe('paid')
    expect(await proposeReversal(database.db, { id: returning, session: maker })).toBe('proposed')
    await callFunction(database.db, 'withdrawals.take_payment', taken, null, other)
    await stop(frozen, FROZEN)
    await stop(held, ON_HOLD)
    expect(await madeBatch('bank')).toMatchObject({
      payments: 1,
      leftReversing: 1,
      leftTaken: 1,
      leftFrozen: 1,
      leftHeld: 1,
    })
    expect(await paymentsOf(due)).toHaveLength(1)
  })

  it.each([
    ['frozen', (id, tx) => stop(id, FROZEN, tx)],
    ['put on hold', (id, tx) => stop(id, ON_HOLD, tx)],
    ['proposed to be reversed', (id, tx) => proposeReversal(tx, { id, session: maker })],
    ['paid by hand', (id, tx) => pay(id, { db: tx })],
  ] satisfies [string, (id: number, tx: Transaction) => Promise<unknown>][])(
    'leaves out what is being %s, once that is committed',
    async (_, change) => {
      const [stopped, due] = [await approved(), await approved()]
      const made = await answerAfter(database, {
        first: (tx) => change(stopped, tx),
        second: () => batch(),
      })
      expect(made.of).toEqual([due])
    },
  )

  it('has what is frozen or on hold drop out when its file is taken first, and not later', async () => {
    const [id, frozen, held] = await sent(3)
    await stop(frozen, FROZEN)
    await stop(held, ON_HOLD)
    expect(await take(id, clerk)).toEqual({ answer: 'taken', dropped: [frozen, held].map(BigInt) })
    expect(await Promise.all([frozen, held].map(paymentsOf))).toEqual([[], []])
    expect(await Promise.all([frozen, held].map(atBank))).toEqual([false, false])
    await stop(frozen, `state = 'active'`)
    const later = await batchOf([frozen])
    expect(await take(later, clerk)).toEqual({ answer: 'taken', dropped: [] })
    await stop(frozen, FROZEN)
    expect(await take(later, clerk)).toEqual({ answer: 'taken', dropped: [] })
    expect(await paymentsOf(frozen)).toEqual([`${later} sent`])
    await expectAlwaysTrue(database.owner)
  })

  it('waits to be taken for a freeze that is not committed yet, and then has nothing to pay', async () => {
    const [id, frozen] = await sent(1)
    const taken = await answerAfter(database, {
      first: (tx) => stop(frozen, FROZEN, tx),
      second: () => take(id, clerk),
    })
    expect(taken.answer).toBe('nothing_to_pay')
  })

  it('is taken by one of two at once, and taken over from him by name', async () => {
    const [id] = await sent(1)
    const second = await answerAfter(database, {
      first: (tx) => takeBatch(tx, { id, takenFrom: undefined, session: clerk }),
      second: () => take(id, maker),
    })
    expect(second).toMatchObject({ answer: 'payment_taken' })
    expect(await take(id, maker, `m${other}`)).toMatchObject({ answer: 'payment_taken' })
    expect(await take(id, maker, `m${clerk}`)).toMatchObject({ answer: 'taken' })
    expect(await take(id, clerk)).toMatchObject({ answer: 'payment_taken' })
  })

  it('has what its taker approved drop out, and is not taken over by a person who approved of it', async () => {
    const [one, two, large] = [await approved(), await asked(), await asked()]
    await callFunction(database.db, 'withdrawals.approve', two, other)
    await database.owner.query('update withdrawals.terms set two_persons_from = 0')
    for (const by of [approver, maker]) {
      await callFunction(database.db, 'withdrawals.approve', large, by)
    }
    const id = await batchOf([one, two, large])
    const dropped = [one, large].map(BigInt)
    expect(await take(id, approver)).toEqual({ answer: 'taken', dropped })
    expect(await Promise.all([one, large].map(paymentsOf))).toEqual([[], []])
    // In a house of two each pays what the other approved.
    const later = await batchOf([one, large])
    expect(await take(later, other)).toEqual({ answer: 'taken', dropped: [] })
    expect(await answer(id, [{ withdrawal: two }], { by: approver })).toEqual(['paid'])
    expect(await take(later, approver, `m${other}`)).toMatchObject({ answer: 'same_person' })
    await expectAlwaysTrue(database.owner)
  })

  it('is cancelled by its taker alone while he may be having it paid, also if he made it', async () => {
    const [id] = await sent(1)
    await take(id, clerk)
    expect(await cancel(id, other)).toBe('payment_taken')
    await take(id, other, `m${clerk}`)
    await take(id, maker, `m${other}`)
    expect(await cancel(id, clerk)).toBe('payment_taken')
    expect(await cancel(id, maker)).toBe('cancelled')
    // Whoever had its file could have had it paid.
    for (const by of [clerk, other, maker]) expect(await releaseAll(id, by)).toBe('same_person')
    expect(await releaseAll(id, approver)).toBe('released')
  })

  it('is cancelled by another person if its taker has left, since whoever approved one of its payments cannot take it over', async () => {
    const [one, two] = [await approved(), await asked()]
    await callFunction(database.db, 'withdrawals.approve', two, other)
    const id = await batchOf([one, two])
    await take(id, clerk)
    for (const by of [approver, other]) expect(await cancel(id, by)).toBe('payment_taken')
    await database.owner.query(
      `update staff.member set active = false, closed_at = app.now() where name = $1`,
      [`m${clerk}`],
    )
    expect(await cancel(id, other)).toBe('cancelled')
  })

  it('has again what a cancelled one had, once another person releases it: one withdrawal, or all', async () => {
    const [id, one, two, byHand] = await sent(3)
    expect(await releaseAll(id, maker)).toBe('not_found')
    await cancel(id, other)
    for (const state of ['paid', 'failed'] as const) {
      expect(await answer(id, [{ withdrawal: one, state }])).toEqual(['batch_cancelled'])
    }
    expect(await batch()).toEqual({ id: null, of: [] })
    // Who says that they were not paid does not pay them either.
    for (const word of [release(one, other), releaseAll(id, other), pay(byHand)]) {
      expect(await word).toBe('same_person')
    }
    expect(await pay(byHand, { by: clerk })).toBe('paid')
    expect(await release(one, clerk)).toBe('released')
    expect(await releaseAll(id, maker)).toBe('released')
    expect(await releaseAll(id, maker)).toBe('decided')
    expect((await batch()).of).toEqual([one, two])
    await expectAlwaysTrue(database.owner)
  })

  it('that is made while another is being made has what was approved meanwhile', async () => {
    const id = await approved()
    const later = await asked()
    const made = await answerAfter(database, {
      first: async (tx) => expect((await batch({ db: tx })).of).toEqual([id]),
      second: () => batch(),
      whileWaiting: (tx) => approve(later, tx),
    })
    expect(made.of).toEqual([later])
  })
})

describe('an answer of the bank', () => {
  it('is recorded for its withdrawal alone, and the batch is done with the last, also of two at once', async () => {
    const [id, one, two, three] = await sent(3)
    expect(await answer(id, [{ withdrawal: two }])).toEqual(['paid'])
    expect(await Promise.all([one, two, three].map(atBank))).toEqual([true, false, true])
    expect(await batchRow(id)).toMatchObject({ state: 'open', ended_at: null })
    expect(await cancel(id, other)).toBe('decided')
    await database.freezeClock(AT + 1)
    const last = await answerAfter(database, {
      first: (tx) => answer(id, [{ withdrawal: three, state: 'failed' }], { by: other, db: tx }),
      second: () => answer(id, [{ withdrawal: one }]),
    })
    expect(last).toEqual(['paid'])
    const done = { state: 'done', ended_by_clerk: true, ended_at: AT + 1 }
    expect(await batchRow(id)).toMatchObject(done)
    expect(await cancel(id, other)).toBe('decided')
    expect(await Promise.all([one, two, three].map(paymentsOf))).toEqual([
      ...[[`${id} paid`], [`${id} paid`], [`${id} failed`]],
    ])
    expect(await atBank(three)).toBe(false)
    const payouts = await database.db.query(
      'select payout_reference as reference, paid_at from withdrawals.withdrawal order by id',
    )
    expect(payouts).toEqual([
      { reference: `BANK ${one}`, paid_at: AT + 1 },
      { reference: `BANK ${two}`, paid_at: AT },
      { reference: null, paid_at: null },
    ])
    await expectAlwaysTrue(database.owner)
  })

  it('is the same again if the result is, and of a payment also the reference, however it is typed', async () => {
    const [id, paid, failed] = await sent(2)
    const lines: Line[] = [{ withdrawal: paid }, { withdrawal: failed, state: 'failed' }]
    expect(await answer(id, lines)).toEqual(['paid', 'failed'])
    expect(await answer(id, lines)).toEqual(['same', 'same'])
    expect(await answer(id, [{ withdrawal: paid, reference: `bank${paid}` }])).toEqual(['same'])
    const ended = await batchRow(id)
    expect(ended).toMatchObject({ state: 'done', ended_by_clerk: true, ended_at: AT })
    await database.freezeClock(AT + 60_000)
    expect(await answer(id, lines, { by: other })).toEqual(['same', 'same'])
    expect(await batchRow(id)).toEqual(ended)
    for (const line of [
      { withdrawal: paid, reference: 'ANOTHER' },
      { withdrawal: paid, state: 'failed' as const },
      { withdrawal: failed },
    ]) {
      expect(await answer(id, [line])).toEqual(['answered_otherwise'])
    }
    expect(await Promise.all([paid, failed].map(paymentsOf))).toEqual([
      ...[[`${id} paid`], [`${id} failed`]],
    ])
  })

  it('is refused for another amount, a withdrawal or a reference of another batch, and without a batch', async () => {
    const [id, one, two, three] = await sent(3)
    const [otherId, four] = await sent(1)
    for (const amount of [100n * U - 1n, 100n * U + 1n]) {
      for (const state of ['paid', 'failed'] as const) {
        expect(await answer(id, [{ withdrawal: one, amount, state }])).toEqual(['amount_differs'])
      }
    }
    const withoutAmount = { line: 2, withdrawal: one, state: 'failed', reason: 'x' }
    const said = (line: object) =>
      database.db.value('select outcome from console_money.answer_batch($1, $2, $3)', [
        ...[id, JSON.stringify([line]), clerk],
      ])
    expect(await said(withoutAmount)).toBe('amount_differs')
    for (const state of [null, 'sent', 'cancelled']) {
      const line = { ...withoutAmount, amount: String(100n * U), state }
      await expect(said(line), `${state}`).rejects.toThrow(/a bank says paid or failed/)
    }
    expect(await answer(otherId + 1, [{ withdrawal: one }])).toEqual([])
    // Each line has its result, in the order of the withdrawals.
    const lines = [four, three, two, one].map((withdrawal) => ({ withdrawal, amount: 100n * U }))
    lines[2] = { withdrawal: two, amount: U }
    expect(await answer(id, lines)).toEqual(['paid', 'amount_differs', 'paid', 'not_in_batch'])
    const used = { withdrawal: four, reference: `bank${three}` }
    expect(await answer(otherId, [used])).toEqual(['reference_used'])
    expect(await paymentsOf(two)).toEqual([`${id} sent`])
    expect(await paymentsOf(four)).toEqual([`${otherId} sent`])
    expect(await batchRow(id)).toMatchObject({ state: 'open' })
  })

  it('that it paid is not recorded by the person who approved the withdrawal, and others are', async () => {
    const [id, one, two] = await sent(2)
    const lines: Line[] = [{ withdrawal: one }, { withdrawal: two, state: 'failed' }]
    expect(await answer(id, lines, { by: approver })).toEqual(['same_person', 'failed'])
    // A failure alone is an answer too: it is too late to cancel the batch.
    expect(await cancel(id, other)).toBe('decided')
    expect(await paymentsOf(one)).toEqual([`${id} sent`])
    expect(await atBank(one)).toBe(true)
    expect(await answer(id, [{ withdrawal: one }])).toEqual(['paid'])
    await expectAlwaysTrue(database.owner)
  })
})

describe('a payment that the bank refused', () => {
  it('is released alone, by another person than the one who recorded it, and once of two releases at once', async () => {
    const [id, one, two, paid] = await sent(3)
    await answer(id, [{ withdrawal: paid }])
    // The bank has not answered, has paid, and has never got these.
    for (const withdrawal of [one, paid, await approved()]) {
      expect(await release(withdrawal, other)).toBe('not_found')
    }
    const failed = [one, two].map((withdrawal) => ({ withdrawal, state: 'failed' as const }))
    await answer(id, failed)
    expect(await release(one, clerk)).toBe('same_person')
    expect(await pay(one, { by: clerk })).toBe('same_person')
    await database.freezeClock(AT + 1)
    const second = await answerAfter(database, {
      first: (tx) => release(one, other, { db: tx }),
      second: () => release(one, maker),
    })
    expect(second).toBe('decided')
    expect(await Promise.all([one, two].map(paymentsOf))).toEqual([
      ...[[`${id} failed released`], [`${id} failed`]],
    ])
    const rows = await database.db.query(
      `select name, released_at from console_money.bank_payment
       join staff.member on member.id = released_by`,
    )
    expect(rows).toEqual([{ name: `m${other}`, released_at: AT + 1 }])
  })

  it('is released each time that the bank refuses it, or its batch is cancelled; never by a person who had the file', async () => {
    const [first, withdrawal] = await sent(1)
    await take(first, other)
    await answer(first, [{ withdrawal, state: 'failed' }])
    expect(await release(withdrawal, other)).toBe('same_person')
    expect(await pay(withdrawal, { by: other })).toBe('same_person')
    expect(await release(withdrawal, maker)).toBe('released')
    const second = await batchOf([withdrawal])
    await answer(second, [{ withdrawal, state: 'failed' }])
    expect(await batch()).toEqual({ id: null, of: [] })
    expect(await release(withdrawal, other)).toBe('released')
    expect(await paymentsOf(withdrawal)).toEqual([
      `${first} failed released`,
      `${second} failed released`,
    ])
    await cancel(await batchOf([withdrawal]), other)
    expect(await release(withdrawal, other)).toBe('same_person')
    expect(await release(withdrawal, maker)).toBe('released')
  })

  it('is not released after it was paid by hand, or reversed', async () => {
    const [id, paid, reversed] = await sent(2)
    const failed = [paid, reversed].map((withdrawal) => ({ withdrawal, state: 'failed' as const }))
    await answer(id, failed)
    expect(await pay(paid)).toBe('paid')
    await proposeReversal(database.db, { id: reversed, session: maker })
    expect(await confirmReversal(database.db, { id: reversed, session: other })).toBe('confirmed')
    for (const withdrawal of [paid, reversed]) {
      expect(await release(withdrawal, maker)).toBe('decided')
      // Nor does the bank pay it later.
      expect(await answer(id, [{ withdrawal }])).toEqual(['answered_otherwise'])
      expect(await paymentsOf(withdrawal)).toEqual([`${id} failed`])
    }
    await expectAlwaysTrue(database.owner)
  })
})

it('a batch is cancelled by another person than the one who made it, alone, and once of two at once', async () => {
  const [id, one] = await sent(1)
  const [untouched, two] = await sent(1)
  expect(await cancel(id, maker)).toBe('same_person')
  expect(await atBank(one)).toBe(true)
  const second = await answerAfter(database, {
    first: (tx) => cancel(id, clerk, tx),
    second: () => cancel(id, other),
  })
  expect(second).toBe('decided')
  expect(await batchRow(id)).toEqual({
    state: 'cancelled',
    ended_by_clerk: true,
    ended_at: AT,
    cancel_reason: 'sent twice',
  })
  expect(await paymentsOf(two)).toEqual([`${untouched} sent`])
  expect(await Promise.all([one, two].map(atBank))).toEqual([false, true])
  expect(await cancel(untouched + 1, other)).toBe('not_found')
})

it('the database takes no answer and no release that is half, or of one person alone', async () => {
  const [id, one] = await sent(1)
  const refused = async (change: string, why: string) =>
    expect(database.owner.query(`update console_money.${change}`), change).rejects.toThrow(why)
  const released = 'bank_payment set released_by = 1, released_at = app.now()'
  await refused(released, 'released_after_failure')
  await refused(`bank_payment set state = 'failed', reason = 'x'`, 'answer_is_whole')
  await refused(`bank_payment set answered_at = app.now(), answered_by = 1`, 'answer_is_whole')
  await refused(`bank_batch set state = 'done'`, 'end_is_whole')
  const ended = 'ended_by = 1, ended_at = app.now()'
  await refused(`bank_batch set state = 'cancelled', ${ended}`, 'cancelled_with_a_reason')
  expect(await answer(id, [{ withdrawal: one, state: 'failed' }])).toEqual(['failed'])
  await refused(`bank_payment set state = 'paid', reason = null`, 'paid_with_reference')
  await refused('bank_payment set reason = null', 'failed_with_reason')
  await refused('bank_payment set released_at = app.now()', 'released_whole')
  await refused(
    'bank_payment set released_by = answered_by, released_at = app.now()',
    'released_by_another',
  )
})

it('a payout in a batch for wallets gets the transaction of the others when it is corrected', async () => {
  const [one, two, three] = [await toWallet(), await toWallet(), await toWallet()]
  const ids = [one, two, three]
  const { id } = await walletBatch()
  const [right, slip] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const lines = (last: string) =>
    [right, right, last].map((reference, at) => ({ withdrawal: ids[at] ?? 0, reference }))
  expect(await answer(id ?? 0, lines(slip))).toEqual(['paid', 'paid', 'paid'])
  await absent(three, slip, 10)
  expect(await correct(three, other, right)).toBe('corrected')
  expect(await correct(two, other, right)).toBe('reference_used')
  for (const [log, each] of ids.entries()) {
    expect(await chainShows(each, right, [log], null)).toBe('seen')
  }
  // The batch names it too, so the wallet's right file is no contradiction.
  expect(await answer(id ?? 0, lines(right))).toEqual(['same', 'same', 'same'])
  expect(await paymentsOf(three)).toEqual([`${id} paid`])
  expect(await correct(one, other, slip)).toBe('decided')
  const outside = await toWallet()
  const payout = { id: outside, by: other, reference: right }
  expect(await payByHand(database.db, payout)).toBe('reference_used')
  await expectAlwaysTrue(database.owner)
})

it('a batch has of the withdrawals to one wallet the oldest that can be paid, and the next batch another', async () => {
  const wallet = newWallet()
  const toIt = () => approved({ kind: 'wallet', wallet })
  const [frozen, first, second] = [await toIt(), await toIt(), await toIt()]
  const other = await toWallet()
  await stop(frozen, FROZEN)
  const batches = [await walletBatch(), await walletBatch(), await walletBatch()]
  expect(batches).toMatchObject([{ payments: 2 }, { payments: 1 }, { id: null, payments: 0 }])
  const [one, two] = batches.map(({ id }) => `${id} sent`)
  expect(await Promise.all([frozen, first, second, other].map(paymentsOf))).toEqual([
    ...[[], [one], [two], [one]],
  ])
  expect(await atBank(frozen)).toBe(false)
})

it('a payment of a batch that is made in two transfers counts whole, and is not corrected, which would hide what it paid', async () => {
  const [paid, other] = [await toWallet(), await toWallet()]
  const { id } = await walletBatch()
  const reference = 'ab'.repeat(32)
  const lines = [paid, other].map((withdrawal) => ({ withdrawal, reference }))
  expect(await answer(id ?? 0, lines)).toEqual(['paid', 'paid'])
  const read = [[], 'other_amount', [0, 1], [60n * U, 40n * U].map(String)] satisfies Shown
  expect(await chainShows(paid, reference, ...read)).toBe('wrong')
  expect(await correct(paid, maker, 'cd'.repeat(32))).toBe('decided')
  const seen = 'select withdrawals.seen_amount(withdrawal) from withdrawals.withdrawal order by id'
  expect(await database.owner.column(seen)).toEqual([100n * U, 0n])
  expect(await correct(paid, maker, null)).toBe('corrected')
  await expectAlwaysTrue(database.owner)
})

it('a transfer of a batch counts for one withdrawal, and a later batch has what it left to be paid', async () => {
  const [one, two] = [await toWallet(), await toWallet()]
  const walletBatchId = async () => (await walletBatch()).id ?? 0
  const id = await walletBatchId()
  const reference = 'ab'.repeat(32)
  const lines = [one, two].map((withdrawal) => ({ withdrawal, reference }))
  expect(await answer(id, lines)).toEqual(['paid', 'paid'])
  const read = (withdrawal: number, log: number, micro: bigint) =>
    chainShows(withdrawal, reference, [], 'other_amount', [log], [String(micro)])
  expect([await read(one, 0, 87_875_000n), await read(two, 1, 98n * U)]).toEqual(['wrong', 'wrong'])
  for (const each of [one, two]) expect(await accept(each, other, reference)).toBe('part')
  const rests = 'select rest from withdrawals.withdrawal order by id'
  expect(await database.owner.column(rests)).toEqual([12_125_000n, 2n * U])
  expect(await release(one, maker)).toBe('released')
  const next = await walletBatchId()
  const rest = { withdrawal: one, reference: 'cd'.repeat(32), amount: 12_125_000n }
  expect(await answer(next, [{ ...rest, amount: 100n * U }])).toEqual(['amount_differs'])
  expect(await answer(next, [{ ...rest, reference }])).toEqual(['reference_used'])
  // A rest with three decimals can be read in two ways, of which one is its amount.
  const file = (amount: string) =>
    Buffer.from(`withdrawal;amount;status;reference\n${one};${amount};paid;${rest.reference}`)
  const checked = (amount: string) =>
    answerBankBatch(database.db, { id: next, bytes: file(amount), session: clerk, check: true })
  expect(await checked('12,126')).toMatchObject({ faults: [{ line: 2 }] })
  expect(await checked('12,125')).toMatchObject({ paid: 1, quantity: '12.125', faults: [] })
  expect(await answer(next, [rest])).toEqual(['paid'])
  await expectAlwaysTrue(database.owner)
})

it('a payout by hand that is to be made again goes into a batch once another person than who said so releases it', async () => {
  const id = await toWallet()
  const { id: earlier } = await walletBatch()
  // What this batch has of it names another person, and releases nothing for him.
  await answer(earlier ?? 0, [{ withdrawal: id, state: 'failed' }], { by: other })
  const reference = 'ab'.repeat(32)
  await payByHand(database.db, { id, by: maker, reference })
  await chainShows(id, reference, [], 'other_payee')
  expect(await correct(id, clerk, null)).toBe('corrected')
  expect(await walletBatch()).toMatchObject({ id: null, payments: 0, leftUnreleased: 1 })
  expect(await release(id, clerk)).toBe('same_person')
  expect(await release(id, other)).toBe('released')
  expect(await walletBatch()).toMatchObject({ payments: 1 })
  await expectAlwaysTrue(database.owner)
})

it('another transaction is named for a payout once all nodes lack the first for ten minutes, or disagree for a day', async () => {
  const id = await toWallet()
  const [first, second, third] = ['ab'.repeat(32), 'cd'.repeat(32), 'ef'.repeat(32)]
  await payByHand(database.db, { id, by: other, reference: first })
  // It may be paid by the first one: of one that is made up the nodes would say truly that it is absent.
  expect(await correct(id, clerk, second)).toBe('too_early')
  await absent(id, first, 9)
  expect(await correct(id, clerk, second)).toBe('too_early')
  await absent(id, first, 10)
  // What the chain says of the first one meanwhile is not taken.
  const answered = await answerAfter(database, {
    first: (tx) => correct(id, clerk, second, tx),
    second: () => chainShows(id, first, [0], null),
  })
  expect(answered).toBe('stale')
  expect(await correct(id, maker, third)).toBe('too_early')
  await database.freezeClock(AT + 25 * 3_600_000 - 1)
  const later = await staffToken(database, { role: 'finance' })
  expect(await correct(id, later, third)).toBe('too_early')
  await database.freezeClock(AT + 25 * 3_600_000)
  expect(await correct(id, later, third)).toBe('corrected')
  await expectAlwaysTrue(database.owner)
})

it('what is said to be unpaid again is not released by whoever has seen only what was said before', async () => {
  const [id, one] = await sent(1)
  await cancel(id, other)
  await database.freezeClock(AT + 1_000)
  // Another payment than that of the batch.
  expect(await pay(one, { by: clerk })).toBe('paid')
  expect(await correct(one, maker, null)).toBe('corrected')
  expect(await releaseAll(id, approver)).toBe('decided')
  expect(await release(one, approver, { seen: AT })).toBe('decided')
  expect(await batch()).toEqual({ id: null, of: [] })
  expect(await release(one, approver, { seen: AT + 1_000 })).toBe('released')
  expect((await batch()).of).toEqual([one])
  await expectAlwaysTrue(database.owner)
})

it('a payout whose transaction another person is correcting is not to be made again', async () => {
  const id = await toWallet()
  const [wrong, right] = ['ab'.repeat(32), 'cd'.repeat(32)]
  await payByHand(database.db, { id, by: other, reference: wrong })
  await chainShows(id, wrong, [], 'other_payee')
  const again = await answerAfter(database, {
    first: (tx) => correct(id, clerk, right, tx),
    second: () => correct(id, maker, null),
  })
  expect(again).toBe('decided')
  await expectAlwaysTrue(database.owner)
})

it('the chain’s answer is taken about the present transaction of a payout alone, and once', async () => {
  const id = await toWallet()
  const [wrong, right] = ['12'.repeat(32), '34'.repeat(32)]
  const answered = (of: string, ...shown: Shown) => chainShows(id, of, ...shown)
  const shown = () =>
    database.owner.query(
      'select payout_reference as by, payout_chain as chain from withdrawals.withdrawal where id = $1',
      [id],
    )
  expect(await answered(wrong, [0], null)).toBe('stale')
  const paid = (reference: string) => payByHand(database.db, { id, by: other, reference })
  expect(await paid('PAID1')).toBe('not_a_transaction')
  expect(await paid(wrong)).toBe('paid')
  expect(await answered(right, [0], null)).toBe('stale')
  expect(await shown()).toEqual([{ by: wrong, chain: 'awaited' }])
  const absentUntil = async (of: string, hours: number) => {
    await absent(id, of, hours * 60)
    return database.owner.value<number | null>(
      `select (extract(epoch from payout_absent_at - app.now()) / 3600)::integer
       from withdrawals.withdrawal where id = $1`,
      [id],
    )
  }
  expect(await absentUntil(right, 1)).toBeNull()
  expect(await absentUntil(wrong, 2)).toBe(2)
  expect(await answered(wrong, [], 'failed')).toBe('wrong')
  expect(await absentUntil(wrong, 3)).toBe(2)
  expect(await correct(id, clerk, right)).toBe('corrected')
  expect(await answered(wrong, [0], null)).toBe('stale')
  expect(await answered(right, [0], null)).toBe('seen')
  for (const each of [wrong, right]) expect(await answered(each, [], 'failed')).toBe('stale')
  expect(await shown()).toEqual([{ by: right, chain: 'seen' }])
})
