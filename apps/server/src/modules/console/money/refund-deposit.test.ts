/** Held deposits that are paid back: by two people, once, and with the books right at each step. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { protectionState, takeBreak } from '@sum28/contract/protection-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  giveRefundBack,
  listHeldDeposits,
  oneHeldDeposit,
  proposeRefund,
  returnRefund,
  takeRefund,
} from '@sum28/contract/staff-money-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
} from '@sum28/contract/staff-proposal-routes.ts'
import { recordBankDeposit } from '@sum28/contract/staff-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { answerTo, expectSuccess, faultsOf, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

it('a held deposit is paid back by one person and another, and the player is notified', async () => {
  const owner = await staffSession(test)
  const [finance, cashier] = [await addStaff(test, 'finance'), await addStaff(test, 'finance')]
  const support = await addStaff(test, 'support')
  const member = await addSeatedPlayer(test.database, { u: 0, name: 'back_ann' })
  // A deposit during his break is held.
  await test.call(takeBreak, { hours: 24 }, member)
  const deposit = { user_id: member.id, money: '50', reference: 'BANK back_ann' }
  const { data: recorded } = await test.call(recordBankDeposit, deposit, finance)
  expectSuccess(await test.call(confirmProposal, recorded, owner))
  const list = async (state?: 'held' | 'refunding' | 'refund_returned') =>
    (await test.call(listHeldDeposits, { user_id: member.id, state }, finance)).data.list
  const [held] = await list()
  expect(held).toMatchObject({
    quantity: '50.00',
    because: 'excluded',
    by: 'bank',
    origin: 'BANK back_ann',
    state: 'held',
  })
  const id = held?.id ?? 0
  const reason = 'asked for by the player'
  const named = { id, reason, payee: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' }
  expect(await test.call(proposeRefund, named, support)).toMatchObject({ code: 400 })
  expectSuccess(await test.call(proposeRefund, { id, reason }, support))
  const second = await test.call(proposeRefund, { id, reason }, owner)
  expect(second.data).toMatchObject({ reason: 'already_proposed' })
  expect(second.msg).toContain(`${support.login.name} was first`)
  expect(await list('held')).toEqual([])
  expect(await list('refunding')).toMatchObject([{ id }])
  const about = { subject: `held_deposit:${id}` }
  const { list: proposals } = (await test.call(listProposals, about, finance)).data
  expect(proposals).toMatchObject([
    {
      name: 'back_ann',
      reason,
      proposed_by: support.login.name,
      changes: [
        { what: 'refund', before: null, after: '50.00' },
        { what: 'origin', before: null, after: 'BANK back_ann' },
      ],
    },
  ])

  const proposal = { id: proposals[0]?.id ?? 0 }
  const pay = (reference?: string) => test.call(confirmProposal, { ...proposal, reference }, owner)
  // It is recorded by the person alone who has taken it, and nobody ends the proposal meanwhile.
  expect(await answerTo(pay('OUT back_ann'))).toBe('payment_not_taken')
  expectSuccess(await test.call(takeRefund, { id }, finance))
  for (const refused of [
    await pay('OUT back_ann'),
    await test.call(takeRefund, { id }, owner),
    await test.call(giveRefundBack, { id }, owner),
    await test.call(endProposal, { ...proposal, reason: 'he waits' }, support),
  ]) {
    expect(refused.data).toMatchObject({ reason: 'payment_taken', by: finance.login.name })
  }
  expectSuccess(await test.call(giveRefundBack, { id }, finance))
  // He may have paid it: another pays it.
  expect((await list('refunding'))[0]).toMatchObject({ kept_from_paying: [finance.login.name] })
  const again = await test.call(takeRefund, { id }, finance)
  expect(again.data).toMatchObject({ reason: 'second_person_needed' })
  const { data: waiting } = await test.call(listProposals, about, finance)
  expect(waiting.list).toMatchObject([{ yours: false }])
  expectSuccess(await test.call(takeRefund, { id }, cashier))
  const over = { id, taken_from: cashier.login.name }
  expectSuccess(await test.call(takeRefund, over, owner))
  expect((await list('refunding'))[0]).toMatchObject({ taken_by: 'owner' })
  expect(await faultsOf(pay())).toEqual(['reference'])
  expectSuccess(await pay('OUT back_ann'))
  const one = await test.call(oneHeldDeposit, { id }, finance)
  expect(one.data).toMatchObject({ state: 'refunded', refund_reference: 'OUT back_ann' })
  expect((await test.call(protectionState, {}, member)).data.held).toEqual([])
  expect((await test.call(userInfo, {}, member)).data.money).toBe('0.00')
  const { zhannei: notices } = (await test.call(noticeList, {}, member)).data
  expect(notices[0]).toMatchObject({ title: 'Deposit of 50.00 u paid back' })
  expect(notices[0]?.content).toContain('where it came from. Reference: OUT back_ann')
  // The bank sends it back, as the person says who did not record it.
  const what = { id, seen_reference: 'OUT back_ann', reason: 'No account' }
  const sentBack = (by: typeof owner) => test.call(returnRefund, what, by)
  expect(await answerTo(sentBack(owner))).toBe('second_person_needed')
  expectSuccess(await sentBack(finance))
  expect(await answerTo(sentBack(finance))).toBe('already_decided')
  expect(await list('refund_returned')).toMatchObject([{ id }])
  expect((await test.call(protectionState, {}, member)).data.held).toMatchObject([
    { id, asked_back: true },
  ])
  const told = (await test.call(noticeList, {}, member)).data.zhannei
  expect(told).toHaveLength(notices.length + 1)
  expect(told[0]?.title).toBe('Deposit of 50.00 u: the bank sent the refund back')
  const { data: log } = await test.call(listAuditRows, { limit: 1 }, owner)
  expect(log.list).toMatchObject([{ action: 'refund_returned', subject: `held_deposit:${id}` }])
  await expectAlwaysTrue(test.database.owner)
})
