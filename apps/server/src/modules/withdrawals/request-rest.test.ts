/** The rest of a closed account: requested by staff after its withdrawal came back, and approved by another person. */
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { keepRest, onePlayer, playerNotes } from '@sum28/contract/staff-players-routes.ts'
import { confirmProposal, listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import {
  approveWithdrawal,
  oneWithdrawal,
  proposeReversal,
  rejectWithdrawal,
  requestRest,
} from '@sum28/contract/staff-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import { closeAccount } from '#src/modules/own-account/close-account.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf, moveMoney } from '#testing/database/fixtures.ts'
import { addWallet, TEST_CARD } from '#testing/people/cashier.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { deposit, expectSuccess, registerMember, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()
const reason = 'told by mail, number 12'
const CARD = { kind: 'bank', number: TEST_CARD, label: 'BOB RAY', bank_name: 'Hanoi' } as const

/** A member who has closed his account with 7 u and a hundredth of a cent in it, and a wallet. */
async function closedWithRest(name: string) {
  const [owner, finance] = [await staffSession(test), await addStaff(test, 'finance')]
  const member = await registerMember(test, name)
  await deposit(test, member, 7)
  const rest = { playerId: member.id, micro: 100n, reference: `test:${name}` }
  await moveMoney(test.database.owner, 'deposit', rest)
  const payId = await addWallet(test, member)
  expect(await closeAccount(test.database.db, { playerId: member.id, session: null })).toBeNull()
  return { owner, finance, member, payId }
}

/** The kinds of the latest notices, the newest first. */
const noticesOf = (member: { id: number }, count: number) =>
  test.database.owner.column<string>(
    'select kind from inbox.message where player_id = $1 order by id desc limit $2',
    [member.id, count],
  )

it('the rest of a closed account is requested by staff to a saved payee, and another person approves it', async () => {
  const { owner, finance, member, payId } = await closedWithRest('rest_ann')
  const request = { user_id: member.id, pay_id: payId, reason }
  const made = await test.call(requestRest, request, finance)
  expect(made).toMatchObject({ code: 1, data: { quantity: '7.00' } })
  expect(await cashOf(test.database, member.id)).toBe(100n)
  await expectAlwaysTrue(test.database.owner)
  const { id } = made.data
  expect(await test.call(approveWithdrawal, { id }, owner)).toMatchObject({ code: 1 })
  expect(await noticesOf(member, 2)).toEqual(['withdrawal_approved', 'rest_requested'])
  await expectAlwaysTrue(test.database.owner)
})

it('its player is told to ask support for money that comes back, because he cannot log in', async () => {
  const { owner, finance, member, payId } = await closedWithRest('rest_dan')
  const request = { user_id: member.id, pay_id: payId, reason }
  const { id } = (await test.call(requestRest, request, finance)).data
  expectSuccess(await test.call(approveWithdrawal, { id }, owner))
  expectSuccess(await test.call(proposeReversal, { id, reason: 'A closed wallet' }, finance))
  const { data } = await test.call(listProposals, { subject: `withdrawal:${id}` }, owner)
  expectSuccess(await test.call(confirmProposal, { id: data.list[0]?.id ?? 0 }, owner))
  expect(await noticesOf(member, 1)).toEqual(['rest_returned'])
})

it('or to another payee, which is checked and saved as one that the player gives', async () => {
  const { finance, owner, member } = await closedWithRest('rest_bob')
  const ask = (fields: object) =>
    test.call(requestRest, { user_id: member.id, reason, ...fields }, finance)
  const fields = async (given: object) =>
    Object.keys(((await ask(given)).data as { fields?: object }).fields ?? {})
  expect(await fields({})).toEqual(['pay_id'])
  expect(await fields({ number: TEST_CARD })).toEqual(['kind'])
  expect(await fields({ kind: 'bank' })).toEqual(['number'])
  expect(await fields({ ...CARD, number: '4242 42' })).toEqual(['number'])
  expect(await fields({ ...CARD, bank_name: '' })).toEqual(['bank_name'])
  expect(await fields({ ...CARD, label: '' })).toEqual(['label'])
  // The bank's file is a table, whoever named the payee.
  const formula = 'x;=1'
  expect(await fields({ ...CARD, label: formula, bank_name: formula })).toEqual([
    ...['label', 'bank_name'],
  ])
  const { data } = await ask(CARD)
  expect(data).toMatchObject({ quantity: '7.00' })
  expect((await test.call(oneWithdrawal, { id: data.id }, owner)).data).toMatchObject({
    payee: { kind: 'bank', number: '•••• 4242', label: 'BOB RAY', bank_name: 'Hanoi' },
    // Who approves it reads why the payee is the player's.
    requested_by: finance.login.name,
    request_reason: reason,
    risks: expect.arrayContaining([expect.objectContaining({ kind: 'payee_new' })]),
  })
  const { data: log } = await test.call(listAuditRows, { limit: 1 }, owner)
  expect(log.list).toMatchObject([
    { action: 'rest_requested', subject: `withdrawal:${data.id}`, details: { reason } },
  ])
  // The log is kept for ever, and names no bank or card of his.
  expect(Object.keys(log.list[0]?.details ?? {}).sort()).toEqual([
    ...['amount', 'pay_id', 'player_id', 'reason'],
  ])
  await expectAlwaysTrue(test.database.owner)
})

it('a payee that staff saved for a closed account is a hint for ever, also once its request is withdrawn', async () => {
  const { finance, owner, member, payId } = await closedWithRest('rest_kim')
  const hintsOf = async (payee: object) => {
    const made = await test.call(requestRest, { user_id: member.id, reason, ...payee }, finance)
    const { id } = made.data
    const { risks } = (await test.call(oneWithdrawal, { id }, owner)).data
    expectSuccess(await test.call(rejectWithdrawal, { id, reason: 'A slip' }, finance))
    expect(await noticesOf(member, 1)).toEqual(['rest_returned'])
    return risks.map(({ kind }) => kind).filter((kind) => /^payee_(new|changed)$/.test(kind))
  }
  expect(await hintsOf(CARD)).toEqual(['payee_new'])
  await test.database.owner.query(
    `with closed as (
       update accounts.player set closed_at = closed_at - interval '9 days' where id = $1),
     saved as (
       update withdrawals.pay_method set created_at = created_at - interval '10 days' where id = $2)
     update withdrawals.pay_method set created_at = created_at - interval '8 days'
     where player_id = $1 and id <> $2`,
    [member.id, payId],
  )
  const { pay_methods: methods } = (await test.call(onePlayer, { user_id: member.id }, owner)).data
  expect(methods).toMatchObject([
    { kind: 'bank', by_staff: true },
    { kind: 'wallet', by_staff: false },
  ])
  expect(await hintsOf({ pay_id: methods[0]?.id })).toEqual(['payee_new'])
  expect(await hintsOf({ pay_id: payId })).toEqual([])
})

it('or it is kept booked, with a reason that is a note on the player and in the log', async () => {
  const { owner, finance, member } = await closedWithRest('rest_eve')
  const why = 'does not answer since May'
  expect(await test.call(keepRest, { user_id: member.id, reason: why }, finance)).toMatchObject({
    code: 1,
  })
  const { data: notes } = await test.call(playerNotes, { user_id: member.id }, owner)
  expect(notes.list).toMatchObject([
    { text: `7.0001 u stay booked: ${why}`, by: finance.login.name },
  ])
  const { data: log } = await test.call(listAuditRows, { limit: 1 }, owner)
  expect(log.list).toMatchObject([
    { action: 'rest_kept', details: { amount: '7.0001', reason: why } },
  ])
  const open = { user_id: (await registerMember(test)).id, reason: why }
  for (const refused of [
    await test.call(keepRest, open, finance),
    await test.call(requestRest, { ...open, ...CARD }, finance),
  ]) {
    expect(refused.data).toMatchObject({ reason: 'not_closed' })
  }
  expect(await cashOf(test.database, member.id)).toBe(7n * MICRO + 100n)
})
