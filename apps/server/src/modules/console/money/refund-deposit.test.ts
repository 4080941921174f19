/** Held deposits that are paid back: by two people, once, and with the books right at each step. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { protectionState, takeBreak } from '@sum28/contract/protection-routes.ts'
import {
  listHeldDeposits,
  oneHeldDeposit,
  proposeRefund,
} from '@sum28/contract/staff-money-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
} from '@sum28/contract/staff-proposal-routes.ts'
import { recordBankDeposit } from '@sum28/contract/staff-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { transfersOf } from '#src/modules/deposits/deposit-store.ts'
import {
  exclude,
  releaseDeposits,
  setLimit as setLimitOf,
} from '#src/modules/protection/protection-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import * as refund from '#testing/people/proposals.ts'
import { addStaff, proposalsWaiting, staffSession, staffToken } from '#testing/people/staff.ts'
import { registerMember, useWorkersApp } from '#testing/product/test-app.ts'
import { heldDepositById } from './refund-deposit.ts'

const app = useWorkersApp()

/** A member with a bank deposit of 50 u that is held because he is on a break. */
async function heldOf(name: string) {
  const test = app()
  const [owner, finance] = [await staffSession(test), await addStaff(test, 'finance')]
  const member = await registerMember(test, name)
  await test.call(takeBreak, { hours: 24 }, member)
  const deposit = { user_id: member.id, money: '50', reference: `BANK ${name}` }
  const { data: recorded } = await test.call(recordBankDeposit, deposit, finance)
  expect(await test.call(confirmProposal, { id: recorded.id }, owner)).toMatchObject({ code: 1 })
  const list = async (state?: 'held' | 'refunding' | 'refunded') =>
    (await test.call(listHeldDeposits, { user_id: member.id, state }, finance)).data.list
  const [held] = await list()
  if (!held) throw new Error('nothing is held')
  /** The number of the latest proposal about it. */
  const proposal = async () => {
    const about = { subject: `held_deposit:${held.id}`, limit: 1 }
    return (await test.call(listProposals, about, finance)).data.list[0]?.id ?? 0
  }
  return { test, owner, finance, member, list, proposal, id: held.id, held }
}

it('a held deposit is paid back by one person and another, and the player is notified', async () => {
  const { test, owner, finance, member, list, proposal, id, held } = await heldOf('back_ann')
  const support = await addStaff(test, 'support')
  expect(held).toMatchObject({
    ...{ quantity: '50.00', because: 'excluded', by: 'bank', origin: 'BANK back_ann' },
    state: 'held',
  })
  const reason = 'asked for by the player'
  const before = await proposalsWaiting(test, finance)
  expect(await test.call(proposeRefund, { id, reason }, support)).toMatchObject({ code: 1 })
  const second = await test.call(proposeRefund, { id, reason }, owner)
  expect(second.data).toMatchObject({ reason: 'already_proposed' })
  expect(second.msg).toContain(`${support.login.name} was first`)
  expect(await list('held')).toEqual([])
  expect(await list('refunding')).toMatchObject([{ id }])
  const first = { id: await proposal(), reference: 'OUT back_ann' }
  const about = { subject: `held_deposit:${id}` }
  expect((await test.call(listProposals, about, finance)).data.list).toMatchObject([
    {
      ...{ name: 'back_ann', reason, proposed_by: support.login.name },
      changes: [
        { what: 'refund', before: null, after: '50.00' },
        { what: 'origin', before: null, after: 'BANK back_ann' },
      ],
    },
  ])
  expect(await proposalsWaiting(test, finance)).toBe(before + 1)
  expect(await test.call(confirmProposal, first, support)).toMatchObject({ code: 403 })

  // The proposal is withdrawn, and made again by another person, who may not confirm it.
  const end = { id: first.id, reason: 'he waits' }
  expect(await test.call(endProposal, end, owner)).toMatchObject({ code: 1 })
  for (const late of [
    await test.call(endProposal, end, owner),
    await test.call(confirmProposal, first, owner),
  ]) {
    expect(late.data).toMatchObject({ reason: 'already_decided' })
  }
  await test.call(proposeRefund, { id, reason }, finance)
  const payment = { ...first, id: await proposal() }
  expect((await test.call(confirmProposal, payment, finance)).data).toMatchObject({
    reason: 'second_person_needed',
  })
  for (const added of [{ reference: ' ' }, {}, { other_than: 12345 }]) {
    expect(await test.call(confirmProposal, { id: payment.id, ...added }, owner)).toMatchObject({
      data: { reason: 'invalid_input', fields: { reference: expect.any(String) } },
    })
  }
  expect(await test.call(confirmProposal, payment, owner)).toMatchObject({ code: 1 })
  const late = await test.call(confirmProposal, payment, owner)
  expect(late.data).toMatchObject({ reason: 'already_decided' })
  expect(late.msg).toContain('owner was first')
  const one = await test.call(oneHeldDeposit, { id }, finance)
  expect(one.data).toMatchObject({ state: 'refunded', refund_reference: 'OUT back_ann' })
  expect((await test.call(protectionState, {}, member)).data.held).toEqual([])
  expect((await test.call(userInfo, {}, member)).data.money).toBe('0.00')
  const { zhannei: notices } = (await test.call(noticeList, {}, member)).data
  expect(notices[0]).toMatchObject({ title: 'Deposit of 50.00 u paid back' })
  expect(notices[0]?.content).toContain('OUT back_ann')
  await expectAlwaysTrue(test.database.owner)
})

it('the reference of a payment is valid for one', async () => {
  const [one, two] = [await heldOf('ref_ann'), await heldOf('ref_bob')]
  const { test, owner, finance } = one
  for (const { id } of [one, two]) await test.call(proposeRefund, { id, reason: 'x' }, finance)
  const reference = 'PAY 1'
  const pays = async (of: typeof one, words: string) =>
    test.call(confirmProposal, { id: await of.proposal(), reference: words }, owner)
  expect(await pays(one, reference)).toMatchObject({ code: 1 })
  const again = await pays(two, 'pay1')
  expect(again.data).toMatchObject({ reason: 'reference_used' })

  // Nor may it be that of a withdrawal's payout.
  const { db } = test.database
  const player = await addPlayer(test.database, { u: 300 })
  const method = only(
    await db.query<{ id: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', 'sealed', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'test', 'TRC20') returning id`,
      [player],
    ),
  )
  const made = only(
    await db.query<{ id: bigint }>(
      `select withdrawal_id as id from withdrawals.request($1, $2, 120000000, current_date, null, null)`,
      [player, method.id],
    ),
  )
  const [first, second] = [
    await staffToken(test.database, { role: 'owner' }),
    await staffToken(test.database, { role: 'finance' }),
  ]
  await db.query('select withdrawals.approve($1, $2)', [made.id, first])
  const pay = async (key: string) =>
    only(
      await db.query<{ answer: string }>(
        `select withdrawals.record_payout($1, $2, $3, $3) as answer`,
        [...[made.id, second, key]],
      ),
    ).answer
  expect(await pay('PAY1')).toBe('reference_used')
  expect(await pay('PAY2')).toBe('paid')
  await expectAlwaysTrue(test.database.owner)
})

it('no missing deposit is paid back, and none without a reason, or by an auditor', async () => {
  const { test, owner, id } = await heldOf('quiet_ann')
  const auditor = await addStaff(test, 'auditor')
  const reason = 'x'
  const propose = (of: object, by = owner) =>
    test.call(proposeRefund, { id, reason, ...of } as never, by)
  expect(await propose({ id: 999_999 })).toMatchObject({ http: 404 })
  expect(await propose({ reason: ' ' })).toMatchObject({ code: 400 })
  expect(await propose({}, auditor)).toMatchObject({ code: 403 })
  expect(await test.call(oneHeldDeposit, { id: 999_999 }, auditor)).toMatchObject({ http: 404 })
})

const HOUR = 3_600_000
const U = MICRO

async function hold(
  database: TestDatabase,
  playerId: number,
  reference: string,
  from: string | null = null,
) {
  await database.owner.query(
    `select from protection.credit_deposits(
       array[row($1, '2026-11-20', $2, $3)::wallet.movement], array[$4])`,
    [playerId, 7n * U, reference, from],
  )
}

it('of a simultaneous release, proposal, payment and withdrawal of the proposal, one wins each deposit', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const playerId = await addPlayer(database, { u: 0 })
  await setLimitOf(db, { playerId, kind: 'deposit', period: 'month', amount: 1n })
  const [one, two] = [await staffToken(database), await staffToken(database)]
  for (let at = 0; at < 12; at += 1) await hold(database, playerId, `test:${at}`)
  const ids = (await db.query<{ id: bigint }>('select id from protection.held_deposit')).map(
    ({ id }) => Number(id),
  )
  for (const id of ids.slice(0, 6)) await refund.proposeRefund(db, { id, session: one })
  // Nothing blocks them any more.
  await owner.query('delete from protection.player_limit')
  await Promise.all(
    ids.flatMap((id) => [
      refund.proposeRefund(db, { id, session: one }),
      refund.confirmRefund(db, { id, session: two, payment: `PAID${id}` }),
      releaseDeposits(db, { onDay: '2026-11-20', max: 3 }),
    ]),
  )
  await releaseDeposits(db, { onDay: '2026-11-20' })
  const states = await db.query<{ state: string; proposed: boolean }>(
    `select state, staff.is_proposed('held_deposit:' || id) as proposed from protection.held_deposit`,
  )
  // Those still held were proposed after the payment was tried.
  expect(states.filter(({ state, proposed }) => state === 'held' && !proposed)).toEqual([])
  expect(states.filter(({ state, proposed }) => state === 'released' && proposed)).toEqual([])
  await expectAlwaysTrue(owner)
})

it('a transfer that was paid back is shown to the player as such', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const playerId = await addPlayer(database, { u: 0 })
  await exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
  const txId = 'ab'.repeat(32)
  await owner.query(`insert into deposits.address (player_id, address) values ($1, 'to')`, [
    playerId,
  ])
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
       player_id, credited_at) values ($1, 0, 1, app.now(), 'TFrom', 'to', $2, $3, app.now())`,
    [txId, 7n * U, playerId],
  )
  await hold(database, playerId, `usdt:${txId}:0`, 'TFrom')
  const shown = () => transfersOf(db, playerId, 10)
  expect(await shown()).toMatchObject([{ txId, held: true, refunded: false }])
  const [held] = await db.query<{ id: bigint }>('select id from protection.held_deposit')
  const id = Number(held?.id)
  await refund.proposeRefund(db, { id, session: await staffToken(database) })
  const paid = { id, session: await staffToken(database), payment: 'cd'.repeat(32) }
  expect(await refund.confirmRefund(db, paid)).toBe('confirmed')
  expect(await shown()).toMatchObject([{ txId, held: false, refunded: true }])
  expect(await heldDepositById(db, id)).toMatchObject({ by: 'chain', origin: 'TFrom' })
  await expectAlwaysTrue(owner)
})

const op = fc.record({
  act: fc.constantFrom(
    ...(['deposit', 'deposit', 'exclude', 'clock', 'release', 'propose', 'propose'] as const),
    ...(['refuse', 'confirm', 'confirm'] as const),
  ),
  at: fc.nat(50),
  by: fc.nat(1),
})

it('no sequence loses a deposit, pays it twice, or lets one person pay it back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 20, maxLength: 40 }), async (ops) => {
      const database = await createTestDatabase()
      const { db, owner } = database
      let now = Date.UTC(2026, 10, 20, 4)
      let until = 0
      await database.freezeClock(now)
      const playerId = await addPlayer(database, { u: 0 })
      const names = [0, 1].map((each) => `m${each}`)
      for (const name of names) {
        await owner.query(
          `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
           values ($1, 'finance', '', '', '')`,
          [name],
        )
      }
      /** By the deposit's number: null if it was credited at once. */
      const model: { id: number; state: string; proposer: number | null; ended: boolean }[] = []
      /** What is said of one that nobody proposes now: an earlier proposal is decided. */
      const unproposed = ({ state, ended }: { state: string; ended: boolean }) =>
        ended || state === 'refunded' ? 'decided' : 'not_found'
      for (const [step, { act, at, by }] of ops.entries()) {
        const one = model[at % Math.max(1, model.length)]
        const session = await staffToken(database, { name: names[by] ?? '' })
        const open = one?.state === 'held'
        if (act === 'clock') {
          now += (at % 30) * HOUR
          await database.freezeClock(now)
        } else if (act === 'exclude') {
          await exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
          until = Math.max(until, now + 24 * HOUR)
        } else if (act === 'deposit') {
          await hold(database, playerId, `test:${step}`)
          const [made] = await db.query<{ id: bigint }>(
            'select id from protection.held_deposit where reference = $1',
            [`test:${step}`],
          )
          expect(made !== undefined).toBe(now < until)
          if (made) model.push({ id: Number(made.id), state: 'held', proposer: null, ended: false })
        } else if (act === 'release') {
          const due = model.filter(({ state, proposer }) => state === 'held' && proposer === null)
          const released = await releaseDeposits(db, { onDay: '2026-11-20' })
          expect(released).toHaveLength(now < until ? 0 : due.length)
          if (now >= until) for (const each of due) each.state = 'released'
        } else if (one && act === 'propose') {
          const word = await refund.proposeRefund(db, { id: one.id, session })
          const free = one.proposer === null
          expect(word).toBe(!open ? 'decided' : free ? 'proposed' : 'already_proposed')
          if (word === 'proposed') one.proposer = by
        } else if (one && act === 'refuse') {
          const word = await refund.endRefund(db, { id: one.id, session })
          const ends = one.proposer === by ? 'withdrawn' : 'refused'
          expect(word).toBe(one.proposer !== null && open ? ends : unproposed(one))
          if (word === ends) Object.assign(one, { proposer: null, ended: true })
        } else if (one) {
          const word = await refund.confirmRefund(db, {
            id: one.id,
            session,
            payment: `PAID${step}`,
          })
          const fit = one.proposer === by ? 'same_person' : 'confirmed'
          expect(word).toBe(one.proposer !== null && open ? fit : unproposed(one))
          if (word === 'confirmed') one.state = 'refunded'
        }
        const held = model.filter(({ state }) => state === 'held').length
        const rows = await db.query<{ held: bigint }>(
          'select held from ledger.balance where holder_id = $1',
          [playerId],
        )
        expect(only(rows).held).toBe(BigInt(held) * 7n * U)
      }
      await expectAlwaysTrue(owner)
      for (const { id, state } of model) {
        const shown = await heldDepositById(db, id)
        expect(shown?.state === 'refunding' ? 'held' : shown?.state).toBe(state)
      }
    }),
    { numRuns: 4 },
  )
})

it('a held deposit is changed by nobody, not even by the owner of the database, and is decided once', async () => {
  const { test, owner, finance, proposal, id } = await heldOf('guarded_gil')
  const change = (what: string) =>
    test.database.owner.query(`update protection.held_deposit set ${what} where id = $1`, [id])
  for (const what of ['amount = amount * 100', `reference = 'x'`, `because = 'limit'`]) {
    await expect(change(what), what).rejects.toThrow('what came never changes')
  }
  for (const what of [
    `refund_reference = 'OUT 1', refund_key = 'another'`,
    `refund_reference = 'ÖUT 1', refund_key = app.reference_key('ÖUT 1')`,
  ]) {
    await expect(change(what), what).rejects.toThrow('its key follows from it')
  }
  expect(
    await test.call(proposeRefund, { id, reason: 'asked for' } as never, finance),
  ).toMatchObject({
    code: 1,
  })
  const payment = { id: await proposal(), reference: 'OUT guarded_gil' }
  expect(await test.call(confirmProposal, payment, owner)).toMatchObject({ code: 1 })
  for (const what of [`state = 'held'`, 'player_id = player_id']) {
    await expect(change(what), what).rejects.toThrow('is decided')
  }
})
