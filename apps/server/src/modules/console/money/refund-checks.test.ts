/** The database's answers to proposals, refusals and payments of held deposits, in each state. */
import { beforeEach, expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { depositsOf } from '#src/modules/console/players/player-lists.ts'
import { transfersOf } from '#src/modules/deposits/deposit-store.ts'
import { exclude, heldDeposits, releaseDeposits } from '#src/modules/protection/protection-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, giveAddress, takeDeposit } from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { PUBLISHED_ADDRESSES } from '#testing/hosts/served-local-node.ts'
import { addPayMethod, askWithdrawal, payByHand } from '#testing/people/cash-desk.ts'
import {
  confirm as confirmAny,
  confirmRefund,
  end,
  latestAbout,
  propose as proposeAny,
  proposeRefund,
} from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { heldDepositById, heldDepositPage } from './refund-deposit.ts'

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

/** A held deposit of 7 u, from a bank or from an address on the chain. */
async function held(reference = 'test:1', from: string | null = null): Promise<bigint> {
  await takeDeposit(database.owner, { playerId: player, micro: 7n * U, reference, from })
  const text = 'select id from protection.held_deposit where reference = $1'
  return database.owner.value<bigint>(text, [reference])
}

const propose = (id: bigint, session: string) => proposeRefund(database.db, { id, session })
/** Proposes to pay it back to this address. */
const proposeTo = (id: bigint, payee: string | undefined, session: string) => {
  const content = { player_id: player, amount: String(7n * U), origin: 'TFrom', payee }
  return proposeAny(database.db, {
    kind: 'refund',
    subject: `held_deposit:${id}`,
    content,
    session,
  })
}
const refuse = async (id: bigint, session: string, db: Queryable = database.db) =>
  end(db, await latestAbout(db, `held_deposit:${id}`), session)
const confirm = (id: bigint, session: string, payment: string | null = 'PAID1') =>
  confirmRefund(database.db, { id, session, payment })
const take = (id: bigint, session: string, db: Queryable = database.db) =>
  callFunction<string>(db, 'console_money.take_refund', id, null, session)
const chainSays = (id: bigint, payment: string, fault: string | null) =>
  callFunction(database.db, 'console_money.take_refund_answer', id, payment, fault)
/** The reference that somebody sees now. */
const seenOf = async (id: bigint) =>
  (await heldDepositById(database.db, Number(id)))?.refundReference ?? null
const give = (id: bigint, session: string, db: Queryable = database.db) =>
  callFunction<string>(db, 'console_money.give_refund_back', id, session)
const release = (id: bigint, session: string, seen = AT) =>
  callFunction<string>(database.db, 'console_money.release_refund', id, new Date(seen), session)
const sendBack = async (id: bigint, session: string, seen?: string, db: Queryable = database.db) =>
  callFunction<string>(
    ...[db, 'console_money.return_refund', id, session, seen ?? (await seenOf(id))],
  )
const correct = async (id: bigint, session: string, payment: string, seen?: string) =>
  callFunction<string>(
    ...[database.db, 'console_money.correct_refund'],
    ...[id, session, payment, seen ?? (await seenOf(id))],
  )

function row(id: bigint): Promise<Record<string, unknown>> {
  return database.db.one(
    `select held.state, proposal.state as proposal, proposer.role as proposer, decider.role as decider, decided_at,
       refund_reference as reference
     from protection.held_deposit held
     left join lateral (select * from staff.proposal where subject = 'held_deposit:' || held.id
       order by id desc limit 1) proposal on true
     left join staff.member proposer on proposer.id = proposed_by
     left join staff.member decider on decider.id = decided_by where held.id = $1`,
    [id],
  )
}

it('a held deposit is paid back by another person than the one who proposed it, and leaves the books', async () => {
  const [id, other] = [await held('test:1'), await held('test:2')]
  for (const each of [id, other]) expect(await propose(each, ann)).toBe('proposed')
  expect(await confirm(id, ann)).toBe('same_person')
  await database.freezeClock(AT + 1)
  expect(await confirm(id, bob, null)).toBe('reference_missing')
  expect(await confirm(id, bob)).toBe('confirmed')
  expect(await row(id)).toMatchObject({
    state: 'refunded',
    decider: 'owner',
    decided_at: AT + 1,
    reference: 'PAID1',
  })
  expect(await row(other)).toMatchObject({ state: 'held', decided_at: null })
  expect(await propose(id, ann)).toBe('decided')
  const postings = await database.db.query(
    `select holder_id as player, booked_on, amount, reference, cash_after, held_after
       from ledger.posting where kind = 'deposit_refunded'`,
  )
  expect(postings).toEqual([
    {
      player,
      booked_on: TODAY,
      amount: 7n * U,
      reference: 'test:1',
      cash_after: 0n,
      held_after: 7n * U,
    },
  ])
  await expectAlwaysTrue(database.owner)
})

it('a deposit that is being released is not proposed to be paid back, and is then decided', async () => {
  const id = await held()
  await database.freezeClock(AT + DAY)
  const [cashier, owner] = [await staffToken(database), await staffToken(database)]
  const answer = await answerAfter(database, {
    first: (tx) => releaseDeposits(tx, { onDay: '2026-11-21' }),
    second: () => propose(id, cashier),
  })
  expect(answer).toBe('decided')
  expect([await refuse(id, cashier), await confirm(id, owner)]).toEqual(['not_found', 'not_found'])
  expect(await row(id)).toMatchObject({ state: 'released', proposer: null, decider: null })
  await expectAlwaysTrue(database.owner)
})

it('the payment of a refund is taken by one of two at once, not while its proposal ends, which does not end while it is taken', async () => {
  const id = await held()
  const cat = await staffToken(database)
  await propose(id, ann)
  const taken = await answerAfter(database, {
    first: (tx) => refuse(id, ann, tx),
    second: () => take(id, bob),
  })
  expect(taken).toBe('decided')
  await propose(id, ann)
  const others = await answerAfter(database, {
    first: (tx) => take(id, bob, tx),
    second: () => Promise.all([take(id, cat), refuse(id, ann)]),
    whileWaiting: () => somebodyWaits(database, 2),
  })
  expect(others).toEqual(['payment_taken', 'payment_taken'])
  expect(await take(999n, bob)).toBe('not_found')
})

it('a refund that was given back is paid by the same person once another lets him', async () => {
  const id = await held()
  await propose(id, ann)
  expect(await release(id, ann)).toBe('decided')
  const cat = await staffToken(database)
  expect(await take(id, bob)).toBe('taken')
  // He does not record it while he is giving it back.
  const proposal = await latestAbout(database.db, `held_deposit:${id}`)
  const recorded = await answerAfter(database, {
    first: (tx) => give(id, bob, tx),
    second: () => confirmAny(database.db, proposal, bob, 'PAID1'),
  })
  expect(recorded).toBe('payment_not_taken')
  expect([await take(id, cat), await give(id, cat)]).toEqual(['taken', 'given_back'])
  for (const by of [bob, cat]) {
    expect([await take(id, by), await release(id, by)]).toEqual(['same_person', 'same_person'])
  }
  expect([await release(id, ann), await take(id, bob)]).toEqual(['released', 'taken'])
  await database.freezeClock(AT + 1_000)
  expect(await give(id, bob)).toBe('given_back')
  // She has seen what was given back before.
  expect(await release(id, ann)).toBe('decided')
  expect(await take(id, bob)).toBe('same_person')
  expect(await take(id, cat)).toBe('taken')
  expect(await confirm(id, cat)).toBe('confirmed')
  expect(await database.owner.query('select from staff.payment_denial')).toEqual([])
  expect(await release(0n, ann)).toBe('not_found')
  await expectAlwaysTrue(database.owner)
})

it('a deposit whose refund was given back is not credited before another releases it', async () => {
  const id = await held()
  await propose(id, ann)
  await take(id, bob)
  await give(id, bob)
  expect(await refuse(id, bob)).toBe('refused')
  await database.owner.query('update protection.held_deposit set for_staff = false')
  await database.freezeClock(AT + DAY)
  const credited = () => releaseDeposits(database.db, { onDay: '2026-11-21' })
  expect(await credited()).toEqual([])
  expect(await readNeeds(database.db, ['refunds_due'])).toMatchObject([{ count: 1 }])
  expect(await release(id, await staffToken(database))).toBe('released')
  expect(await readNeeds(database.db, ['refunds_due'])).toEqual([])
  expect(await credited()).toHaveLength(1)
  await expectAlwaysTrue(database.owner)
})

const saveWallet = (of: number, wallet: string) => addPayMethod(database, of, 'wallet', wallet)

it('a refund of a closed account goes to a wallet that it had, or to one that an owner proposes', async () => {
  const id = await held(`usdt:${'ab'.repeat(32)}:0`, 'TFrom')
  await saveWallet(player, 'TEarlier')
  await database.owner.query('update withdrawals.pay_method set replaced_at = app.now()')
  const had = await addPayMethod(database, player, 'wallet')
  await changePlayer(database, player, `state = 'closed', closed_at = app.now()`)
  await database.freezeClock(AT + 1_000)
  // As one member of staff alone saves it with the rest of the account.
  await database.owner.query(
    'update withdrawals.pay_method set replaced_at = app.now() where id = $1',
    [had],
  )
  await saveWallet(player, 'TOther')
  for (const payee of ['TOther', 'TEarlier']) {
    expect(await proposeTo(id, payee, ann), payee).toBe('not_his_wallet')
  }
  expect(await proposeTo(id, 'TOther', bob)).toBe('proposed')
  expect(await take(id, ann)).toBe('taken')
  const own = await held(`usdt:${'cd'.repeat(32)}:0`, 'TFrom')
  expect(await proposeTo(own, PUBLISHED_ADDRESSES[0], ann)).toBe('proposed')
})

it('a refund to another address than it came from is not taken to be paid while its player is frozen or on hold, nor to a wallet that is not his any more', async () => {
  await saveWallet(player, 'TOther')
  const stranger = await addPlayer(database, { u: 0 })
  await saveWallet(stranger, 'TStranger')
  const [back, away] = [
    await held(`usdt:${'ab'.repeat(32)}:0`, 'TFrom'),
    await held(`usdt:${'cd'.repeat(32)}:0`, 'TFrom'),
  ]
  // An owner neither, unless the account is closed.
  for (const by of [ann, bob]) {
    expect(await proposeTo(away, 'TStranger', by)).toBe('not_his_wallet')
  }
  expect(await proposeTo(back, undefined, ann)).toBe('proposed')
  expect(await proposeTo(away, 'TOther', ann)).toBe('proposed')
  // A freeze that is not committed yet is waited for.
  const taken = await answerAfter(database, {
    first: (tx) => tx.query(`update accounts.player set state = 'frozen' where id = $1`, [player]),
    second: () => Promise.all([take(back, bob), take(away, bob)]),
  })
  expect(taken).toEqual(['taken', 'account_frozen'])
  await changePlayer(database, player, `state = 'active', sensitive_changed_at = app.now()`)
  expect(await take(away, bob)).toBe('withdrawal_on_hold')
  // That of the refund which is taken.
  const waiting = async () => (await readNeeds(database.db, ['proposals_waiting']))[0]?.count
  expect(await waiting()).toBe(1)
  await changePlayer(database, player, 'sensitive_changed_at = null')
  const replaced = (at: string) =>
    database.owner.query(
      `update withdrawals.pay_method set replaced_at = ${at} where player_id = $1`,
      [player],
    )
  await replaced('app.now()')
  expect(await take(away, bob)).toBe('not_his_wallet')
  // This does not end by itself: a person refuses it.
  expect(await waiting()).toBe(2)
  await replaced('null')
  expect(await take(away, bob)).toBe('taken')
  await replaced('app.now()')
  expect(await take(away, bob), 'what is taken may be sent').toBe('taken')
})

it('the reference of a payment is not that of another deposit that was paid back, or of a payout, also of one at once', async () => {
  const [id, other] = [await held('test:1'), await held('test:2')]
  for (const each of [id, other]) await propose(each, ann)
  expect(await confirm(id, bob)).toBe('confirmed')
  expect(await confirm(other, bob)).toBe('reference_used')
  const withdrawal = await approvedWithdrawal()
  expect(await payOut(database.db, withdrawal)).toBe('reference_used')
  const answer = await answerAfter(database, {
    first: (tx) => payOut(tx, withdrawal, 'PAID2'),
    second: () => confirm(other, bob, 'PAID2'),
  })
  expect(answer).toBe('reference_used')
  expect(await row(other)).toMatchObject({ state: 'held', reference: null })
  expect(await confirm(other, bob, 'PAID3')).toBe('confirmed')
  await expectAlwaysTrue(database.owner)
})

it('a deposit from the chain is paid back by a transaction: not by other words, not by its own, and no bank sends it back', async () => {
  const [incoming, payment] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const id = await held(`usdt:${incoming}:0`, 'TFrom')
  await propose(id, ann)
  for (const words of [
    'PAID',
    `0x${payment}`,
    payment.toUpperCase(),
    `x/#/transaction/${payment}`,
  ]) {
    expect(await confirm(id, bob, words), words).toBe('not_a_transaction')
  }
  expect(await confirm(id, bob, incoming)).toBe('reference_used')
  expect(await confirm(id, bob, payment)).toBe('confirmed')
  expect(await row(id)).toMatchObject({ state: 'refunded', reference: payment })
  expect(await sendBack(id, ann)).toBe('decided')
  expect(await correct(id, ann, incoming)).toBe('reference_used')
})

/** A withdrawal of another player that a third person has approved. */
async function approvedWithdrawal(): Promise<bigint> {
  const { db } = database
  const asker = await addPlayer(database, { u: 300 })
  const method = await addPayMethod(database, asker)
  const id = await askWithdrawal(db, { playerId: asker, to: method, u: 120n })
  await db.query('select withdrawals.approve($1, $2)', [id, await staffToken(database)])
  return id
}

const payOut = (db: Queryable, id: bigint, reference = 'PAID1') =>
  payByHand(db, { id, by: ann, reference })

it('a refund has the player and the amount of its deposit, and no other spelling of it', async () => {
  const id = await held()
  const other = await addPlayer(database, { u: 0 })
  const amount = String(7n * U)
  const proposed = (content: object, subject = `held_deposit:${id}`) =>
    proposeAny(database.db, { kind: 'refund', subject, content, session: ann })
  for (const content of [{}, { player_id: other, amount }, { player_id: player, amount: '8' }]) {
    await expect(proposed(content), JSON.stringify(content)).rejects.toThrow('of its deposit')
  }
  for (const subject of [`held_deposit:0${id}`, `held_deposit:${id} `, `player:${player}`]) {
    expect(await proposed({ player_id: player, amount }, subject), subject).toBe('not_found')
  }
})

it('a deposit that is proposed while a release is under way stays held', async () => {
  // A release reads ten, and then the next.
  for (let at = 1; at <= 11; at += 1) await held(`test:${at}`)
  const last = await held('test:12')
  await database.freezeClock(AT + DAY)
  const cashier = await staffToken(database)
  let releasing: Promise<unknown[]> | undefined
  await database.owner.transaction(async (tx) => {
    await tx.query('select from ledger.balance where holder_id = $1 for update', [player])
    releasing = releaseDeposits(database.db, { onDay: '2026-11-21' })
    await somebodyWaits(database)
    expect(await propose(last, cashier)).toBe('proposed')
  })
  expect(await releasing).toHaveLength(11)
  expect(await row(last)).toMatchObject({ state: 'held', proposal: 'proposed' })
  expect(await refuse(last, cashier)).toBe('withdrawn')
  expect(await releaseDeposits(database.db, { onDay: '2026-11-21' })).toHaveLength(1)
  await expectAlwaysTrue(database.owner)
})

it('a transfer is shown as paid back once the chain shows the payment, and until then as held', async () => {
  const { db, owner } = database
  const txId = 'ab'.repeat(32)
  await giveAddress(owner, player, 'to')
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
       player_id, credited_at) values ($1, 0, 1, app.now(), 'TFrom', 'to', $2, $3, app.now())`,
    [txId, 7n * U, player],
  )
  const id = await held(`usdt:${txId}:0`, 'TFrom')
  const shown = async () => {
    const [transfer] = await transfersOf(db, player, 10)
    const isHeld = transfer?.status === 'solid'
    const ofStaff = await depositsOf(db, { playerId: player, order: 'desc' })
    const { state } = (await heldDepositById(db, Number(id))) ?? {}
    const listed = await heldDepositPage(db, { state, order: 'asc' })
    const own = (await heldDeposits(db, player)).map(({ isAskedBack }) => isAskedBack)
    expect(listed, state).toMatchObject({ list: [{ id, state, by: 'chain', origin: 'TFrom' }] })
    expect(ofStaff).toMatchObject({ list: [{ state: isHeld ? 'held' : 'refunded' }] })
    expect(transfer).toMatchObject({ txId, status: isHeld ? 'solid' : 'returned' })
    return { state, own }
  }
  const paidBy = async (payment: string) => {
    await propose(id, ann)
    expect(await confirm(id, bob, payment)).toBe('confirmed')
  }
  const [slip, right] = ['cd'.repeat(32), 'ef'.repeat(32)]
  expect(await shown()).toEqual({ state: 'held', own: [false] })
  await paidBy(slip)
  expect(await shown()).toEqual({ state: 'refund_awaited', own: [true] })
  expect(await chainSays(id, slip, 'other_payee')).toBe('wrong')
  expect(await shown()).toEqual({ state: 'refund_wrong', own: [true] })
  await paidBy(right)
  expect(await chainSays(id, slip, null), 'of the payment before').toBe('stale')
  expect(await chainSays(id, right, null)).toBe('seen')
  expect(await shown()).toEqual({ state: 'refunded', own: [] })
})

it('another transaction is named for a refund until the chain shows it, by another person than who named the last', async () => {
  const [slip = '', other = '', right = ''] = ['ab', 'cd', 'ef'].map((hex) => hex.repeat(32))
  const id = await held('test:1', 'TFrom')
  const cat = await staffToken(database)
  expect(await correct(999n, ann, right)).toBe('not_found')
  expect(await correct(id, ann, right)).toBe('decided')
  await propose(id, ann)
  expect(await confirm(id, bob, slip)).toBe('confirmed')
  expect(await correct(id, bob, right)).toBe('same_person')
  expect(await correct(id, ann, 'PAID')).toBe('not_a_transaction')
  expect(await correct(id, ann, slip)).toBe('reference_used')
  // A real one is seen by then: one that is made up does not take its place before.
  const shown = () => heldDepositById(database.db, Number(id))
  await database.freezeClock(AT + 599_999)
  expect(await shown()).toMatchObject({ chainHasTime: true })
  expect(await correct(id, ann, other)).toBe('too_early')
  const at = AT + 600_000
  await database.freezeClock(at)
  expect(await shown()).toMatchObject({ chainHasTime: false })
  expect(await correct(id, ann, other)).toBe('corrected')
  expect(await shown()).toMatchObject({ chainHasTime: true })
  expect(await row(id)).toMatchObject({ decider: 'owner', decided_at: at, reference: other })
  // Staff look at one that is not seen within ten minutes, since the correction.
  const due = () => heldDepositPage(database.db, { due: 'now', order: 'asc' })
  await database.freezeClock(at + 600_000)
  expect(await due()).toMatchObject({ list: [] })
  await database.freezeClock(at + 600_001)
  expect(await due()).toMatchObject({ list: [{ id, state: 'refund_awaited' }] })
  await database.freezeClock(at)
  expect(await chainSays(id, slip, null)).toBe('stale')
  expect(await chainSays(id, other, 'other_payee')).toBe('wrong')
  expect(await correct(id, ann, right)).toBe('same_person')
  // Nor does he alone say that it was not paid.
  expect(await propose(id, ann)).toBe('same_person')
  const whileProposed = await answerAfter(database, {
    first: (tx) => proposeRefund(tx, { id, session: cat }),
    second: () => correct(id, bob, right),
  })
  expect(whileProposed).toBe('already_proposed')
  expect(await refuse(id, cat)).toBe('withdrawn')
  expect(await correct(id, bob, right)).toBe('corrected')
  expect(await propose(id, cat)).toBe('decided')
  expect(await chainSays(id, right, null)).toBe('seen')
  expect(await correct(id, ann, other)).toBe('decided')
  const postings = await database.db.query(
    `select from ledger.posting where kind = 'deposit_refunded'`,
  )
  expect(postings).toHaveLength(1)
  await expectAlwaysTrue(database.owner)
})

it('the reference of a refund by a bank is corrected by another person than who named the last, while the bank has not sent it back', async () => {
  const [id, other] = [await held('test:1'), await held('test:2')]
  expect(await correct(id, ann, 'PAID2')).toBe('decided')
  for (const each of [id, other]) await propose(each, ann)
  expect(await confirm(id, bob, 'PAID2')).toBe('confirmed')
  expect(await confirm(other, bob, 'PAID2')).toBe('reference_used')
  await database.freezeClock(AT + 1)
  expect(await correct(id, bob, 'PAID1')).toBe('same_person')
  expect(await correct(id, ann, 'paid 2')).toBe('reference_used')
  expect(await correct(id, ann, 'PAID1')).toBe('corrected')
  const paid = { state: 'refunded', decider: 'owner', decided_at: AT, reference: 'PAID1' }
  expect(await row(id)).toMatchObject(paid)
  const shown = await heldDepositById(database.db, Number(id))
  expect(shown).toMatchObject({ state: 'refunded', chainHasTime: false })
  expect(await confirm(other, bob, 'PAID2')).toBe('confirmed')
  expect(await sendBack(id, ann)).toBe('same_person')
  expect(await correct(id, bob, 'PAID3')).toBe('corrected')
  expect(await sendBack(id, ann)).toBe('returned')
  expect(await correct(id, ann, 'PAID4')).toBe('decided')
  await expectAlwaysTrue(database.owner)
})

it('a deposit of a player who says that he is under age is for staff to pay back once no identity of his waits for a check', async () => {
  const { db } = database
  await database.freezeClock(AT + DAY)
  const cashier = await staffToken(database)
  const child = 'select withdrawals.send_identity($1, $2, $3, $4)'
  await db.query(child, [player, 'sealed', 'k', 2012])
  await held()
  const due = async () => (await readNeeds(db, ['refunds_due']))[0]?.count ?? 0
  const decide = (version: number, why: string | null) =>
    callFunction<string>(db, 'withdrawals.decide_identity', player, version, why, cashier)
  expect(await due()).toBe(0)
  expect(await decide(1, 'That of a child')).toBe('rejected')
  expect(await due()).toBe(1)
  await db.query(child, [player, 'sealed', 'k', 2012])
  expect(await due()).toBe(0)
  expect(await decide(2, null)).toBe('accepted')
  expect(await due()).toBe(0)
  // Nor of one who says so in another account that staff have confirmed as his.
  const other = await addPlayer(database, { u: 0 })
  await db.query(child, [other, 'sealed', 'k', 2012])
  expect(await due()).toBe(0)
  const likeness = await database.owner.value<bigint>(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
     values ($1, 'likeness', app.now(), $2, 'card') returning id`,
    [player, other],
  )
  await callFunction(db, 'protection.decide_likeness', likeness, true, 'seen', cashier)
  expect(await due()).toBe(1)
  await callFunction(db, 'withdrawals.decide_identity', other, 1, null, cashier)
  expect(await due()).toBe(0)
  expect(await releaseDeposits(db, { onDay: '2026-11-21' })).toHaveLength(1)
  await expectAlwaysTrue(database.owner)
})

it('a refund that the bank sent back is said by another person than who recorded it, and then paid back again by two', async () => {
  const id = await held()
  const cat = await staffToken(database)
  expect(await sendBack(id, ann)).toBe('decided')
  await propose(id, ann)
  expect(await confirm(id, bob)).toBe('confirmed')
  expect(await readNeeds(database.db, ['refunds_due'])).toEqual([])
  expect(await sendBack(999n, ann)).toBe('not_found')
  expect(await sendBack(id, bob)).toBe('same_person')
  const second = await answerAfter(database, {
    first: (tx) => sendBack(id, ann, 'PAID1', tx),
    second: () => sendBack(id, cat),
  })
  expect(second).toBe('decided')
  expect(await heldDeposits(database.db, player)).toMatchObject([{ id, isAskedBack: true }])
  expect(await readNeeds(database.db, ['refunds_due'])).toMatchObject([{ count: 1 }])
  const listed = await heldDepositPage(database.db, { state: 'refund_returned', order: 'asc' })
  expect(listed).toMatchObject({ list: [{ id, state: 'refund_returned' }] })
  expect(await propose(id, ann)).toBe('proposed')
  expect(await confirm(id, bob, 'PAID2')).toBe('confirmed')
  // Of the first payment that is old news, and the second stands.
  expect(await sendBack(id, ann, 'PAID1')).toBe('decided')
  expect(await correct(id, ann, 'PAID3', 'PAID1')).toBe('decided')
  expect(await row(id)).toMatchObject({ state: 'refunded', reference: 'PAID2' })
  expect(await heldDepositById(database.db, Number(id))).toMatchObject({ state: 'refunded' })
  const postings = await database.db.query(
    `select from ledger.posting where kind = 'deposit_refunded'`,
  )
  expect(postings).toHaveLength(1)
  await expectAlwaysTrue(database.owner)
})
