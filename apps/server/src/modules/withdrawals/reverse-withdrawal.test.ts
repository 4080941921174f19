/** Approved withdrawals that cannot be paid: reversed by two people, once, and with the books right at each step. */

import { noticeList } from '@sum28/contract/index-routes.ts'
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { figures } from '@sum28/contract/own-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { onePlayer, playerWithdrawals } from '@sum28/contract/staff-players-routes.ts'
import {
  approveWithdrawal,
  confirmReversal,
  listWithdrawals,
  oneWithdrawal,
  proposeReversal,
  recordPayout,
  refuseReversal,
  rejectWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { memberWithMoney, newTransactionId, withdraw } from '#testing/people/cashier.ts'
import { addStaff, staffSession, staffToken } from '#testing/people/staff.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { requestAmount } from './withdrawal-store.ts'

const app = useWorkersApp()
const reason = 'the bank has closed this account'

/** A member of 300 u with an approved withdrawal of 120 u to a wallet, and the people of the house. */
async function approved(name: string) {
  const test = app()
  const [owner, ann, bob] = [
    await staffSession(test),
    await addStaff(test, 'finance'),
    await addStaff(test, 'finance'),
  ]
  const member = await memberWithMoney(test, name, 300)
  const id = await withdraw(test, member, '120')
  expect(await test.call(approveWithdrawal, { id }, owner)).toMatchObject({ code: 1 })
  const shown = async () => (await test.call(oneWithdrawal, { id }, ann)).data
  const cash = async () => (await test.call(userInfo, {}, member)).data.money
  return { test, owner, ann, bob, member, id, shown, cash }
}

it('an approved withdrawal that cannot be paid is reversed by one person and another, and the player is notified', async () => {
  const { test, owner, ann, bob, member, id, shown, cash } = await approved('unpaid_ann')
  const refused = async (
    route: typeof confirmReversal | typeof proposeReversal,
    by: { token: string },
  ) => (await test.call(route, { id, reason } as never, by)).data as unknown
  expect(await refused(confirmReversal, bob)).toMatchObject({ reason: 'not_proposed' })
  expect(await test.call(proposeReversal, { id, reason }, ann)).toMatchObject({ code: 1 })
  expect(await shown()).toMatchObject({
    ...{ state: 'reversing', reversal_proposed_by: ann.login.name, reversal_reason: reason },
    reversed_by: null,
  })
  expect((await test.call(playerWithdrawals, { user_id: member.id }, ann)).data.list).toMatchObject(
    [{ state: 'reversing' }],
  )
  expect(await cash()).toBe('180.00')
  await expectAlwaysTrue(test.database.owner)
  expect((await test.call(startNeeds, {}, ann)).data.needs).toContainEqual(
    expect.objectContaining({ need: 'reversals_proposed', count: 1 }),
  )
  // Meanwhile it cannot be paid, and the refusal names the person who proposed.
  const paying = await test.call(recordPayout, { id, reference: 'PAID 1' }, bob)
  expect(paying).toMatchObject({ data: { reason: 'reversal_proposed' } })
  expect(paying.msg).toContain(ann.login.name)
  expect(await refused(proposeReversal, bob)).toMatchObject({ reason: 'already_proposed' })
  expect(await refused(confirmReversal, ann)).toMatchObject({
    reason: 'second_person_needed',
  })

  expect(await test.call(confirmReversal, { id }, bob)).toMatchObject({ code: 1 })
  expect(await shown()).toMatchObject({ state: 'reversed', reversed_by: bob.login.name })
  expect(await cash()).toBe('300.00')
  await expectAlwaysTrue(test.database.owner)
  for (const again of [
    await test.call(confirmReversal, { id }, bob),
    await test.call(proposeReversal, { id, reason }, ann),
    await test.call(refuseReversal, { id, reason }, ann),
    await test.call(recordPayout, { id, reference: 'PAID 1' }, ann),
  ]) {
    expect(again).toMatchObject({ data: { reason: 'already_decided' } })
    expect(again.msg).toContain(bob.login.name)
  }

  const { zhannei: notices } = (await test.call(noticeList, {}, member)).data
  expect(notices[0]).toMatchObject({ title: 'Withdrawal of 120.00 u could not be paid' })
  expect(notices[0]?.content).toContain(reason)
  const { data: moves } = await test.call(quantityLogList, { type: 1 }, member)
  expect(Array.isArray(moves) ? moves : moves.list).toMatchObject([
    { quantity: '120.00', over: '300.00', status: 1, mark: 'Withdrawal not paid, returned' },
    { quantity: '-120.00', over: '180.00', status: 2 },
  ])
  const { data: log } = await test.call(listAuditRows, { limit: 4 }, owner)
  expect(log.list.filter(({ subject }) => subject === `withdrawal:${id}`)).toMatchObject([
    { action: 'withdrawal_released', staff: bob.login.name, details: { amount: '120.00', reason } },
    { action: 'withdrawal_reversal_proposed', staff: ann.login.name },
    { action: 'withdrawal_approved' },
  ])
  // It does not count as a withdrawal: neither in the player's own figures nor on his page.
  expect((await test.call(figures, {}, member)).data.lifetime.withdrawn).toBe('0.00')
  const { data: page } = await test.call(onePlayer, { user_id: member.id }, owner)
  expect(page.figures).toMatchObject({ cash: '300.00', withdrawn: '0.00' })
  const [moved] = await test.database.owner.query(
    'select sum(withdrawn)::bigint as withdrawn from console_start.money_moved where player_id = $1',
    [member.id],
  )
  expect(moved).toEqual({ withdrawn: 0n })
})

it('a proposal is withdrawn, and the withdrawal is paid as any other', async () => {
  const { test, ann, bob, id, shown } = await approved('unpaid_bob')
  await test.call(proposeReversal, { id, reason }, ann)
  expect(await test.call(refuseReversal, { id, reason: 'it works again' }, ann)).toMatchObject({
    code: 1,
  })
  expect(await shown()).toMatchObject({
    ...{ state: 'to_pay', reversal_proposed_by: null, reversal_reason: 'it works again' },
  })
  expect((await test.call(refuseReversal, { id, reason }, ann)).data as unknown).toMatchObject({
    reason: 'not_proposed',
  })
  expect(await test.call(recordPayout, { id, reference: newTransactionId() }, bob)).toMatchObject({
    code: 1,
  })
  const late = await test.call(proposeReversal, { id, reason }, ann)
  expect(late).toMatchObject({ data: { reason: 'already_decided' } })
  expect(late.msg).toContain(bob.login.name)
  await expectAlwaysTrue(test.database.owner)
})

it('no pending, rejected or missing withdrawal is reversed, and none without a reason, or by support', async () => {
  const { test, owner, ann, id } = await approved('unpaid_cat')
  const support = await addStaff(test, 'support')
  const member = await memberWithMoney(test, 'unpaid_dan', 300)
  const waiting = await withdraw(test, member, '120')
  const propose = (of: number, by: { token: string }, why = reason) =>
    test.call(proposeReversal, { id: of, reason: why }, by)
  expect(await propose(waiting, ann)).toMatchObject({ data: { reason: 'not_approved' } })
  await test.call(rejectWithdrawal, { id: waiting, reason: 'no' }, owner)
  expect(await propose(waiting, ann)).toMatchObject({ data: { reason: 'already_decided' } })
  expect(await propose(999_999, ann)).toMatchObject({ http: 404 })
  expect(await propose(id, ann, ' ')).toMatchObject({ code: 400 })
  expect(await propose(id, support)).toMatchObject({ code: 403 })
  expect(await test.call(confirmReversal, { id }, support)).toMatchObject({ code: 403 })
  const { data } = await test.call(listWithdrawals, { state: 'to_pay', user_id: member.id }, ann)
  expect(data.list).toEqual([])
  await expectAlwaysTrue(test.database.owner)
})

/** A database with a player of 100,000 u who has a card, and three people of the house. */
async function house() {
  const database = await createTestDatabase()
  const people = [
    await staffToken(database),
    await staffToken(database),
    await staffToken(database),
  ]
  const player = await addPlayer(database, { u: 100_000 })
  const { method } = only(
    await database.owner.query<{ method: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', 'sealed', '•••• 4242', 'test', 'Ann') returning id as method`,
      [player],
    ),
  )
  const [maker = '', payer = '', other = ''] = people
  return { database, player, method, maker, payer, other }
}

const say = async ({ db }: TestDatabase, call: string, values: unknown[]) =>
  only(await db.query<{ answer: string }>(`select ${call} as answer`, values)).answer

/** An approved withdrawal of 100 u. */
async function approvedOf({
  database,
  player,
  method,
  maker,
}: Pick<Awaited<ReturnType<typeof house>>, 'database' | 'player' | 'method' | 'maker'>) {
  const made = await database.db.transaction((tx) =>
    requestAmount(tx, {
      ...{ playerId: player, payMethodId: method, amount: 100_000_000n, onDay: '2026-11-20' },
      ...{ key: null, inputHash: '00' },
    }),
  )
  const id = Number(made.withdrawalId)
  expect(await say(database, 'withdrawals.approve($1, $2)', [id, maker])).toBe('approved')
  return id
}

describe('while the bank may pay it', () => {
  it('a withdrawal is not reversed, and after the bank has not paid it is', async () => {
    const at = await house()
    const { database, maker, payer, other } = at
    const id = await approvedOf(at)
    const propose = (by = maker) =>
      say(database, `withdrawals.propose_reversal($1, $2, 'x')`, [id, by])
    const batch = only(
      await database.db.query<{ id: number }>(
        'select batch_id as id from console_money.make_batch(10, $1)',
        [maker],
      ),
    ).id
    expect(await propose()).toBe('at_bank')
    const line = {
      position: 2,
      withdrawal: id,
      amount: 100_000_000,
      state: 'failed',
      reason: 'closed',
    }
    const answer = (given: object) =>
      database.db.query<{ outcome: string }>(
        'select outcome from console_money.answer_batch($1, $2, $3)',
        [batch, JSON.stringify([given]), payer],
      )
    expect(await answer(line)).toEqual([{ outcome: 'failed' }])
    expect(await propose()).toBe('proposed')
    const again = await database.db.query('select payments from console_money.make_batch(10, $1)', [
      maker,
    ])
    expect(again).toEqual([{ payments: 0 }])
    expect(await say(database, 'withdrawals.confirm_reversal($1, $2)', [id, other])).toBe(
      'reversed',
    )
    // The bank changes its mind: the line is wrong, and nothing is paid.
    const paid = { ...line, state: 'paid', reference: 'LATE', key: 'LATE', reason: null }
    expect(await answer(paid)).toEqual([{ outcome: 'answered_otherwise' }])
    expect(await say(database, 'console_money.release_payment($1, $2)', [id, other])).toBe(
      'decided',
    )
    expect(await cashOf(database, at.player)).toBe(100_000_000_000n)
    await expectAlwaysTrue(database.owner)
  })
})

describe('at once with others', () => {
  it('of a return, a payout by hand and a batch one succeeds', async () => {
    const at = await house()
    const { database, maker, payer, other } = at
    for (let turn = 0; turn < 8; turn += 1) {
      const id = await approvedOf(at)
      await Promise.all([
        say(database, `withdrawals.propose_reversal($1, $2, 'x')`, [id, maker]),
        say(database, 'withdrawals.record_payout($1, $2, $3, $3)', [id, payer, `PAID${id}`]),
        database.db.query('select from console_money.make_batch(10, $1)', [other]),
        say(database, 'withdrawals.confirm_reversal($1, $2)', [id, other]),
        say(database, 'withdrawals.confirm_reversal($1, $2)', [id, payer]),
      ])
      const row = only(
        await database.db.query<{ paid: number; bank: number; back: number }>(
          `select (paid_at is not null)::integer as paid, at_bank::integer as bank,
             (reversal_proposed_at is not null)::integer as back
           from withdrawals.withdrawal where id = $1`,
          [id],
        ),
      )
      expect(row.paid + row.bank + row.back).toBe(1)
    }
    await expectAlwaysTrue(database.owner)
  })

  it('of two who return it one succeeds, and the money comes back once', async () => {
    const at = await house()
    const { database, maker, payer, other } = at
    const id = await approvedOf(at)
    await say(database, `withdrawals.propose_reversal($1, $2, 'x')`, [id, maker])
    const words = await Promise.all(
      [payer, other, payer, other].map((by) =>
        say(database, 'withdrawals.confirm_reversal($1, $2)', [id, by]),
      ),
    )
    expect(words.toSorted()).toEqual(['decided', 'decided', 'decided', 'reversed'])
    expect(await cashOf(database, at.player)).toBe(100_000_000_000n)
    await expectAlwaysTrue(database.owner)
  })

  it('not even the owner of the database reverses what is paid, or pays what is reversed', async () => {
    const at = await house()
    const { database, maker, payer, other } = at
    const [paid, back] = [await approvedOf(at), await approvedOf(at)]
    await say(database, `withdrawals.record_payout($1, $2, 'ABCD', 'ABCD')`, [paid, payer])
    await say(database, `withdrawals.propose_reversal($1, $2, 'x')`, [back, maker])
    await say(database, 'withdrawals.confirm_reversal($1, $2)', [back, other])
    const change = (set: string, id: number) =>
      database.owner.query(`update withdrawals.withdrawal set ${set} where id = $1`, [id])
    await expect(
      change(
        `state = 'reversed', reversal_proposed_by = approved_by, reversal_proposed_at = app.now(), reversal_reason = 'x',
         reversed_by = payout_recorded_by, reversed_at = app.now()`,
        paid,
      ),
    ).rejects.toThrow('is decided')
    await expect(change(`state = 'approved'`, back)).rejects.toThrow('is decided')
    await expect(change('reversed_by = approved_by', back)).rejects.toThrow('is decided')
    await expect(
      change(
        `payout_reference = 'WXYZ', payout_key = 'WXYZ', payout_recorded_by = reversed_by, paid_at = app.now()`,
        back,
      ),
    ).rejects.toThrow(/check|reversal_or_payment/)
    await expectAlwaysTrue(database.owner)
  })
})
