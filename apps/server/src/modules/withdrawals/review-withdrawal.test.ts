/** A decision of staff: the money, the notice to the player, and the entry of the audit log. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { DESK_AT, openCashDesk } from '#testing/people/cash-desk.ts'
import {
  approveWithdrawal,
  recordPayout,
  rejectWithdrawal,
  takePayment,
} from './review-withdrawal.ts'

const U = 1_000_000n

/** A cash desk with a request of 250 u, how it is stored, and what is told and logged of it. */
async function desk() {
  const opened = await openCashDesk()
  const { owner, player, request } = opened
  const id = await request(250)
  const name = (column: string) => `(select name from staff.member where id = ${column})`
  const stored = () =>
    owner.one(
      `select state, ${name('first_approved_by')} as first, ${name('coalesce(approved_by, rejected_by)')} as by,
         decided_at as at, reject_reason as why, payout_reference as reference,
         ${name('payout_recorded_by')} as payer, paid_at as "paidAt"
       from withdrawals.withdrawal`,
    )
  const undecided = { first: null, by: null, at: null, why: null }
  return {
    ...opened,
    id,
    stored,
    waiting: { state: 'waiting', ...undecided, reference: null, payer: null, paidAt: null },
    told: (kind: string, more: object = {}) => ({
      player,
      kind,
      facts: { amount: '250.00', payee: 'Bank of Hanoi •••• 4242', ...more },
    }),
    logged: (by: string, action: string, more: object = {}) => ({
      by: `m${by}`,
      action,
      subject: `withdrawal:${id}`,
      details: { player_id: player, amount: '250.00', ...more },
    }),
  }
}

const SAME_PERSON = { refused: 'second_person_needed' }

it('the first of two approvals is only logged, and the second is told to the player', async () => {
  const { database, db, owner, ann, bob, player, id, ...seen } = await desk()
  const { stored, waiting, told, logged, notices, audited } = seen
  await owner.query('update withdrawals.terms set two_persons_from = $1', [250n * U])
  expect(await approveWithdrawal(db, { id, session: ann })).toBe('first_approval')
  expect(await stored()).toEqual({ ...waiting, first: `m${ann}` })
  expect(await notices()).toEqual([])
  const first = logged(ann, 'withdrawal_first_approval')
  expect(await audited()).toEqual([first])
  expect(await approveWithdrawal(db, { id, session: ann })).toEqual(SAME_PERSON)
  expect(await approveWithdrawal(db, { id, session: bob })).toBe('approved')
  const approved = { state: 'approved', first: `m${ann}`, by: `m${bob}`, at: DESK_AT }
  expect(await stored()).toEqual({ ...waiting, ...approved })
  expect(await notices()).toEqual([told('withdrawal_approved')])
  expect(await audited()).toEqual([first, logged(bob, 'withdrawal_approved')])
  expect(await cashOf(database, player)).toBe(750n * U)
  await expectAlwaysTrue(owner)
})

it('a rejection returns the money, and its reason is told to the player and to the log', async () => {
  const { database, db, owner, bob, player, id, ...seen } = await desk()
  const { stored, waiting, told, logged, notices, audited } = seen
  expect(await cashOf(database, player)).toBe(750n * U)
  const why = 'The name on the card is another'
  expect(await rejectWithdrawal(db, { id, session: bob, why })).toBeNull()
  const rejected = { state: 'rejected', by: `m${bob}`, at: DESK_AT, why }
  expect(await stored()).toEqual({ ...waiting, ...rejected })
  expect(await notices()).toEqual([told('withdrawal_rejected', { reason: why })])
  expect(await audited()).toEqual([logged(bob, 'withdrawal_rejected', { reason: why })])
  expect(await cashOf(database, player)).toBe(1_000n * U)
  await expectAlwaysTrue(owner)
})

it('a payout by another person keeps its reference, which is told to the player and to the log', async () => {
  const { database, db, owner, ann, bob, player, id, ...seen } = await desk()
  const { stored, told, logged, notices, audited } = seen
  await approveWithdrawal(db, { id, session: ann })
  const approved = await stored()
  const reference = 'Bank 2026/17'
  expect(await recordPayout(db, { id, session: ann, reference })).toEqual(SAME_PERSON)
  expect(await takePayment(db, { id, session: bob, takenFrom: undefined })).toBeNull()
  expect(await recordPayout(db, { id, session: bob, reference })).toBeNull()
  const paid = { reference, payer: `m${bob}`, paidAt: DESK_AT }
  expect(await stored()).toEqual({ ...approved, ...paid })
  expect((await notices()).slice(1)).toEqual([told('withdrawal_paid', { reference })])
  expect((await audited()).slice(1)).toEqual([
    logged(bob, 'payment_taken'),
    logged(bob, 'withdrawal_paid', { reference }),
  ])
  expect(await cashOf(database, player)).toBe(750n * U)
  await expectAlwaysTrue(owner)
})
