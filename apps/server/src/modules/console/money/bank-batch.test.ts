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
  releaseBankPayment,
  withdrawalPayments,
} from '@sum28/contract/staff-bank-routes.ts'
import { freezeAccount } from '@sum28/contract/staff-house-routes.ts'
import { approveWithdrawal, recordPayout } from '@sum28/contract/staff-routes.ts'
import { beforeEach, expect, it } from 'vitest'
import { BYTE_ORDER_MARK } from '#src/formats/csv.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { setCode, TEST_CARD, withdraw } from '#testing/people/cashier.ts'
import { addStaff, type StaffSession, staffSession } from '#testing/people/staff.ts'
import { deposit, registerMember, useWorkersApp } from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'
import { answerBankBatch as takeAnswer } from './bank-batch.ts'

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
async function answer(
  { id, text, by, check }: { id: number; text: string; by: StaffSession; check?: boolean },
  key?: string,
): Promise<{ code: number; msg: string; data: Record<string, unknown> }> {
  const body = new FormData()
  body.set('id', String(id))
  if (check) body.set('check', '1')
  body.set('file', new Blob([text]), 'answer.csv')
  const headers = { Token: by.token, ...(key && { 'Idempotency-Key': key }) }
  const sent = await app().fetch(answerBankBatch.path, { method: 'POST', headers, body })
  return (await sent.json()) as Awaited<ReturnType<typeof answer>>
}

const HEADER = 'withdrawal,amount,status,reference,reason\n'

beforeEach(async () => {
  // Removes what an earlier test left over.
  await app().database.owner.query(
    `with old as (delete from console_money.bank_payment where state = 'sent')
     update withdrawals.withdrawal set at_bank = false where at_bank`,
  )
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
  const others = (await test.call(oneBankBatch, batch, owner)).data.list
    .map((payment) => payment.withdrawal_id)
    .filter((id) => id !== first.id && id !== second.id)
  const text = `${HEADER}${first.id},120.00,paid,BANK OUT ${first.id},\n${second.id},120,failed,,no such account\n`
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({
    data: { paid: 1, failed: 1, same: 0, left: 0 },
  })
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({
    data: { paid: 0, failed: 0, same: 2, left: 0 },
  })
  const { data: shown } = await test.call(oneBankBatch, batch, owner)
  expect(shown).toMatchObject({ paid: 1, failed: 1, state: others.length > 0 ? 'open' : 'done' })
  const { zhannei: notices } = (await test.call(noticeList, {}, first.member)).data
  expect(notices.filter(({ content }) => content.includes(`BANK OUT ${first.id}`))).toHaveLength(1)
  expect(
    (await test.call(recordPayout, { id: first.id, reference: 'OTHER 1' }, cashier)).data,
  ).toMatchObject({ reason: 'already_decided' })
  // A failed payment waits, and goes into the next batch when another person has released it.
  const without = (await test.call(makeBankBatch, {}, owner)).data
  if ('id' in without) {
    const { list } = (await test.call(oneBankBatch, without, owner)).data
    expect(list.map((payment) => payment.withdrawal_id)).not.toContain(second.id)
  }
  const release = (id: number, by: StaffSession) => test.call(releaseBankPayment, { id }, by)
  expect((await release(second.id, cashier)).data).toMatchObject({ reason: 'second_person_needed' })
  expect((await release(first.id, owner)).data).toMatchObject({ reason: 'not_found' })
  expect(await release(second.id, owner)).toMatchObject({ code: 1 })
  expect(await release(second.id, owner)).toMatchObject({
    ...{ data: { reason: 'already_decided' }, msg: expect.stringContaining('owner was first') },
  })
  const { data: next } = await test.call(makeBankBatch, {}, owner)
  const again = (await test.call(oneBankBatch, next, owner)).data.list
  expect(again.map((payment) => payment.withdrawal_id)).toContain(second.id)
  expect(again.map((payment) => payment.withdrawal_id)).not.toContain(first.id)
  await expectAlwaysTrue(test.database.owner)
})

it('nothing of a file with a wrong line is recorded, and the line and the reason are reported', async () => {
  const { test, owner, cashier, withdrawals } = await approved(2)
  const [first, second] = withdrawals.map(({ id }) => id)
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const good = `${HEADER}${first},120.00,paid,GOOD ${first},\n`
  for (const [line, problem] of [
    [`999999,120.00,paid,R 1234,`, 'This withdrawal is not in the batch'],
    [`${second},120.01,paid,R 1234,`, 'The amount is not that of the withdrawal'],
    [`${second},120,lost,R 1234,`, 'status is neither paid nor failed'],
  ] as const) {
    const reply = await answer({ id: batch.id, text: good + line, by: cashier })
    expect(reply).toMatchObject({
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
  expect(await answer({ id: 999_999, text: good, by: cashier })).toMatchObject({ code: 404 })
  const empty = new FormData()
  empty.set('id', String(batch.id))
  const headers = { Token: cashier.token }
  const sent = await test.fetch(answerBankBatch.path, { method: 'POST', headers, body: empty })
  expect(sent.status).toBe(400)
  const large = await answer({ id: batch.id, text: 'x'.repeat(6_000_000), by: cashier })
  expect(large).toMatchObject({ data: { reason: 'too_large' } })
  await expectAlwaysTrue(test.database.owner)
})

it('an answer that contradicts an earlier one is refused, and moves nothing', async () => {
  const { test, owner, cashier, withdrawals } = await approved(2)
  const [first, second] = withdrawals.map(({ id }) => id)
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const text = `${HEADER}${first},120.00,paid,TOLD ${first},\n${second},120,failed,,closed\n`
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({ code: 1 })
  const rows = () =>
    test.database.owner.query(
      `select withdrawal.id, withdrawal.state, paid_at, payout_reference, payment.state as told, reference, reason
       from withdrawals.withdrawal join console_money.bank_payment payment on withdrawal_id = withdrawal.id
       where batch_id = $1 order by withdrawal.id`,
      [batch.id],
    )
  const before = await rows()
  for (const line of [
    `${first},120.00,failed,,no such account`,
    `${first},120.00,paid,ANOTHER ${first},`,
    `${second},120.00,paid,LATE ${second},`,
  ]) {
    expect(await answer({ id: batch.id, text: HEADER + line, by: cashier })).toMatchObject({
      code: 0,
      data: {
        reason: 'bank_file_wrong',
        line: 2,
        problem: 'The bank has answered otherwise of this withdrawal before',
      },
    })
  }
  expect(await rows()).toEqual(before)
  // A batch that the bank has answered in part is not cancelled.
  const cancellation = { id: batch.id, reason: 'sent twice' }
  expect((await test.call(cancelBankBatch, cancellation, owner)).data).toMatchObject({
    reason: 'already_decided',
  })
  expect(await rows()).toEqual(before)
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

it('a payout by hand that is not committed yet keeps its withdrawal out of a batch', async () => {
  const { test, cashier, withdrawals } = await approved(1)
  const id = Number(withdrawals[0]?.id)
  const { db } = test.database
  const making = await db.transaction(async (tx) => {
    const byHand = [id, cashier.token, `HAND${id}`]
    await tx.query('select withdrawals.record_payout($1, $2, $3, $3)', byHand)
    const reply = test.call(makeBankBatch, {}, cashier)
    await somebodyWaits(test.database)
    return { reply }
  })
  // Other tests may have left something to pay.
  const { data: batch } = await making.reply
  const { list } =
    'id' in batch ? (await test.call(oneBankBatch, batch, cashier)).data : { list: [] }
  expect(list.map((payment) => payment.withdrawal_id)).not.toContain(id)
})

it('the withdrawal of a frozen player is in no batch, and no file has what is paid or cancelled', async () => {
  const { test, owner, cashier, withdrawals } = await approved(3)
  const [first, second, frozen] = withdrawals
  if (!first || !second || !frozen) throw new Error('no withdrawals')
  const ours = withdrawals.map(({ id }) => id)
  expect(
    await test.call(freezeAccount, { user_id: frozen.member.id, reason: 'asked about' }, owner),
  ).toMatchObject({ code: 1 })
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const file = async () => {
    const read = await test.fetch(`${bankBatchFile.path}?id=${batch.id}`, {
      headers: { Token: cashier.token },
    })
    return { status: read.status, text: await read.text() }
  }
  const numbersIn = (text: string) =>
    parseCsv(text.replace(BYTE_ORDER_MARK, ''))
      .slice(1)
      .map(([, withdrawal]) => Number(withdrawal))
      .filter((id) => ours.includes(id))
  expect(numbersIn((await file()).text)).toEqual([first.id, second.id])
  // Nor has it that of a player who was frozen meanwhile, as long as he is.
  const state = (to: string) =>
    test.database.owner.query('update accounts.player set state = $2 where id = $1', [
      ...[second.member.id, to],
    ])
  await state('frozen')
  expect(numbersIn((await file()).text)).toEqual([first.id])
  await state('active')
  const text = `${HEADER}${first.id},120.00,paid,FILE ${first.id},\n`
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({ code: 1 })
  expect(numbersIn((await file()).text)).toEqual([second.id])
  const rest = `${HEADER}${second.id},120.00,paid,FILE ${second.id},\n`
  expect(await answer({ id: batch.id, text: rest, by: cashier })).toMatchObject({ code: 1 })
  await test.database.owner.query(
    `update console_money.bank_batch set state = 'done', ended_by = made_by, ended_at = app.now() where id = $1`,
    [batch.id],
  )
  expect((await file()).text).toContain('already_decided')
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

it('a file that two people take at once pays once', async () => {
  const { test, cashier, withdrawals } = await approved(1)
  const colleague = await addStaff(test, 'finance')
  const { data: batch } = await test.call(makeBankBatch, {}, cashier)
  const id = withdrawals[0]?.id
  const text = `${HEADER}${id},120.00,paid,RACE ${id},\n`
  const { db } = test.database
  const taken = await Promise.all(
    [cashier, colleague].map(({ token }) =>
      takeAnswer(db, { id: batch.id, bytes: Buffer.from(text), session: token }),
    ),
  )
  expect(taken).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ paid: 1, failed: 0, same: 0, left: 0 }),
      expect.objectContaining({ paid: 0, failed: 0, same: 1, left: 0 }),
    ]),
  )
  await expectAlwaysTrue(test.database.owner)
})

it('a batch that the bank has not answered is cancelled by another person, and exported again', async () => {
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
  const id = withdrawals[0]?.id
  const text = `${HEADER}${id},120.00,paid,LATE ${id},\n`
  expect(await answer({ id: batch.id, text, by: cashier })).toMatchObject({
    data: { problem: 'The batch is cancelled' },
  })
  const { data: list } = await test.call(listBankBatches, { state: 'cancelled' }, owner)
  expect(list.list[0]).toMatchObject({ id: batch.id, cancel_reason: cancellation.reason })
  expect(await test.call(releaseBankPayment, { id: id ?? 0 }, cashier)).toMatchObject({ code: 1 })
  const { data: next } = await test.call(makeBankBatch, {}, cashier)
  const { list: payments } = (await test.call(oneBankBatch, next, owner)).data
  expect(payments.map((payment) => payment.withdrawal_id)).toContain(id)
})
