/** The rest of a closed account: requested by staff, approved by another person; refusals, and who waits for whom. */
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  keepRest,
  listPlayers,
  onePlayer,
  playerNotes,
} from '@sum28/contract/staff-players-routes.ts'
import { confirmProposal, listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import {
  approveWithdrawal,
  oneWithdrawal,
  proposeReversal,
  rejectWithdrawal,
  requestRest,
} from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import type { Transaction } from '#src/db/database.ts'
import {
  anonymiseClosed,
  closeAccount,
  writeClosedKept,
} from '#src/modules/own-account/close-account.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, moveMoney } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { addPayMethod, DESK_AT, openCashDesk } from '#testing/people/cash-desk.ts'
import { addWallet, TEST_CARD } from '#testing/people/cashier.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession, staffToken } from '#testing/people/staff.ts'
import {
  deposit,
  expectSuccess,
  faultsOf,
  registerMember,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { requestRestOf } from './withdrawal-store.ts'

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
  const { id } = made.data
  expectSuccess(await test.call(approveWithdrawal, { id }, owner))
  // Of money that comes back its player is told to ask support: he cannot log in.
  expectSuccess(await test.call(proposeReversal, { id, reason: 'A closed wallet' }, finance))
  const { data } = await test.call(listProposals, { subject: `withdrawal:${id}` }, owner)
  expectSuccess(await test.call(confirmProposal, { id: data.list[0]?.id ?? 0 }, owner))
  const notices = ['rest_returned', 'withdrawal_approved', 'rest_requested']
  expect(await noticesOf(member, 3)).toEqual(notices)
  await expectAlwaysTrue(test.database.owner)
})

it('or to another payee, which is checked and saved as one that the player gives', async () => {
  const { finance, owner, member } = await closedWithRest('rest_bob')
  const ask = (fields: object) =>
    test.call(requestRest, { user_id: member.id, reason, ...fields }, finance)
  // The bank's file is a table, whoever named the payee.
  const formula = 'x;=1'
  for (const [given, ...faults] of [
    [{}, 'pay_id'],
    [{ number: TEST_CARD }, 'kind'],
    [{ kind: 'bank' }, 'number'],
    [{ ...CARD, number: '4242 42' }, 'number'],
    [{ ...CARD, bank_name: '' }, 'bank_name'],
    [{ ...CARD, label: '' }, 'label'],
    [{ ...CARD, label: formula, bank_name: formula }, 'label', 'bank_name'],
  ] as const) {
    expect(await faultsOf(ask(given)), JSON.stringify(given)).toEqual(faults)
  }
  const { data } = await ask(CARD)
  expect(data).toMatchObject({ quantity: '7.00' })
  expect((await test.call(oneWithdrawal, { id: data.id }, owner)).data).toMatchObject({
    payee: { kind: 'bank', number: '•••• 4242', label: 'BOB RAY', bank_name: 'Hanoi' },
    // Who approves it reads why the payee is the player's.
    requested_by: finance.login.name,
    request_reason: reason,
    risks: expect.arrayContaining([expect.objectContaining({ kind: 'payee_new' })]),
  })
  // The log is kept for ever, and names no bank or card of his.
  const { data: log } = await test.call(listAuditRows, { limit: 1 }, owner)
  expect(log.list).toMatchObject([{ action: 'rest_requested', subject: `withdrawal:${data.id}` }])
  expect(log.list[0]?.details).toEqual({
    amount: '7.00',
    pay_id: expect.any(Number),
    player_id: member.id,
    reason,
  })
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

it('what came back to a closed account is a task of cashiers until it is requested again, or noted to be kept', async () => {
  const { owner, finance, member, payId } = await closedWithRest('rest_joy')
  const support = await addStaff(test, 'support')
  const listed = async () => {
    const { list } = (await test.call(listPlayers, { due: 'now', limit: 100 }, finance)).data
    return list.map(({ id }) => id)
  }
  const taskOf = async (who: { token: string }) => {
    const { needs } = (await test.call(startNeeds, {}, who)).data
    return needs.find(({ need }) => need === 'rests_returned')
  }
  const sendBack = async () => {
    const made = await test.call(
      requestRest,
      { user_id: member.id, pay_id: payId, reason },
      finance,
    )
    expect(await listed()).not.toContain(member.id)
    const rejected = { id: made.data.id, reason: 'A closed wallet' }
    expectSuccess(await test.call(rejectWithdrawal, rejected, owner))
  }
  // What he left there himself is his to ask for.
  expect(await listed()).not.toContain(member.id)
  await sendBack()
  expect(await listed()).toContain(member.id)
  const task = { count: (await listed()).length, since: expect.any(Number) }
  expect(await taskOf(finance)).toMatchObject({ ...task, yours: true })
  expect(await taskOf(support)).toMatchObject({ ...task, yours: false })

  await sendBack()
  expectSuccess(await test.call(keepRest, { user_id: member.id, reason }, finance))
  expect(await listed()).not.toContain(member.id)
  await sendBack()
  expect(await listed()).toContain(member.id)
})

/** The same below the API, with a card. */
async function closedAtDesk() {
  const desk = await openCashDesk()
  const { database, db, owner, ann } = desk
  const closed = await addPlayer(database, { u: 7 })
  const card = await addPayMethod(database, closed)
  expect(await closeAccount(db, { playerId: closed, session: null })).toBeNull()
  const credit = (amount: bigint, tx: Pick<Transaction, 'query'> = owner) =>
    moveMoney(tx, 'deposit', { playerId: closed, micro: amount, reference: `test:${amount}` })
  await credit(100n)
  const ask = (change: Partial<Parameters<typeof requestRestOf>[1]> = {}) =>
    db.transaction((tx) =>
      requestRestOf(tx, {
        playerId: closed,
        payMethodId: card,
        onDay: '2026-11-20',
        session: ann,
        ...change,
      }),
    )
  const answerTo = async (change: Parameters<typeof ask>[0]) => (await ask(change)).answer
  return { ...desk, closed, card, credit, ask, answerTo }
}

it('is requested in whole hundredths and not again while it is pending, and what is finer stays booked', async () => {
  const { ask, answerTo, say, bob, closed, database, owner, credit } = await closedAtDesk()
  const { id, answer, amount } = (await ask()) as { id: bigint; answer: string; amount: bigint }
  expect([answer, amount]).toEqual(['requested', 7n * MICRO])
  expect(await cashOf(database, closed)).toBe(100n)
  expect(
    await owner.query('select player_id, amount, cash_after, state from withdrawals.withdrawal'),
  ).toEqual([{ player_id: closed, amount: 7n * MICRO, cash_after: 100n, state: 'waiting' }])
  expect(await answerTo({})).toBe('withdrawal_pending')
  // It waits for no identity: nobody can send one any more.
  await owner.query('update withdrawals.terms set identity_from = 1')
  expect(await say('approve($1, $2)', [id, bob])).toBe('approved')
  expect(await answerTo({})).toBe('insufficient_balance')
  // 99 hundredths of a cent are not enough yet, and 100 are.
  await credit(9_899n)
  expect(await answerTo({})).toBe('insufficient_balance')
  await credit(1n)
  expect(await ask()).toMatchObject({ answer: 'requested', amount: 10_000n })
  await expectAlwaysTrue(owner)
})

it('is not requested to a missing method, or for an open, a missing or an anonymised account, or a robot’s', async () => {
  const { answerTo, player, method, card, database, db, owner, closed } = await closedAtDesk()
  const robot = await addPlayer(database, { robot: true })
  await changePlayer({ owner }, robot, `state = 'closed', closed_at = app.now()`)
  for (const [change, answer] of [
    [{ payMethodId: 999 }, 'pay_method_missing'],
    // Another player's.
    [{ payMethodId: method }, 'pay_method_missing'],
    [{ playerId: player, payMethodId: method }, 'not_closed'],
    [{ playerId: 999_999 }, 'not_found'],
    [{ playerId: robot }, 'not_found'],
  ] as const) {
    expect(await answerTo(change), JSON.stringify(change)).toBe(answer)
  }
  await owner.query('update withdrawals.pay_method set replaced_at = app.now() where id = $1', [
    card,
  ])
  expect(await answerTo({})).toBe('pay_method_missing')
  expect(await cashOf(database, closed)).toBe(7n * MICRO + 100n)
  await writeClosedKept(owner, 365)
  await database.freezeClock(DESK_AT + 365 * 86_400_000)
  await anonymiseClosed(db)
  expect(await answerTo({ session: await staffToken(database) })).toBe('not_found')
})

it('is approved by another person than the one who requested it, also as the second of two', async () => {
  const { ask, say, request, ann, bob, cat, owner } = await closedAtDesk()
  // What waits of another player is in no way of it.
  await request()
  const { id } = (await ask()) as { id: bigint }
  await owner.query('update withdrawals.terms set two_persons_from = 0')
  expect(await say('approve($1, $2)', [id, ann])).toBe('same_person')
  expect(await say('approve($1, $2)', [id, bob])).toBe('first')
  expect(await say('approve($1, $2)', [id, ann])).toBe('same_person')
  expect(await say('approve($1, $2)', [id, cat])).toBe('approved')
  await expectAlwaysTrue(owner)
})

it('waits for money that is being booked, which it includes, and for a request that is being made', async () => {
  const { database, owner, closed, card, credit, ask, answerTo, say, ann, bob } =
    await closedAtDesk()
  const made = await answerAfter(database, { first: (tx) => credit(5n * MICRO, tx), second: ask })
  expect(made).toMatchObject({ answer: 'requested', amount: 12n * MICRO })
  expect(await cashOf(database, closed)).toBe(100n)
  await say(`reject($1, $2, 'no')`, [made.answer === 'requested' ? made.id : 0, ann])
  const request = { playerId: closed, payMethodId: card, onDay: '2026-11-20', session: bob }
  const second = await answerAfter(database, {
    first: (tx) => requestRestOf(tx, request),
    second: () => answerTo({}),
  })
  expect(second).toBe('withdrawal_pending')
  await expectAlwaysTrue(owner)
})
