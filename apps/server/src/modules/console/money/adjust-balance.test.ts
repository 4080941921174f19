/** Bonuses and corrections: by two people, within the limits of their roles, once, and never below zero. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { takeBreak } from '@sum28/contract/protection-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { playerActions } from '@sum28/contract/staff-players-routes.ts'
import {
  adjustmentLimits,
  confirmProposal,
  endProposal,
  listProposals,
  proposeAdjustment,
} from '@sum28/contract/staff-proposal-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { writeAdjustmentLimits } from '#src/modules/wallet/adjustment-limits.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm, end } from '#testing/people/proposals.ts'
import { addStaff, proposalsWaiting, staffSession, staffToken } from '#testing/people/staff.ts'
import { deposit, registerMember, useWorkersApp } from '#testing/product/test-app.ts'

const app = useWorkersApp()

async function peopleAnd(name: string, u = 0) {
  const test = app()
  const [owner, finance, support] = [
    await staffSession(test),
    await addStaff(test, 'finance'),
    await addStaff(test, 'support'),
  ]
  const member = await registerMember(test, name)
  if (u > 0) await deposit(test, member, u)
  const balance = async () => (await test.call(userInfo, {}, member)).data.money
  return { test, owner, finance, support, member, balance }
}

it('a bonus is proposed by one person, confirmed by another, and reported to the player with its reason', async () => {
  const { test, owner, finance, support, member, balance } = await peopleAnd('bonus_ann')
  const reason = 'A gift for the new year'
  const proposal = { user_id: member.id, kind: 'bonus' as const, money: '12.50', reason }
  const before = await proposalsWaiting(test, finance)
  const { data: made } = await test.call(proposeAdjustment, proposal, finance)
  expect(await balance()).toBe('0.00')
  expect(await proposalsWaiting(test, finance)).toBe(before + 1)
  expect((await test.call(confirmProposal, made, finance)).data).toMatchObject({
    reason: 'second_person_needed',
  })
  expect(await test.call(confirmProposal, made, support)).toMatchObject({ code: 403 })
  expect(await test.call(confirmProposal, made, owner)).toMatchObject({ code: 1 })
  expect(await balance()).toBe('12.50')
  const late = await test.call(endProposal, { ...made, reason: 'no' }, finance)
  expect(late).toMatchObject({ msg: 'owner was first: this has been decided already' })
  expect(late.data).toMatchObject({ reason: 'already_decided', by: 'owner' })

  expect((await test.call(quantityLogList, { type: 4 }, member)).data).toMatchObject([
    { type: 4, mark: `Bonus: ${reason}`, status: 1, quantity: '12.50', over: '12.50' },
  ])
  const { zhannei: notices } = (await test.call(noticeList, {}, member)).data
  expect(notices[0]).toMatchObject({ title: 'Bonus of 12.50 u' })
  expect(notices[0]?.content).toContain(reason)
  const { data: found } = await test.call(listProposals, { q: String(made.id) }, support)
  expect(found.list).toMatchObject([
    {
      ...{ id: made.id, kind: 'bonus', name: 'bonus_ann', state: 'confirmed', reason },
      ...{ confirmed_by: 'owner', changes: [{ what: 'bonus', before: null, after: '12.50' }] },
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

it('a correction takes no more than is free, when it is proposed and when it is confirmed', async () => {
  const { test, owner, finance, member, balance } = await peopleAnd('debit_bob', 30)
  const debit = (money: string) => ({
    ...{ user_id: member.id, kind: 'debit' as const, money },
    reason: 'Credited twice',
  })
  const above = await test.call(proposeAdjustment, debit('30.01'), finance)
  expect(above).toMatchObject({ msg: 'The player has only 30.00 u free' })
  expect(above.data).toMatchObject({ reason: 'insufficient_balance', left: '30.00' })
  const { data: first } = await test.call(proposeAdjustment, debit('20'), finance)
  const { data: second } = await test.call(proposeAdjustment, debit('15'), finance)
  expect(await test.call(confirmProposal, first, owner)).toMatchObject({ code: 1 })
  expect((await test.call(confirmProposal, second, owner)).data).toMatchObject({
    reason: 'insufficient_balance',
    left: '10.00',
  })
  expect(await balance()).toBe('10.00')
  expect(await test.call(endProposal, { ...second, reason: 'spent' }, finance)).toMatchObject({
    code: 1,
  })
  const rows = (await test.call(listProposals, { subject: `player:${member.id}` }, finance)).data
    .list
  expect(rows).toMatchObject([
    { id: second.id, state: 'withdrawn', end_reason: 'spent' },
    { id: first.id, state: 'confirmed', kind: 'debit', changes: [{ after: '-20.00' }] },
  ])
  expect((await test.call(quantityLogList, { type: 4 }, member)).data).toMatchObject([
    { type: 4, mark: 'Correction: Credited twice', quantity: '-20.00', over: '10.00' },
  ])
  await expectAlwaysTrue(test.database.owner)
})

it('a proposal is changed by nobody, not even by the owner of the database, and is decided once', async () => {
  const { test, owner, finance, member } = await peopleAnd('guarded_gus')
  const proposal = { user_id: member.id, kind: 'bonus' as const, money: '5', reason: 'A gift' }
  const { data: made } = await test.call(proposeAdjustment, proposal, finance)
  const change = (what: string) =>
    test.database.owner.query(`update staff.proposal set ${what} where id = $1`, [made.id])
  for (const what of [`content = '{"amount": 500000000}'`, `kind = 'debit'`, `reason = 'x'`]) {
    await expect(change(what), what).rejects.toThrow('what was proposed never changes')
  }
  expect(await test.call(confirmProposal, made, owner)).toMatchObject({ code: 1 })
  for (const what of [
    `state = 'proposed', confirmed_by = null, confirmed_at = null`,
    'player_id = player_id',
  ]) {
    await expect(change(what), what).rejects.toThrow('is decided')
  }
})

it('a role has a limit for a player and a day, which smaller parts cannot exceed', async () => {
  const { test, owner, finance, support, member } = await peopleAnd('limit_cid')
  const { list } = (await test.call(adjustmentLimits, {}, support)).data
  expect(list).toEqual([
    { role: 'support', quantity: '50.00' },
    { role: 'finance', quantity: '1000.00' },
    { role: 'owner', quantity: '10000.00' },
  ])
  const propose = (money: string, by: { token: string }) =>
    test.call(
      proposeAdjustment,
      { user_id: member.id, kind: 'credit', money, reason: 'A lost bet' },
      by,
    )
  expect((await propose('50.01', support)).data).toMatchObject({
    ...{ reason: 'above_role_limit', maximum: '50.00', left: '50.00' },
  })
  expect(await propose('40', support)).toMatchObject({ code: 1 })
  expect(await propose('10.01', support)).toMatchObject({
    msg: 'Your role may give or take 50.00 u for a player within 24 hours; 10.00 u of it are left',
  })
  const { data: large } = await propose('2000', owner)
  expect((await test.call(confirmProposal, large, finance)).data).toMatchObject({
    ...{ reason: 'above_role_limit', maximum: '1000.00', left: '960.00' },
  })
  // Another player has a separate limit; the limit of this player is free again after a refusal.
  const other = await registerMember(test, 'limit_dan')
  const proposal = { user_id: other.id, kind: 'credit' as const, money: '50', reason: 'A lost bet' }
  expect(await test.call(proposeAdjustment, proposal, support)).toMatchObject({ code: 1 })
  await test.call(endProposal, { ...large, reason: 'too much' }, finance)
  expect(await propose('10', support)).toMatchObject({ code: 1 })
})

it('no bonus is given during a break, and nothing to an unknown player, by an auditor, or without a reason', async () => {
  const { test, finance, member } = await peopleAnd('break_eve')
  await test.call(takeBreak, { hours: 24 }, member)
  const proposal = { user_id: member.id, kind: 'bonus' as const, money: '5', reason: 'A gift' }
  const refused = await test.call(proposeAdjustment, proposal, finance)
  expect(refused).toMatchObject({
    msg: 'This player is on a break or under review: no bonus can be given',
  })
  expect(refused.data).toMatchObject({ reason: 'excluded' })
  expect(
    await test.call(proposeAdjustment, { ...proposal, kind: 'credit' }, finance),
  ).toMatchObject({
    code: 1,
  })
  for (const [wrong, answer] of [
    [{ user_id: 999_999_999 }, { code: 404 }],
    [{ reason: ' ' }, { code: 400, data: { fields: { reason: 'This is required' } } }],
    [{ reason: 'x'.repeat(201) }, { code: 400, data: { fields: { reason: 'This is too long' } } }],
    [{ money: '0' }, { code: 0, data: { reason: 'below_minimum' } }],
    [{ money: '-1' }, { code: 400, data: { fields: { money: 'This must not be negative' } } }],
    [
      { money: '0.001' },
      { code: 400, data: { fields: { money: 'This has more than two decimals' } } },
    ],
    [{ kind: 'gift' }, { code: 400, data: { reason: 'invalid_input' } }],
  ] as const) {
    const reply = await test.call(
      proposeAdjustment,
      { ...proposal, ...wrong } as typeof proposal,
      finance,
    )
    expect(reply, JSON.stringify(wrong)).toMatchObject(answer)
  }
  const auditor = await addStaff(test, 'auditor')
  expect(await test.call(proposeAdjustment, proposal, auditor)).toMatchObject({ code: 403 })
  const robot = only(
    await test.database.owner.query<{ id: number }>(
      `select coalesce(min(id), 999999999) as id from accounts.player where kind = 'robot'`,
    ),
  )
  expect(
    await test.call(proposeAdjustment, { ...proposal, user_id: robot.id }, finance),
  ).toMatchObject({ code: 404 })
})

it('a proposal that is sent again under its key is made once', async () => {
  const { test, finance, member } = await peopleAnd('key_fay')
  const proposal = { user_id: member.id, kind: 'credit', money: '5', reason: 'A lost bet' }
  const headers = { Token: finance.token, 'Idempotency-Key': 'adjust-once-1' }
  const send = () => test.post(proposeAdjustment.path, proposal, headers)
  const [first, again] = [await send(), await send()]
  expect(again.data).toEqual(first.data)
  const { list } = (await test.call(listProposals, { subject: `player:${member.id}` }, finance))
    .data
  expect(list).toHaveLength(1)
})

const op = fc.record({
  act: fc.constantFrom('propose', 'propose', 'confirm', 'confirm', 'end'),
  kind: fc.constantFrom('bonus', 'credit', 'debit'),
  u: fc.integer({ min: 1, max: 40 }),
  at: fc.nat(50),
  by: fc.nat(2),
})

const ROLES = ['owner', 'finance', 'support'] as const
const MAX = { owner: 150n * MICRO, finance: 90n * MICRO, support: 30n * MICRO }

it('no sequence moves money by one person, above a limit, twice, or below zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 15, maxLength: 30 }), async (ops) => {
      const database = await createTestDatabase()
      const { db, owner } = database
      await writeAdjustmentLimits(owner, MAX)
      const playerId = await addPlayer(database, { u: 0 })
      const sessions = await Promise.all(ROLES.map((role) => staffToken(database, { role })))
      const model: { id: bigint; kind: string; amount: bigint; state: string; by: number }[] = []
      let cash = 0n
      for (const { act, kind, u, at, by } of ops) {
        const amount = BigInt(u) * MICRO
        const session = sessions[by] ?? ''
        const one = model[at % Math.max(1, model.length)]
        const role = ROLES[by] ?? 'support'
        /** Why an adjustment is refused now; `except` is the one that is decided. */
        const judged = (adjustment: { kind: string; amount: bigint }, except?: object) => {
          const counted = model
            .filter((each) => each !== except && ['proposed', 'confirmed'].includes(each.state))
            .reduce((sum, each) => sum + each.amount, 0n)
          if (adjustment.kind === 'debit' && adjustment.amount > cash) return 'insufficient_balance'
          return adjustment.amount + counted > MAX[role] ? 'above_role_limit' : null
        }
        if (act === 'propose') {
          const made = only(
            await db.query<{ answer: string; id: bigint | null }>(
              `select answer, proposal_id as id
               from staff.propose($1, 'player:' || $2, jsonb_build_object('amount', $3::bigint), 'x', $4)`,
              [kind, playerId, amount, session],
            ),
          )
          expect(made.answer).toBe(judged({ kind, amount }) ?? 'proposed')
          if (made.id !== null) model.push({ id: made.id, kind, amount, state: 'proposed', by })
        } else if (one && role !== 'support') {
          const open = one.state === 'proposed'
          if (act === 'end') {
            const becomes = one.by === by ? 'withdrawn' : 'refused'
            const word = await end(db, Number(one.id), session)
            expect(word).toBe(open ? becomes : 'decided')
            if (open) one.state = becomes
          } else {
            const word = await confirm(db, Number(one.id), session)
            const fit = one.by === by ? 'same_person' : (judged(one, one) ?? 'confirmed')
            expect(word).toBe(open ? fit : 'decided')
            if (word === 'confirmed') {
              one.state = 'confirmed'
              cash += one.kind === 'debit' ? -one.amount : one.amount
            }
          }
        }
        const rows = await db.query<{ cash: bigint }>(
          'select cash from ledger.balance where holder_id = $1',
          [playerId],
        )
        expect(only(rows).cash).toBe(cash)
      }
      await expectAlwaysTrue(owner)
      const states = await db.query<{ state: string }>(
        'select state from staff.proposal order by id',
      )
      expect(states.map(({ state }) => state)).toEqual(model.map(({ state }) => state))
    }),
    { numRuns: 4 },
  )
})
