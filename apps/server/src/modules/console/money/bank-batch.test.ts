/** Batches for the bank: exported once, answered as a whole or not at all, and paid once. */

import { noticeList } from '@sum28/contract/index-routes.ts'
import { setPayInfo } from '@sum28/contract/money-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  answerBankBatch,
  bankBatchFile,
  cancelBankBatch,
  listBankBatches,
  makeBankBatch,
  oneBankBatch,
  releaseBankBatch,
  releaseBankPayment,
  withdrawalPayments,
} from '@sum28/contract/staff-bank-routes.ts'
import { approveWithdrawal, recordPayout } from '@sum28/contract/staff-routes.ts'
import { beforeEach, expect, it } from 'vitest'
import { BYTE_ORDER_MARK } from '#src/formats/csv.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { setCode, TEST_CARD, withdraw } from '#testing/people/cashier.ts'
import { addStaff, type StaffSession, staffSession } from '#testing/people/staff.ts'
import { deposit, registerMember, useWorkersApp } from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'

const app = useWorkersApp()
let made = 0

/** This many members, each with an approved withdrawal of 120 u to a card; approved by the owner. */
async function approved(count: number) {
  const test = app()
  const [owner, cashier] = [await staffSession(test), await staffSession(test, 'finance')]
  const withdrawals: { id: number; member: Awaited<ReturnType<typeof registerMember>> }[] = []
  for (let repeat = 0; repeat < count; repeat++) {
    const member = await registerMember(test, `bank_${++made}`)
    await deposit(test, member, 130)
    await setCode(test, member)
    const card = { type: 0, acc: 'Ann "x", Lee', acc_name: TEST_CARD, acc_bank: 'Hanoi' }
    const { data: method } = await test.call(setPayInfo, card, member)
    const id = await withdraw(test, { ...member, payId: method?.id ?? 0 }, '120')
    expect(await test.call(approveWithdrawal, { id }, owner)).toMatchObject({ code: 1 })
    withdrawals.push({ id, member })
  }
  return { test, owner, cashier, withdrawals }
}

/** Sends an answer file, as a form. */
async function answer({
  id,
  text,
  by,
  check,
}: {
  id: number
  text: string
  by: StaffSession
  check?: boolean
}): Promise<{ code: number; msg: string; data: Record<string, unknown> }> {
  const body = new FormData()
  body.set('id', String(id))
  if (check) body.set('check', '1')
  body.set('file', new Blob([text]), 'answer.csv')
  const headers = { Token: by.token }
  const sent = await app().fetch(answerBankBatch.path, { method: 'POST', headers, body })
  return (await sent.json()) as Awaited<ReturnType<typeof answer>>
}

const HEADER = 'withdrawal,amount,status,reference,reason\n'

beforeEach(async () => {
  // What another test left is paid in a batch of its own.
  await app().call(makeBankBatch, {}, await staffSession(app(), 'finance'))
})

it('approved bank withdrawals are exported once, with whole numbers, and the log records it', async () => {
  const { test, owner, cashier, withdrawals } = await approved(2)
  const [batch, none] = await Promise.all([
    test.call(makeBankBatch, {}, cashier),
    test.call(makeBankBatch, {}, owner),
  ]).then((both) => both.toSorted((one, other) => other.code - one.code))
  if (!batch) throw new Error('no batch')
  expect(none?.data).toMatchObject({ reason: 'nothing_to_pay' })
  const { id } = batch.data
  const file = await test.fetch(`${bankBatchFile.path}?id=${id}`, {
    headers: { Token: cashier.token },
  })
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const text = await file.text()
  const [header, ...rows] = parseCsv(text.replace(BYTE_ORDER_MARK, ''))
  expect(header).toEqual([
    ...['batch', 'withdrawal', 'amount', 'holder', 'bank', 'branch_code', 'branch'],
    ...['number', 'purpose'],
  ])
  const ours = rows.filter(([, each]) => withdrawals.some((one) => String(one.id) === each))
  expect(ours).toHaveLength(2)
  for (const [index, row] of ours.entries()) {
    const number = String(withdrawals[index]?.id)
    const holder = 'Ann "x", Lee'
    expect(row).toEqual([
      ...[String(id), number, '120.00', holder, 'Hanoi', '', ''],
      ...["'4242424242424242", `Withdrawal ${number}`],
    ])
  }
  const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
  expect(log.list.map(({ action }) => action)).toEqual(['bank_batch_read', 'bank_batch_made'])
  const support = await addStaff(test, 'support')
  const refused = await test.fetch(`${bankBatchFile.path}?id=${id}`, {
    headers: { Token: support.token },
  })
  expect(refused.status).toBe(403)
  const missing = await test.fetch(`${bankBatchFile.path}?id=999999`, {
    headers: { Token: cashier.token },
  })
  expect(missing.status).toBe(404)
})

it('the bank’s answer pays and fails line by line, once, however often it is sent', async () => {
  const { test, owner, cashier, withdrawals } = await approved(2)
  const [first, second] = withdrawals
  if (!first || !second) throw new Error('no withdrawals')
  const { data: batch } = await test.call(makeBankBatch, {}, owner)
  const text = `${HEADER}${first.id},120.00,paid,BANK OUT ${first.id},\n${second.id},120,failed,,no such account\n`
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({
    data: { paid: 1, failed: 1, same: 0, left: 0 },
  })
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({
    data: { paid: 0, failed: 0, same: 2, left: 0 },
  })
  const { data: shown } = await test.call(oneBankBatch, batch, owner)
  expect(shown).toMatchObject({ paid: 1, failed: 1, state: 'done' })
  const { zhannei: notices } = (await test.call(noticeList, {}, first.member)).data
  expect(notices.filter(({ content }) => content.includes(`BANK OUT ${first.id}`))).toHaveLength(1)
  // A failed payment goes into the next batch when another person has released it.
  expect((await test.call(makeBankBatch, {}, owner)).data).toMatchObject({
    reason: 'nothing_to_pay',
  })
  const release = (by: StaffSession) => test.call(releaseBankPayment, { id: second.id }, by)
  expect((await release(cashier)).data).toMatchObject({ reason: 'second_person_needed' })
  expect(await release(owner)).toMatchObject({ code: 1 })
  expect(await release(owner)).toMatchObject({
    ...{ data: { reason: 'already_decided' }, msg: expect.stringContaining('owner was first') },
  })
  const { data: next } = await test.call(makeBankBatch, {}, owner)
  expect((await test.call(oneBankBatch, next, owner)).data.list).toMatchObject([
    { withdrawal_id: second.id },
  ])
  await expectAlwaysTrue(test.database.owner)
})

it('nothing of a file with a wrong line is recorded, and the line and the reason are reported', async () => {
  const { test, owner, cashier, withdrawals } = await approved(2)
  const [first, second] = withdrawals.map(({ id }) => id)
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const good = `${HEADER}${first},120.00,paid,GOOD ${first},\n`
  const send = (text: string, id = batch.id) => answer({ id, text, by: cashier })
  for (const [line, problem] of [
    [`999999,120.00,paid,R 1234,`, 'This withdrawal is not in the batch'],
    [`${second},120.01,paid,R 1234,`, 'The amount is not that of the withdrawal'],
    [`${second},120,lost,R 1234,`, 'status is neither paid nor failed'],
  ] as const) {
    expect(await send(good + line)).toMatchObject({
      code: 0,
      msg: `Line 3: ${problem}. Nothing was taken of the file`,
      data: { reason: 'bank_file_wrong', line: 3, problem },
    })
  }
  // A person who approved a withdrawal must not record that it was paid.
  expect(await answer({ id: batch.id, text: good, by: owner })).toMatchObject({
    data: { paid: 0, failed: 0, same: 0, left: 1 },
  })
  const { data: shown } = await test.call(oneBankBatch, batch, owner)
  expect(shown).toMatchObject({ state: 'open', paid: 0, failed: 0 })
  expect(await send(good, 999_999)).toMatchObject({ code: 404 })
  const empty = new FormData()
  empty.set('id', String(batch.id))
  const headers = { Token: cashier.token }
  const sent = await test.fetch(answerBankBatch.path, { method: 'POST', headers, body: empty })
  expect(sent.status).toBe(400)
  expect(await send('x'.repeat(6_000_000))).toMatchObject({ data: { reason: 'too_large' } })

  // Nor is one that contradicts an earlier answer.
  expect(await send(good)).toMatchObject({ code: 1 })
  expect(await send(`${HEADER}${first},120.00,paid,ANOTHER ${first},`)).toMatchObject({
    data: { line: 2, problem: 'The bank has answered otherwise of this withdrawal before' },
  })
  await expectAlwaysTrue(test.database.owner)
})

it('a withdrawal that waits for the bank’s answer cannot be paid by hand', async () => {
  const { test, cashier, withdrawals } = await approved(2)
  const colleague = await addStaff(test, 'finance')
  const [first, second] = withdrawals.map(({ id }) => id)
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const byHand = { id: Number(first), reference: `HAND ${first}` }
  expect((await test.call(recordPayout, byHand, cashier)).data).toMatchObject({ reason: 'at_bank' })
  const text = `${HEADER}${first},120,failed,,closed\n${second},120.00,paid,BANK ${second},\n`
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({ code: 1 })
  // Who said that the bank did not pay it does not pay it.
  expect((await test.call(recordPayout, byHand, cashier)).data).toMatchObject({
    reason: 'second_person_needed',
  })
  expect(await test.call(recordPayout, byHand, colleague)).toMatchObject({ code: 1 })
  await expectAlwaysTrue(test.database.owner)
})

it('no file has what is paid or cancelled', async () => {
  const { test, cashier, withdrawals } = await approved(2)
  const [first, second] = withdrawals.map(({ id }) => id)
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const file = async () => {
    const headers = { Token: cashier.token }
    return (await test.fetch(`${bankBatchFile.path}?id=${batch.id}`, { headers })).text()
  }
  const pay = (id?: number) => {
    const text = `${HEADER}${id},120.00,paid,FILE ${id},\n`
    return answer({ id: batch.id, text, by: cashier })
  }
  const numbersIn = (text: string) =>
    parseCsv(text.replace(BYTE_ORDER_MARK, ''))
      .slice(1)
      .map(([, withdrawal]) => Number(withdrawal))
  expect(numbersIn(await file())).toEqual([first, second])
  // Nor has it that of a player who was frozen meanwhile, as long as he is.
  const state = (to: string) =>
    test.database.owner.query(
      `update accounts.player set state = $2
       where id = (select player_id from withdrawals.withdrawal where id = $1)`,
      [second, to],
    )
  await state('frozen')
  expect((await test.call(oneBankBatch, { id: batch.id }, cashier)).data.list).toContainEqual(
    expect.objectContaining({ state: 'sent', frozen: true }),
  )
  expect(numbersIn(await file())).toEqual([first])
  await state('active')
  expect(await pay(first)).toMatchObject({ code: 1 })
  expect(numbersIn(await file())).toEqual([second])
  expect(await pay(second)).toMatchObject({ code: 1 })
  expect(await file()).toContain('already_decided')
})

it('a check names all wrong lines, or what would be recorded, and records nothing', async () => {
  const { test, owner, cashier, withdrawals } = await approved(2)
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const [one, two] = withdrawals.map(({ id }) => id)
  const check = async (lines: string) =>
    (await answer({ id: batch.id, text: HEADER + lines, by: cashier, check: true })).data
  expect(await check(`${one},120.01,paid,AB 12,\n999999,120.00,paid,AB 13,\n`)).toMatchObject({
    faults: [
      { line: 2, problem: 'The amount is not that of the withdrawal' },
      { line: 3, problem: 'This withdrawal is not in the batch' },
    ],
  })
  expect(await check(`x,1,paid,AB 12,\n${one},y,paid,AB 13,\n`)).toMatchObject({
    faults: [{ line: 2 }, { line: 3 }],
  })
  const reason = 'The account is closed'
  const right = `${one},120.00,paid,CK ${one},\n${two},120.00,failed,,${reason}\n`
  const summary = { paid: 1, failed: 1, same: 0, left: 0, quantity: '120.00', faults: [] }
  expect(await check(right)).toEqual(summary)
  const { data: sent } = await test.call(oneBankBatch, { id: batch.id }, owner)
  expect(sent.list.every(({ state }) => state === 'sent')).toBe(true)
  await answer({ id: batch.id, text: HEADER + right, by: cashier })
  expect((await test.call(withdrawalPayments, { id: two ?? 0 }, owner)).data.list).toMatchObject([
    { batch_id: batch.id, state: 'failed', reason, answered_by: 'finance' },
  ])
  await expectAlwaysTrue(test.database.owner)
})

it('a batch that the bank has not answered is cancelled by another person', async () => {
  const { test, owner, cashier, withdrawals } = await approved(1)
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const cancellation = { id: batch.id, reason: 'The bank took no file today' }
  expect((await test.call(cancelBankBatch, cancellation, cashier)).data).toMatchObject({
    reason: 'second_person_needed',
  })
  expect(await test.call(cancelBankBatch, cancellation, owner)).toMatchObject({ code: 1 })
  expect(await test.call(cancelBankBatch, cancellation, owner)).toMatchObject({
    ...{ data: { reason: 'already_decided' }, msg: expect.stringContaining('owner was first') },
  })
  const text = `${HEADER}${withdrawals[0]?.id},120.00,paid,LATE 1,\n`
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({
    data: { problem: 'The batch is cancelled' },
  })
  const { data: list } = await test.call(listBankBatches, { state: 'cancelled' }, owner)
  expect(list.list[0]).toMatchObject({ id: batch.id, cancel_reason: cancellation.reason })
  expect(await test.call(releaseBankBatch, { id: batch.id }, cashier)).toMatchObject({ code: 1 })
})
