/** Bonuses and corrections: by two people, within the limits of their roles, once, and never below zero. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { listHeldDeposits } from '@sum28/contract/staff-money-routes.ts'
import {
  listDeposits,
  playerActions,
  playerDeposits,
} from '@sum28/contract/staff-players-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
  proposeAdjustment,
} from '@sum28/contract/staff-proposal-routes.ts'
import { recordBankDeposit } from '@sum28/contract/staff-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { confirm, proposeAssignment } from '#testing/people/proposals.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { answerTo, expectSuccess, faultsOf, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

async function peopleAnd(name: string, u = 0) {
  const owner = await staffSession(test)
  const [finance, support] = [await addStaff(test, 'finance'), await addStaff(test, 'support')]
  const member = await addSeatedPlayer(test.database, { u, name })
  return {
    owner,
    finance,
    support,
    member,
    balance: async () => (await test.call(userInfo, {}, member)).data.money,
    latestNotice: async () => (await test.call(noticeList, {}, member)).data.zhannei[0],
    /** The number of a bank deposit that these persons record and confirm. */
    async deposited(money: string, ...confirming: { token: string }[]) {
      const deposit = { user_id: member.id, money, reference: `BANK ${name}` }
      const { data: recorded } = await test.call(recordBankDeposit, deposit, support)
      for (const by of confirming) expectSuccess(await test.call(confirmProposal, recorded, by))
      return recorded.id
    },
    /** What takes money of that deposit back. */
    debit: (money: string, deposit?: number) => ({
      user_id: member.id,
      kind: 'debit' as const,
      money,
      reason: 'Credited twice',
      ...(deposit !== undefined && { deposit }),
    }),
  }
}

it('a bonus is proposed by one person, confirmed by another, and reported to the player with its reason', async () => {
  const here = await peopleAnd('bonus_ann')
  const { owner, finance, support, member, balance } = here
  const reason = 'A gift for the new year'
  const proposal = { user_id: member.id, kind: 'bonus' as const, money: '12.50', reason }
  const { data: made } = await test.call(proposeAdjustment, proposal, finance)
  expect(await balance()).toBe('0.00')
  expect(await answerTo(test.call(confirmProposal, made, finance))).toBe('second_person_needed')
  expectSuccess(await test.call(confirmProposal, made, owner))
  expect(await balance()).toBe('12.50')
  const late = await test.call(endProposal, { ...made, reason: 'no' }, finance)
  expect(late.data).toMatchObject({ reason: 'already_decided', by: 'owner' })

  expect((await test.call(quantityLogList, { type: 4 }, member)).data).toMatchObject([
    { type: 4, mark: `Bonus: ${reason}`, status: 1, quantity: '12.50', over: '12.50' },
  ])
  const notice = await here.latestNotice()
  expect(notice).toMatchObject({ title: 'Bonus of 12.50 u' })
  expect(notice?.content).toContain(reason)
  const { data: found } = await test.call(listProposals, { q: String(made.id) }, support)
  expect(found.list).toMatchObject([
    {
      id: made.id,
      kind: 'bonus',
      name: 'bonus_ann',
      state: 'confirmed',
      reason,
      confirmed_by: 'owner',
      changes: [{ what: 'bonus', before: null, after: '12.50' }],
    },
  ])
  const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
  expect(log.list.map(({ action }) => action)).toEqual([
    'adjustment_confirmed',
    'adjustment_proposed',
  ])
  const { data: actions } = await test.call(playerActions, { user_id: member.id }, owner)
  expect(actions.list).toEqual(log.list.map((row) => expect.objectContaining({ id: row.id })))
  await expectAlwaysTrue(test.database.owner)
})

it('a correction is refused with what is free, and is in the statement with its reason', async () => {
  const { owner, finance, member, debit } = await peopleAnd('debit_bob', 30)
  expect((await test.call(proposeAdjustment, debit('30.01'), finance)).data).toMatchObject({
    reason: 'insufficient_balance',
    left: '30.00',
  })
  const { data: made } = await test.call(proposeAdjustment, debit('20'), finance)
  expectSuccess(await test.call(confirmProposal, made, owner))
  const about = { subject: `player:${member.id}` }
  expect((await test.call(listProposals, about, finance)).data.list).toMatchObject([
    { id: made.id, state: 'confirmed', kind: 'debit', changes: [{ after: '-20.00' }] },
  ])
  expect((await test.call(quantityLogList, { type: 4 }, member)).data).toMatchObject([
    { type: 4, mark: 'Correction: Credited twice', quantity: '-20.00', over: '10.00' },
  ])
})

it('above the limit of a role the refusal says what is left, without the proposal itself', async () => {
  const { owner, finance, support, member } = await peopleAnd('limit_cid')
  const credit = (money: string, by: { token: string }) => {
    const proposal = { user_id: member.id, kind: 'credit', money, reason: 'A lost bet' } as const
    return test.call(proposeAdjustment, proposal, by)
  }
  const reason = 'above_role_limit'
  const refused = async (call: ReturnType<typeof credit>) => (await call).data as object
  expect(await refused(credit('50.01', support))).toEqual({
    reason,
    maximum: '50.00',
    left: '50.00',
  })
  const { data: large } = await credit('2000', owner)
  const above = { reason, maximum: '1000.00', left: '1000.00' }
  expect((await test.call(confirmProposal, large, finance)).data).toEqual(above)
  expect(await refused(credit('1', finance))).toEqual({ ...above, left: '0.00' })
})

it('a wrong bank deposit is taken back by its number, above the limits of roles, and in parts', async () => {
  const here = await peopleAnd('wrong_dan', 10)
  const { owner, finance, support, member, balance } = here
  const deposit = await here.deposited('2000', finance, owner)
  expect(await balance()).toBe('2010.00')
  const debit = here.debit('2000', deposit)
  for (const [field, wrong] of [
    ['deposit', { kind: 'credit' }],
    ['deposit', { deposit: 999_999 }],
    ['money', { money: '2000.01' }],
  ] as const) {
    const refused = test.call(proposeAdjustment, { ...debit, ...wrong }, support)
    expect(await faultsOf(refused)).toEqual([field])
  }
  const takeBack = async (money: string) => {
    const { data: made } = await test.call(proposeAdjustment, { ...debit, money }, support)
    expectSuccess(await test.call(confirmProposal, made, finance))
    return made
  }
  await takeBack('4')
  const part = { quantity: '2000.00', taken_back: '4.00', state: 'confirmed' }
  const own = await test.call(playerDeposits, { user_id: member.id }, support)
  expect(own.data.list).toMatchObject([part])
  const { data: ofAll } = await test.call(listDeposits, {}, finance)
  expect(ofAll.list).toContainEqual(expect.objectContaining({ ...part, user_id: member.id }))
  const { id } = await takeBack('1996')
  expect(await balance()).toBe('10.00')
  const { list } = (await test.call(listProposals, { q: String(id) }, support)).data
  const change = { what: 'deposit', before: null, after: String(deposit) }
  expect(list[0]?.changes).toContainEqual(change)
  const { data: deposits } = await test.call(playerDeposits, { user_id: member.id }, support)
  expect(deposits.list).toMatchObject([{ quantity: '2000.00', state: 'taken_back' }])
  const mark = 'Deposit taken back: Credited twice'
  expect((await test.call(quantityLogList, { type: 0 }, member)).data).toContainEqual(
    expect.objectContaining({ mark, quantity: '-1996.00', over: '10.00' }),
  )
  expect(await here.latestNotice()).toMatchObject({ title: 'Deposit of 1,996.00 u taken back' })
})

it('an assigned transfer below 0.01 u is taken back whole, and proposed once', async () => {
  const here = await peopleAnd('dust_guy', 5)
  const { owner, finance, support, member, balance } = here
  const [db, txId] = [test.database.owner, 'dd'.repeat(32)]
  await db.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
     values ($1, 0, 1, app.now(), 'T0', 'T1', 5000)`,
    [txId],
  )
  const key = { txId, logIndex: 0, playerId: member.id, session: finance.token }
  const deposit = Number(await proposeAssignment(db, key))
  expect(await confirm(db, deposit, owner.token)).toBe('confirmed')
  expect(await balance()).toBe('5.005')
  const debit = here.debit('0.00', deposit)
  const { data: made } = await test.call(proposeAdjustment, debit, finance)
  const { data: other } = await test.call(proposeAdjustment, here.debit('5'), support)
  // His, which stands in the way, and not the later one of another person.
  const again = await test.call(proposeAdjustment, debit, owner)
  expect(again.data).toMatchObject({ reason: 'already_proposed', by: finance.login.name })
  expectSuccess(await test.call(confirmProposal, other, owner))
  expect(await balance()).toBe('0.005')
  expectSuccess(await test.call(confirmProposal, made, owner))
  expect(await balance()).toBe('0.00')
  const none = test.call(proposeAdjustment, here.debit('0.00'), owner)
  expect(await answerTo(none)).toBe('below_minimum')
  await expectAlwaysTrue(db)
})

it('a wrong bank deposit that is held is taken back from there, and waits for nothing else', async () => {
  const here = await peopleAnd('held_eve', 10)
  const { owner, finance, support, member } = here
  await exclude(test.database.db, { playerId: member.id, kind: 'time_out', lasting: '24 hours' })
  const deposit = await here.deposited('20', finance)
  const held = async () =>
    (await test.call(listHeldDeposits, { user_id: member.id }, finance)).data.list
  expect(await held()).toMatchObject([{ state: 'held', reference: `bank:${deposit}` }])
  const { data: made } = await test.call(proposeAdjustment, here.debit('20', deposit), support)
  expect(await held()).toMatchObject([{ state: 'taking_back' }])
  const { list } = (await test.call(listProposals, { q: String(made.id) }, owner)).data
  expect(list[0]?.changes).toEqual([
    { what: 'debit', before: null, after: '-20.00' },
    { what: 'deposit', before: null, after: String(deposit) },
  ])
  expectSuccess(await test.call(confirmProposal, made, owner))
  expect(await held()).toMatchObject([{ state: 'taken_back', decided_by: 'owner' }])
  expect(await here.balance()).toBe('10.00')
  expect(await here.latestNotice()).toMatchObject({ title: 'Deposit of 20.00 u taken back' })
  await expectAlwaysTrue(test.database.owner)
})
