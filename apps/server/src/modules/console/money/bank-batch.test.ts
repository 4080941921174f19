/** Batches for the bank: their files, and answers that are recorded as a whole or not at all. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  bankBatchFile,
  cancelBankBatch,
  listBankBatches,
  makeBankBatch,
  oneBankBatch,
  releaseBankBatch,
  releaseBankPayment,
  withdrawalPayments,
} from '@sum28/contract/staff-bank-routes.ts'
import { playerActions } from '@sum28/contract/staff-players-routes.ts'
import { beforeEach, expect, it } from 'vitest'
import { BYTE_ORDER_MARK } from '#src/formats/csv.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { approvedWithdrawal, sendBankAnswers } from '#testing/people/cashier.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { addStaff, type StaffSession, staffSession } from '#testing/people/staff.ts'
import { answerTo, expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'

const test = useWorkersApp()

/** A batch of this many withdrawals of 120 u to cards, which the owner has approved; made by the cashier. */
async function sent(count: number) {
  const [owner, cashier] = [await staffSession(test), await staffSession(test, 'finance')]
  const withdrawals: Awaited<ReturnType<typeof approvedWithdrawal>>[] = []
  for (let made = 0; made < count; made += 1) {
    withdrawals.push(await approvedWithdrawal(test, { to: 'card', by: owner }))
  }
  const [batch, none] = await Promise.all([
    test.call(makeBankBatch, {}, cashier),
    test.call(makeBankBatch, {}, cashier),
  ]).then((both) => both.toSorted((one, other) => other.code - one.code))
  expect(none?.data).toMatchObject({ reason: 'nothing_to_pay' })
  const id = batch?.data.id ?? 0
  return {
    owner,
    cashier,
    id,
    withdrawals,
    ids: withdrawals.map((each) => each.id) as [number, number, number],
    shown: async () => (await test.call(oneBankBatch, { id }, owner)).data,
    /** The rows of the batch's file, without the names of the columns. */
    async file() {
      const headers = { Token: cashier.token }
      const reply = await test.fetch(`${bankBatchFile.path}?id=${id}`, { headers })
      expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      return parseCsv((await reply.text()).replace(BYTE_ORDER_MARK, '')).slice(1)
    },
    answer: (lines?: string, { by = cashier, of = id, check = false } = {}) =>
      sendBankAnswers(test, { id: of, lines, check }, by),
  }
}

beforeEach(async () => {
  // What another test left is paid in a batch of its own.
  await test.call(makeBankBatch, {}, await staffSession(test, 'finance'))
})

it('approved bank withdrawals are exported once, with whole numbers, and the log records it', async () => {
  const { owner, cashier, id, ids, file, shown } = await sent(1)
  const asked = (query: string, by: StaffSession) =>
    test.fetch(`${bankBatchFile.path}?${query}`, { headers: { Token: by.token } })
  const refusal = async (query: string, by: StaffSession) => (await asked(query, by)).json()
  // Who approved all of it gets no file, and leaves the batch to others.
  const byAnother = { data: { reason: 'second_person_needed' } }
  expect(await refusal(`id=${id}`, owner)).toMatchObject(byAnother)
  expect(await shown()).toMatchObject({ file_taken_by: null, file_taken_at: null, payments: 1 })
  // The page says so before.
  expect((await shown()).list).toMatchObject([{ state: 'sent', obstacle: 'approved_by_you' }])
  const { data: forCashier } = await test.call(oneBankBatch, { id }, cashier)
  expect(forCashier.list).toMatchObject([{ state: 'sent', obstacle: null }])
  expect(await file()).toEqual([
    [
      ...[String(id), String(ids[0]), '120.00', 'Ann "x", Lee', 'Hanoi', '', ''],
      ...["'4242424242424242", `Withdrawal ${ids[0]}`],
    ],
  ])
  expect(await shown()).toMatchObject({
    file_taken_by: 'finance',
    file_taken_at: expect.any(Number),
  })
  const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
  expect(log.list.map(({ action }) => action)).toEqual(['bank_batch_read', 'bank_batch_made'])
  expect((await asked('id=999999', cashier)).status).toBe(404)
  // Another person gets no file before he takes it over.
  const cat = await addStaff(test, 'finance')
  expect(await refusal(`id=${id}`, cat)).toMatchObject({
    data: { reason: 'payment_taken', by: 'finance' },
  })
  const over = `id=${id}&taken_from=finance`
  expect(await refusal(over, owner)).toMatchObject(byAnother)
  expect((await asked(over, cat)).status).toBe(200)
  expect(await shown()).toMatchObject({ file_taken_by: cat.login.name })
  const { data: open } = await test.call(listBankBatches, { state: 'open' }, owner)
  // Beside what another test left.
  expect(open.list[0]).toMatchObject({ id, file_taken_by: cat.login.name })
})

it('the bank’s answer pays and fails line by line, and what failed is released by another person', async () => {
  const { owner, cashier, id, ids, withdrawals, answer, shown } = await sent(2)
  const [paid, failed] = ids
  const lines = `${paid},120.00,paid,BANK OUT ${paid},\n${failed},120,failed,,no such account\n`
  const summary = { paid: 1, failed: 1, same: 0, left: 0, quantity: '120.00', faults: [] }
  expect((await answer(lines, { check: true })).data).toEqual(summary)
  expect((await shown()).list.map(({ state }) => state)).toEqual(['sent', 'sent'])

  expect(await answer(lines)).toMatchObject({ data: { paid: 1, failed: 1, same: 0, left: 0 } })
  expect(await answer(lines)).toMatchObject({ data: { paid: 0, failed: 0, same: 2, left: 0 } })
  expect(await shown()).toMatchObject({ paid: 1, failed: 1, state: 'done' })
  const payments = await test.call(withdrawalPayments, { id: failed }, owner)
  expect(payments.data.list).toMatchObject([
    { batch_id: id, state: 'failed', reason: 'no such account', answered_by: 'finance' },
  ])
  const { zhannei: notices } = (await test.call(noticeList, {}, withdrawals[0]?.member)).data
  expect(notices.filter(({ content }) => content.includes(`BANK OUT ${paid}`))).toHaveLength(1)
  const { list: answered } = await shown()
  const denied_at = answered.find((each) => each.withdrawal_id === failed)?.denied_at ?? 0
  const release = (by: StaffSession) => test.call(releaseBankPayment, { id: failed, denied_at }, by)
  expect(await answerTo(release(cashier))).toBe('second_person_needed')
  // Meanwhile no batch has it, and the refusal of an empty one says so.
  expect(await test.call(makeBankBatch, {}, cashier)).toMatchObject({
    data: { reason: 'nothing_to_pay' },
    msg: expect.stringContaining('waits for “Export again”'),
  })
  expectSuccess(await release(owner))
  expect(await release(owner)).toMatchObject({
    data: { reason: 'already_decided' },
    msg: expect.stringContaining('owner was first'),
  })
  // The player's page shows what was done with his withdrawal.
  const ofPlayer = { user_id: withdrawals[1]?.member.id ?? 0, limit: 3 }
  const { data: actions } = await test.call(playerActions, ofPlayer, owner)
  const subject = `withdrawal:${failed}`
  const facts = { batch: id, player_id: ofPlayer.user_id, amount: '120.00' }
  expect(actions.list).toMatchObject([
    { action: 'bank_payment_released', subject, staff: 'owner' },
    {
      action: 'bank_payment_failed',
      subject,
      staff: 'finance',
      details: { ...facts, reason: 'no such account' },
    },
    { action: 'bank_payment_sent', subject, staff: 'finance', details: facts },
  ])
  await expectAlwaysTrue(test.database.owner)
})

it('nothing of a file with a wrong line is recorded, and the line and the reason are reported', async () => {
  const { owner, ids, answer, shown } = await sent(2)
  const [first, second] = ids
  const good = `${first},120.00,paid,GOOD ${first},\n`
  const wrong = [
    [`999999,120.00,paid,R 1234,`, 'This withdrawal is not in the batch'],
    [`${second},120.01,paid,R 1234,`, 'The amount is not that of the withdrawal'],
    [`${second},120,lost,R 1234,`, 'status is neither paid nor failed'],
  ] as const
  for (const [line, problem] of wrong) {
    expect(await answer(good + line)).toMatchObject({
      code: 0,
      msg: `Line 3: ${problem}. Nothing was taken from the file`,
      data: { reason: 'bank_file_wrong', line: 3, problem },
    })
  }
  // A check names all of them, as far as they can be read.
  const [missing, amount] = wrong.map(([line]) => line)
  const { data: checked } = await answer(`${amount}\n${missing}\n`, { check: true })
  expect(checked.faults).toEqual([
    { line: 2, problem: 'The amount is not that of the withdrawal' },
    { line: 3, problem: 'This withdrawal is not in the batch' },
  ])
  // A person who approved a withdrawal must not record that it was paid.
  expect(await answer(good, { by: owner })).toMatchObject({ data: { paid: 0, left: 1 } })
  expect(await shown()).toMatchObject({ state: 'open', paid: 0, failed: 0 })
  expect(await answer(good, { of: 999_999 })).toMatchObject({ code: 404 })
  expect(await answer()).toMatchObject({ code: 400 })
  expect(await answerTo(answer('x'.repeat(6_000_000)))).toBe('too_large')

  // Nor is one that contradicts an earlier answer.
  expectSuccess(await answer(good))
  expect(await answer(`${first},120.00,paid,ANOTHER ${first},`)).toMatchObject({
    data: { line: 2, problem: 'The bank has answered otherwise of this withdrawal before' },
  })
  await expectAlwaysTrue(test.database.owner)
})

it('no file has what is paid, or is of a frozen player, and what its first taking drops is in the log', async () => {
  const { owner, cashier, id, ids, withdrawals, file, answer, shown } = await sent(3)
  const [dropped, paid, frozen] = ids
  const numbers = async () => (await file()).map(([, withdrawal]) => Number(withdrawal))
  const players = withdrawals.map(({ member }) => member.id) as typeof ids
  const state = (player: number, to: string) =>
    changePlayer(test.database, player, `state = '${to}'`)
  await state(players[0], 'frozen')
  expect(await numbers()).toEqual([paid, frozen])
  const { data: log } = await test.call(listAuditRows, { subject: `withdrawal:${dropped}` }, owner)
  const details = { batch: id, player_id: players[0], amount: '120.00' }
  expect(log.list.slice(0, 2)).toMatchObject([
    { action: 'bank_payment_dropped', staff: 'finance', details },
    { action: 'bank_payment_sent', staff: 'finance', details },
  ])
  await state(players[0], 'active')
  await state(players[2], 'frozen')
  const frozenOne = (obstacle: string) => expect.objectContaining({ state: 'sent', obstacle })
  const { data: forCashier } = await test.call(oneBankBatch, { id }, cashier)
  expect(forCashier.list).toContainEqual(frozenOne('account_frozen'))
  // Who approved it may not pay it, frozen or not.
  expect((await shown()).list).not.toContainEqual(frozenOne('account_frozen'))
  expect(await numbers()).toEqual([paid])
  await state(players[2], 'active')
  expectSuccess(await answer(`${paid},120.00,paid,FILE ${paid},\n`))
  expect(await numbers()).toEqual([frozen])
})

it('a batch that was cancelled has no file, and a second cancellation names the first', async () => {
  const { owner, cashier, id, ids } = await sent(1)
  const reason = 'The bank took no file today'
  const cancel = () => test.call(cancelBankBatch, { id, reason }, owner)
  expectSuccess(await cancel())
  expect(await cancel()).toMatchObject({
    data: { reason: 'already_decided' },
    msg: expect.stringContaining('owner was first'),
  })
  const { data: list } = await test.call(listBankBatches, { state: 'cancelled' }, owner)
  expect(list.list[0]).toMatchObject({ id, cancel_reason: reason })
  expectSuccess(await test.call(releaseBankBatch, { id }, cashier))
  const { data: log } = await test.call(listAuditRows, { subject: `withdrawal:${ids[0]}` }, owner)
  expect(log.list.slice(0, 3)).toMatchObject([
    { action: 'bank_payment_released', staff: 'finance', details: { batch: id } },
    { action: 'bank_payment_cancelled', staff: 'owner', details: { batch: id, reason } },
    { action: 'bank_payment_sent', staff: 'finance', details: { batch: id } },
  ])
  const headers = { Token: cashier.token }
  const reply = await test.fetch(`${bankBatchFile.path}?id=${id}`, { headers })
  expect(await reply.json()).toMatchObject({ data: { reason: 'already_decided' } })
})
