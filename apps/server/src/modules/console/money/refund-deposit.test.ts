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
import { expect, it } from 'vitest'
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

  // The proposal is refused, and made again by another person, who may not confirm it.
  const end = { id: first.id, reason: 'he waits' }
  expect(await test.call(endProposal, end, owner)).toMatchObject({ code: 1 })
  await test.call(proposeRefund, { id, reason }, finance)
  const payment = { ...first, id: await proposal() }
  const pay = (added: object, by = owner) =>
    test.call(confirmProposal, { ...payment, ...added }, by)
  expect((await pay({}, finance)).data).toMatchObject({ reason: 'second_person_needed' })
  for (const added of [{ reference: ' ' }, { reference: undefined }]) {
    expect(await pay(added)).toMatchObject({
      data: { reason: 'invalid_input', fields: { reference: expect.any(String) } },
    })
  }
  expect(await pay({})).toMatchObject({ code: 1 })
  const late = await pay({})
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

it('no missing deposit is shown, or paid back', async () => {
  const owner = await staffSession(app())
  const missing = { id: 999_999, reason: 'x' }
  expect(await app().call(proposeRefund, missing, owner)).toMatchObject({ http: 404 })
  expect(await app().call(oneHeldDeposit, missing, owner)).toMatchObject({ http: 404 })
})

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
