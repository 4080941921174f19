/** Approved withdrawals that cannot be paid: reversed by two people, once; and why none is proposed. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { onePlayer } from '@sum28/contract/staff-players-routes.ts'
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
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import { memberWithMoney, statementOf, withdraw } from '#testing/people/cashier.ts'
import * as proposals from '#testing/people/proposals.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

it('an approved withdrawal that cannot be paid is reversed by one person and another, and the player is notified', async () => {
  const [owner, ann, bob] = [
    await staffSession(test),
    await addStaff(test, 'finance'),
    await addStaff(test, 'finance'),
  ]
  const member = await memberWithMoney(test, 'unpaid_ann', 300)
  const id = await withdraw(test, member, '120')
  expectSuccess(await test.call(approveWithdrawal, { id }, owner))
  const reason = 'the bank has closed this account'
  const propose = () => test.call(proposeReversal, { id, reason }, ann)
  const shown = async () => (await test.call(oneWithdrawal, { id }, ann)).data
  const proposal = async () => {
    const about = { subject: `withdrawal:${id}` }
    return (await test.call(listProposals, about, bob)).data.list[0]
  }
  /** How many proposals and payouts wait; other tests leave some of their own. */
  const counts = async () => {
    const { needs } = (await test.call(startNeeds, {}, bob)).data
    return ['proposals_waiting', 'payouts_due'].map((wanted) =>
      needs.reduce((sum, { need, count }) => sum + (need === wanted ? count : 0), 0),
    )
  }
  const [waiting = 0, due = 0] = await counts()
  const missing = await test.call(proposeReversal, { id: 999_999, reason }, ann)
  expect(missing).toMatchObject({ http: 404, data: { field: 'id' } })
  const titles = async () =>
    (await test.call(noticeList, {}, member)).data.zhannei.map(({ title }) => title)
  const before = await titles()
  expectSuccess(await propose())
  const ended = { id: (await proposal())?.id ?? 0, reason: 'it works again' }
  expectSuccess(await test.call(endProposal, ended, ann))
  expect(await shown()).toMatchObject({ state: 'to_pay' })
  expectSuccess(await propose())
  expect(await shown()).toMatchObject({ state: 'reversing', yours: null, reversed_by: null })
  const proposed = await proposal()
  expect(proposed).toMatchObject({
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
  expect(await counts()).toEqual([waiting + 1, due - 1])
  // Meanwhile it cannot be paid, and the refusal names the person who proposed.
  const paying = await test.call(recordPayout, { id, reference: 'PAID 1' }, bob)
  expect(paying).toMatchObject({ data: { reason: 'reversal_proposed' } })
  expect(paying.msg).toContain(ann.login.name)
  expect(await titles()).toEqual(before)

  expectSuccess(await test.call(confirmProposal, { id: proposed?.id ?? 0 }, bob))
  expect(await shown()).toMatchObject({ state: 'reversed', reversed_by: bob.login.name })
  await expectAlwaysTrue(test.database.owner)
  const again = await propose()
  expect(again).toMatchObject({ data: { reason: 'already_decided' } })
  expect(again.msg).toContain(bob.login.name)

  const [notice] = (await test.call(noticeList, {}, member)).data.zhannei
  expect(notice).toMatchObject({
    title: 'Withdrawal of 120.00 u could not be paid',
    content: expect.stringContaining(reason),
  })
  expect(await statementOf(test, member)).toEqual([
    { quantity: '120.00', over: '300.00', status: 1, mark: 'Withdrawal not paid, returned' },
    { quantity: '-120.00', over: '180.00', status: 2, mark: 'Withdrawal' },
  ])
  const { data: log } = await test.call(listAuditRows, { subject: `withdrawal:${id}` }, owner)
  expect(log.list).toMatchObject([
    { action: 'withdrawal_released', staff: bob.login.name, details: { amount: '120.00', reason } },
    { action: 'withdrawal_reversal_proposed', staff: ann.login.name },
    { action: 'withdrawal_reversal_withdrawn', details: { reason: 'it works again' } },
    { action: 'withdrawal_reversal_proposed', details: { reason } },
    { action: 'withdrawal_approved' },
  ])
  const { data: page } = await test.call(onePlayer, { user_id: member.id }, owner)
  expect(page.figures).toMatchObject({ cash: '300.00', withdrawn: '0.00' })
})

it('none is proposed if it does not exist, is not approved, is paid, reversed, or at the bank', async () => {
  const { approved, request, say, ann, bob, db, owner } = await openCashDesk()
  const propose = (id: number) => proposals.proposeReversal(db, { id, session: ann })
  const pay = (id: number) => payByHand(db, { id, by: bob, reference: `PAID ${id}` })
  expect(await propose(999)).toBe('not_found')
  const rejected = await request()
  expect(await propose(rejected)).toBe('not_approved')
  await say(`reject($1, $2, 'no')`, [rejected, ann])
  expect(await propose(rejected)).toBe('decided')
  const paid = await approved()
  expect(await pay(paid)).toBe('paid')
  expect(await propose(paid)).toBe('paid_already')
  const reversed = await approved()
  await propose(reversed)
  await proposals.confirmReversal(db, { id: reversed, session: bob })
  expect([await propose(reversed), await pay(reversed)]).toEqual(['decided', 'decided'])
  const sent = await approved()
  await db.query('select from console_money.make_batch(10, $1)', [ann])
  expect(await propose(sent)).toBe('at_bank')
  await expectAlwaysTrue(owner)
})

it('none is proposed with another amount or player, or as another spelling of it', async () => {
  const { approved, db, ann } = await openCashDesk()
  const subject = `withdrawal:${await approved(100)}`
  const proposed = (change: object) =>
    proposals.propose(db, { kind: 'reversal', subject, session: ann, ...change })
  const [player_id, amount] = [1, '100000000']
  for (const content of [{}, { player_id, amount: '100000001' }, { player_id: 2, amount }]) {
    await expect(proposed({ content })).rejects.toThrow('the player and the amount of its')
  }
  for (const other of ['withdrawal:01', 'withdrawal: 1', 'withdrawal:', 'transfer:1']) {
    expect(await proposed({ subject: other }), other).toBe('not_found')
  }
})
