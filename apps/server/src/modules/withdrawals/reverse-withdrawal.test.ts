/** Approved withdrawals that cannot be paid: reversed by two people, once, and with the books right at each step. */

import { noticeList } from '@sum28/contract/index-routes.ts'
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { figures } from '@sum28/contract/own-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { onePlayer, playerWithdrawals } from '@sum28/contract/staff-players-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
} from '@sum28/contract/staff-proposal-routes.ts'
import {
  approveWithdrawal,
  oneWithdrawal,
  proposeReversal,
  recordPayout,
} from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { memberWithMoney, withdraw } from '#testing/people/cashier.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()
const reason = 'the bank has closed this account'

/** A member of 300 u with an approved withdrawal of 120 u to a wallet, and the people of the house. */
async function approvedBy(name: string) {
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
  const proposals = async () =>
    (await test.call(listProposals, { subject: `withdrawal:${id}` }, bob)).data.list
  return { owner, ann, bob, member, id, shown, cash, proposals }
}

it('an approved withdrawal that cannot be paid is reversed by one person and another, and the player is notified', async () => {
  const { owner, ann, bob, member, id, shown, cash, proposals } = await approvedBy('unpaid_ann')
  const counts = async () => {
    const { needs } = (await test.call(startNeeds, {}, bob)).data
    const sum = (wanted: string) =>
      needs.reduce((count, each) => count + (each.need === wanted ? each.count : 0), 0)
    return [sum('proposals_waiting'), sum('payouts_due')] as const
  }
  const before = await counts()
  expect(await test.call(proposeReversal, { id, reason: ' ' }, ann)).toMatchObject({ code: 400 })
  const missing = await test.call(proposeReversal, { id: 999_999, reason }, ann)
  expect(missing).toMatchObject({ http: 404 })
  await test.call(proposeReversal, { id, reason }, ann)
  const ended = { id: (await proposals())[0]?.id ?? 0, reason: 'it works again' }
  expect((await test.call(endProposal, ended, ann)).data).toEqual({ state: 'withdrawn' })
  expect(await shown()).toMatchObject({ state: 'to_pay' })
  expect(await test.call(proposeReversal, { id, reason }, ann)).toMatchObject({ code: 1 })
  expect(await shown()).toMatchObject({ state: 'reversing', yours: null, reversed_by: null })
  const [proposal] = await proposals()
  expect(proposal).toMatchObject({
    kind: 'reversal',
    state: 'proposed',
    yours: true,
    name: 'unpaid_ann',
    reason,
    proposed_by: ann.login.name,
    changes: [
      { what: 'reversal', before: null, after: '120.00' },
      { what: 'balance', before: '180.00', after: '300.00' },
    ],
  })
  const decided = { id: proposal?.id ?? 0 }
  expect((await test.call(playerWithdrawals, { user_id: member.id }, ann)).data.list).toMatchObject(
    [{ state: 'reversing' }],
  )
  expect(await cash()).toBe('180.00')
  await expectAlwaysTrue(test.database.owner)
  // Other tests leave proposals and payouts of their own.
  expect(await counts()).toEqual([before[0] + 1, before[1] - 1])
  // Meanwhile it cannot be paid, and the refusal names the person who proposed.
  const paying = await test.call(recordPayout, { id, reference: 'PAID 1' }, bob)
  expect(paying).toMatchObject({ data: { reason: 'reversal_proposed' } })
  expect(paying.msg).toContain(ann.login.name)

  expect(await test.call(confirmProposal, decided, bob)).toMatchObject({ code: 1 })
  expect(await shown()).toMatchObject({ state: 'reversed', reversed_by: bob.login.name })
  expect(await cash()).toBe('300.00')
  await expectAlwaysTrue(test.database.owner)
  const again = await test.call(proposeReversal, { id, reason }, ann)
  expect(again).toMatchObject({ data: { reason: 'already_decided' } })
  expect(again.msg).toContain(bob.login.name)

  const { zhannei: notices } = (await test.call(noticeList, {}, member)).data
  expect(notices[0]).toMatchObject({ title: 'Withdrawal of 120.00 u could not be paid' })
  expect(notices[0]?.content).toContain(reason)
  const { data: moves } = await test.call(quantityLogList, { type: 1 }, member)
  expect(Array.isArray(moves) ? moves : moves.list).toMatchObject([
    { quantity: '120.00', over: '300.00', status: 1, mark: 'Withdrawal not paid, returned' },
    { quantity: '-120.00', over: '180.00', status: 2 },
  ])
  const { data: log } = await test.call(listAuditRows, { subject: `withdrawal:${id}` }, owner)
  expect(log.list).toMatchObject([
    { action: 'withdrawal_released', staff: bob.login.name, details: { amount: '120.00', reason } },
    { action: 'withdrawal_reversal_proposed', staff: ann.login.name },
    { action: 'withdrawal_reversal_withdrawn', details: { reason: 'it works again' } },
    { action: 'withdrawal_reversal_proposed', details: { reason } },
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
