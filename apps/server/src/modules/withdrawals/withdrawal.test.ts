/** Withdrawals through the API, from the request to the payout or the return. */

import { noticeList } from '@sum28/contract/index-routes.ts'
import {
  newPass,
  setPayInfo,
  setSafety,
  withdrawAction,
  withdrawInfo,
} from '@sum28/contract/money-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { makeBankBatch, releaseBankPayment } from '@sum28/contract/staff-bank-routes.ts'
import * as staffWire from '@sum28/contract/staff-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { correctPayout } from '#src/modules/console/money/chain-payout.ts'
import { recordPayout } from '#src/modules/withdrawals/review-withdrawal.ts'
import { latestWithdrawals, usualSeconds } from '#src/modules/withdrawals/withdrawal-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod, DESK_AT, openCashDesk } from '#testing/people/cash-desk.ts'
import {
  addWallet,
  memberWithMoney,
  recordPaid,
  statementOf,
  TEST_CARD,
  TEST_CODE,
  withdraw,
} from '#testing/people/cashier.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffSession } from '#testing/people/staff.ts'
import { timeOf } from '#testing/product/play-round.ts'
import {
  answerTo,
  expectSuccess,
  mailsOf,
  newName,
  TEST_PASSWORD,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const test = useWorkersApp()

describe('a withdrawal', () => {
  it('sets the money aside at once, and is paid out when it is approved', async () => {
    const ann = await memberWithMoney(test, newName(), 500.5)
    const owner = await staffSession(test, 'owner')
    const finance = await staffSession(test, 'finance')
    const info = async () => (await test.call(withdrawInfo, {}, ann)).data
    const heldOf = async () => (await test.call(userInfo, {}, ann)).data.held
    const { data: made } = await test.call(
      withdrawAction,
      { type: 1, money: '200', security_code: TEST_CODE },
      ann,
    )
    const { id } = made
    expect(made).toEqual({
      id: expect.any(Number),
      quantity: '200.00',
      after_quantity: '300.50',
      version: expect.stringMatching(/^\d+$/),
    })
    const payee = `${ann.wallet.slice(0, 4)}…${ann.wallet.slice(-5)}`
    const step = { id, quantity: '200.00', payee, senttime: null, reference: null, why: null }
    expect(await info()).toMatchObject({
      money: '300.50',
      latest: [{ ...step, status: 'waiting', approvedtime: null }],
      pending: { id, quantity: '200.00' },
    })
    expect(await heldOf()).toBe('200.00')
    const line = { quantity: '-200.00', over: '300.50', mark: 'Withdrawal' }
    expect(await statementOf(test, ann)).toEqual([{ ...line, status: 0 }])

    expect((await test.call(staffWire.approveWithdrawal, { id }, owner)).data).toEqual({
      state: 'approved',
    })
    expect(await info()).toMatchObject({
      latest: [{ ...step, status: 'approved', approvedtime: expect.any(Number) }],
      pending: null,
    })
    expect(await heldOf()).toBe('0.00')
    expect(await statementOf(test, ann)).toEqual([{ ...line, status: 1 }])

    const sent = await test.app.chain?.transfer({ to: ann.wallet, amountMicro: 200_000_000n })
    const reference = sent?.ok ? sent.txId : ''
    expectSuccess(await recordPaid(test, { id, reference }, finance))
    const state = async () => (await test.call(staffWire.oneWithdrawal, { id }, finance)).data.state
    expect(await state()).toBe('on_chain')
    expect((await info()).latest).toMatchObject([
      { ...step, status: 'sent', senttime: expect.any(Number), reference },
    ])
    await test.addBlocks()
    await test.database.owner.query(`select graphile_worker.add_job('read-payouts')`)
    await eventually(async () => (await state()) === 'paid')
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    const titles = ['paid out', 'approved', 'requested'].map(
      (what) => `Withdrawal of 200.00 u ${what}`,
    )
    expect(zhannei.slice(0, 3).map(({ title }) => title)).toEqual(titles)
    expect(zhannei[0]?.content).toContain(reference)
    await eventually(async () => {
      const mails = (await mailsOf(test)).filter(({ to }) => to === ann.email)
      return mails.filter(({ subject }) => titles.includes(subject)).length === 3
    })
    await expectAlwaysTrue(test.database.owner)
  })

  it('comes back in a new entry when it is rejected, and the next may be requested', async () => {
    const ann = await memberWithMoney(test, newName(), 500)
    const owner = await staffSession(test, 'owner')
    const id = await withdraw(test, ann, '500')
    const reason = 'The name on the card is <another>'
    expectSuccess(await test.call(staffWire.rejectWithdrawal, { id, reason }, owner))
    expect(await statementOf(test, ann)).toEqual([
      { quantity: '500.00', over: '500.00', status: 1, mark: 'Withdrawal returned' },
      { quantity: '-500.00', over: '0.00', status: 2, mark: 'Withdrawal' },
    ])
    expect((await test.call(withdrawInfo, {}, ann)).data).toMatchObject({
      money: '500.00',
      latest: [{ id, status: 'rejected', approvedtime: null, senttime: null, why: reason }],
    })
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei[0]?.content).toContain('&lt;another&gt;')
    await withdraw(test, ann, '100')
    await expectAlwaysTrue(test.database.owner)
  })

  it('waits for the previous one, also for one of the same moment', async () => {
    const ann = await memberWithMoney(test, newName(), 500)
    const ask = () =>
      test.call(withdrawAction, { type: 1, money: '100', security_code: TEST_CODE }, ann)
    const replies = await Promise.all([ask(), ask()])
    const [made, second] = replies.toSorted((one, other) => other.code - one.code)
    expect(made).toMatchObject({ code: 1 })
    expect(second).toMatchObject({
      code: 0,
      data: { reason: 'withdrawal_pending' },
      msg: 'If there are unprocessed requests, please contact customer service',
    })
    expect((await test.call(userInfo, {}, ann)).data.money).toBe('400.00')
  })

  it('is for members alone', async () => {
    const visitor = await test.post('/api/user/register', {
      username: 'guest17',
      password: 'abcdef',
      group_id: 2,
    })
    const { token } = (visitor.data as { userinfo: { token: string } }).userinfo
    const request = { type: 1, money: '100', security_code: TEST_CODE } as const
    expect(await answerTo(test.call(withdrawAction, request, { token }))).toBe('member_only')
  })

  it('is held after a change of the password, the security code or the pay method', async () => {
    const { owner } = test.database
    const ann = await memberWithMoney(test, newName(), 500)
    const hold = (time: string) => owner.query('update withdrawals.terms set hold = $1', [time])
    onTestFinished(async () => void (await hold('0')))
    await hold('24 hours')
    const changedBefore = (time: string | null) =>
      owner.query(
        'update accounts.player set sensitive_changed_at = app.now() - $2::interval where id = $1',
        [ann.id, time],
      )
    const heldUntil = async () => (await test.call(withdrawInfo, {}, ann)).data.hold_until
    const ask = () =>
      test.call(withdrawAction, { type: 1, money: '100', security_code: '314159' }, ann)
    const card = { type: 0, acc: 'ANN', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' } as const
    for (const change of [
      () => test.call(setSafety, { new_code: '314159', old_code: TEST_CODE }, ann),
      () => test.call(newPass, { new_pass: 'another long phrase', old_pass: TEST_PASSWORD }, ann),
      () => test.call(setPayInfo, card, ann),
    ]) {
      await changedBefore(null)
      expect(await heldUntil(), String(change)).toBeNull()
      expectSuccess(await change())
      expect(await answerTo(ask()), String(change)).toBe('withdrawal_on_hold')
      expect(await heldUntil()).toBeGreaterThan((await timeOf(test)) / 1000 + 23 * 3600)
    }
    await changedBefore('24 hours')
    expectSuccess(await ask())
  })

  it('has a payee whom only the person sees who has taken its payment', async () => {
    const ann = await memberWithMoney(test, newName(), 500)
    const owner = await staffSession(test, 'owner')
    const [finance, cashier] = [
      await staffSession(test, 'finance'),
      await staffSession(test, 'cashier'),
    ]
    const id = await withdraw(test, ann, '100')
    expectSuccess(await test.call(staffWire.approveWithdrawal, { id }, owner))
    const seen = async (by: typeof owner) => [
      (await test.call(staffWire.oneWithdrawal, { id }, by)).data.payee.number === ann.wallet,
      await answerTo(test.call(staffWire.withdrawalPayee, { id }, by)),
    ]
    expect(await seen(finance)).toEqual([false, 'payment_not_taken'])
    expectSuccess(await test.call(staffWire.takePayment, { id }, finance))
    expect(await seen(cashier)).toEqual([false, 'payment_taken'])
    expect(await seen(finance)).toEqual([true, 'done'])
    const frozen = async () =>
      (await test.call(staffWire.listWithdrawals, { user_id: ann.id }, owner)).data.list.map(
        (each) => each.frozen,
      )
    expect(await frozen()).toEqual([false])
    await changePlayer(test.database, ann.id, `state = 'frozen'`)
    expect(await frozen()).toEqual([true])
    expect(await seen(finance)).toEqual([false, 'account_frozen'])
    await changePlayer(test.database, ann.id, `state = 'active'`)
    expectSuccess(await test.call(staffWire.givePaymentBack, { id }, finance))
    expect(await seen(finance)).toEqual([false, 'payment_not_taken'])
    const { denied_at: denied } = (await test.call(staffWire.oneWithdrawal, { id }, cashier)).data
    expectSuccess(await test.call(releaseBankPayment, { id, denied_at: denied ?? 0 }, cashier))
    await test.call(makeBankBatch, { kind: 'wallet' }, finance)
    expect(await seen(finance)).toEqual([false, 'at_bank'])
  })

  it('goes to the method that it named, even if that was replaced meanwhile', async () => {
    const ann = await memberWithMoney(test, newName(), 500)
    const owner = await staffSession(test, 'owner')
    const id = await withdraw(test, ann, '100')
    await addWallet(test, ann, 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK')
    expect((await test.call(staffWire.withdrawalPayee, { id }, owner)).data).toEqual({
      number: ann.wallet,
    })
    const { list } = (await test.call(listAuditRows, { limit: 1 }, owner)).data
    expect(list).toMatchObject([
      { staff: 'owner', action: 'withdrawal_payee_read', subject: `withdrawal:${id}` },
    ])
  })
})

describe('withdrawAction', () => {
  let ann: Awaited<ReturnType<typeof memberWithMoney>>
  let card: number
  beforeAll(async () => {
    ann = await memberWithMoney(test, newName(), 500)
    const method = { type: 0, acc: 'ANN LEE', acc_name: TEST_CARD, acc_bank: 'Hanoi' } as const
    card = (await test.call(setPayInfo, method, ann)).data.id
  })

  /** Requests 100 u as a client would, with these fields in addition. */
  const ask = (fields: object, key?: string) =>
    test.post(
      '/api/user/withdrawAction',
      { money: '100', security_code: TEST_CODE, ...fields },
      { token: ann.token, ...(key && { 'Idempotency-Key': key }) },
    )

  it('pays to the method that type, status and id name, each as a number or a text', async () => {
    const wallet = ann.payId
    const staff = await staffSession(test)
    for (const [fields, method] of [
      [{ type: 1 }, wallet],
      [{ status: '0' }, wallet],
      [{ type: '0', status: 1, pay_id: null }, card],
      [{ type: 1, status: 0, pay_id: wallet }, wallet],
    ] as const) {
      const { id } = (await ask(fields)).data as { id: number }
      const paidTo = 'select pay_method_id from withdrawals.withdrawal where id = $1'
      expect(await test.database.owner.value(paidTo, [id]), JSON.stringify(fields)).toBe(method)
      expectSuccess(await test.call(staffWire.rejectWithdrawal, { id, reason: 'A test' }, staff))
    }
  })

  it('refuses a type, a status and an id that contradict each other, and names the field', async () => {
    for (const [fields, field] of [
      [{ type: 0, status: '0' }, 'status'],
      [{ type: '1', status: 1 }, 'status'],
      [{ pay_id: ann.payId, type: 0 }, 'pay_id'],
      [{ pay_id: card, status: '0' }, 'pay_id'],
    ] as const) {
      expect(await ask(fields), JSON.stringify(fields)).toMatchObject({
        data: { reason: 'invalid_input', fields: { [field]: expect.any(String) } },
      })
    }
  })

  it('treats a key as that of another request when anything but the code differs', async () => {
    const first = { type: 1, money: '100' }
    expectSuccess(await ask(first, 'one'))
    for (const same of [
      first,
      { type: '1', money: 100 },
      { status: '0', money: '100.00' },
      { ...first, pay_id: '' },
    ]) {
      expect((await ask(same, 'one')).headers.get('idempotency-replayed')).toBe('true')
    }
    for (const other of [
      { ...first, money: '100.01' },
      { ...first, type: 0 },
      { pay_id: ann.payId, money: '100' },
      { pay_id: card, money: '100' },
      { pay_id: ann.payId, type: 1, money: '100' },
    ]) {
      expect(await ask(other, 'one'), JSON.stringify(other)).toMatchObject({
        data: { reason: 'idempotency_conflict' },
      })
    }
  })
})

describe('the terms of withdrawals', () => {
  it('are strict until the owner writes them, and nobody else does', async () => {
    const { db } = await createTestDatabase()
    expect(
      await db.query(
        `select hold = interval '24 hours' as day, two_persons_from from withdrawals.terms`,
      ),
    ).toEqual([{ day: true, two_persons_from: 10_000_000_000n }])
    for (const statement of [
      `update withdrawals.terms set hold = '0'`,
      'delete from withdrawals.terms',
      `insert into withdrawals.terms values (true, '0', 0)`,
    ]) {
      await expect(db.query(statement)).rejects.toThrow(/permission denied/)
    }
  })
})

it('the usual time is that of nine of ten payouts until they were sent, and is not told of fewer than ten', async () => {
  const { database, db, say, request, player, method, ann, bob, cat } = await openCashDesk()
  const wallet = await addPayMethod(database, player, 'wallet')
  const minute = (n: number) => DESK_AT + n * 60_000
  /** Makes a payout that is sent after so many minutes. */
  const pay = async (n: number, { to = method, recorded = n, reference = `PAID${n}` } = {}) => {
    await database.freezeClock(DESK_AT)
    const id = await request(100, { player, method: to })
    await say('approve($1, $2)', [id, ann])
    await database.freezeClock(minute(recorded))
    await say('take_payment($1, null, $2)', [id, bob])
    const sentAt = recorded === n ? undefined : minute(n) / 1_000
    expect(await recordPayout(db, { id, session: bob, reference, sentAt })).toBeNull()
    return id
  }
  for (const n of [1, 2, 3, 4, 5, 6, 7, 10]) await pay(n)
  await pay(8, { recorded: 12 })
  const [wrong, right] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const id = await pay(9, { to: wallet, reference: wrong })
  await say('take_chain_answer($1, $2, $3, $4)', [id, wrong, [], 'failed'])
  expect(await usualSeconds(db)).toBeNull()
  await database.freezeClock(minute(14))
  const slip = { id, session: cat, reason: 'A slip', reference: right, seen: wrong }
  expect(await correctPayout(db, slip)).toBeNull()
  expect(await usualSeconds(db)).toBe(9 * 60)
  const [latest] = await latestWithdrawals(db, player)
  expect(latest).toMatchObject({ status: 'sent', paidAt: minute(9) })
})
