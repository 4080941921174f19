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
const PAYEE = 'Bank of Hanoi •••• 4242'

/** A cash desk with a request of 250 u, and how it is stored. */
async function desk() {
  const opened = await openCashDesk()
  const { owner, request } = opened
  const name = (column: string) => `(select name from staff.member where id = ${column})`
  const stored = async () => {
    const [row] = await owner.query(
      `select state, ${name('first_approved_by')} as first, ${name('coalesce(approved_by, rejected_by)')} as by,
         decided_at as at, reject_reason as why, payout_reference as reference,
         ${name('payout_recorded_by')} as payer, paid_at as "paidAt"
       from withdrawals.withdrawal`,
    )
    return row
  }
  return { ...opened, id: await request(250), stored }
}

const NOT_PAID = { reference: null, payer: null, paidAt: null }

it('the first of two approvals is only logged, and the second is told to the player', async () => {
  const { database, db, owner, ann, bob, player, id, stored, notices, audited } = await desk()
  await owner.query('update withdrawals.terms set two_persons_from = $1', [250n * U])
  expect(await approveWithdrawal(db, { id, session: ann })).toBe('first_approval')
  expect(await stored()).toMatchObject({ state: 'waiting', first: `m${ann}`, by: null })
  expect(await notices()).toEqual([])
  const logged = (by: string, action: string) => ({
    by: `m${by}`,
    action,
    subject: `withdrawal:${id}`,
    details: { player_id: player, amount: '250.00' },
  })
  expect(await audited()).toEqual([logged(ann, 'withdrawal_first_approval')])
  expect(await approveWithdrawal(db, { id, session: ann })).toEqual({
    refused: 'second_person_needed',
  })
  expect(await approveWithdrawal(db, { id, session: bob })).toBe('approved')
  expect(await stored()).toMatchObject({ state: 'approved', first: `m${ann}`, by: `m${bob}` })
  expect(await notices()).toEqual([
    { player, kind: 'withdrawal_approved', facts: { amount: '250.00', payee: PAYEE } },
  ])
  expect(await audited()).toEqual([
    logged(ann, 'withdrawal_first_approval'),
    logged(bob, 'withdrawal_approved'),
  ])
  expect(await cashOf(database, player)).toBe(750n * U)
  await expectAlwaysTrue(owner)
})

it('a rejection returns the money, and its reason is told to the player and to the log', async () => {
  const { database, db, owner, bob, player, id, stored, notices, audited } = await desk()
  expect(await cashOf(database, player)).toBe(750n * U)
  const why = 'The name on the card is another'
  expect(await rejectWithdrawal(db, { id, session: bob, why })).toBeNull()
  expect(await stored()).toEqual({
    state: 'rejected',
    first: null,
    by: `m${bob}`,
    at: DESK_AT,
    why,
    ...NOT_PAID,
  })
  expect(await notices()).toEqual([
    {
      player,
      kind: 'withdrawal_rejected',
      facts: { amount: '250.00', payee: PAYEE, reason: why },
    },
  ])
  expect(await audited()).toEqual([
    {
      by: `m${bob}`,
      action: 'withdrawal_rejected',
      subject: `withdrawal:${id}`,
      details: { player_id: player, amount: '250.00', reason: why },
    },
  ])
  expect(await cashOf(database, player)).toBe(1_000n * U)
  await expectAlwaysTrue(owner)
})

it('a payout by another person keeps its reference, which is told to the player and to the log', async () => {
  const { database, db, owner, ann, bob, player, id, stored, notices, audited } = await desk()
  await approveWithdrawal(db, { id, session: ann })
  const reference = 'Bank 2026/17'
  expect(await recordPayout(db, { id, session: ann, reference })).toEqual({
    refused: 'second_person_needed',
  })
  expect(await takePayment(db, { id, session: bob, takenFrom: undefined })).toBeNull()
  expect(await recordPayout(db, { id, session: bob, reference })).toBeNull()
  expect(await stored()).toEqual({
    state: 'approved',
    first: null,
    by: `m${ann}`,
    at: DESK_AT,
    why: null,
    reference,
    payer: `m${bob}`,
    paidAt: DESK_AT,
  })
  expect((await notices()).slice(1)).toEqual([
    {
      player,
      kind: 'withdrawal_paid',
      facts: { amount: '250.00', payee: PAYEE, reference },
    },
  ])
  expect((await audited()).slice(1)).toEqual([
    {
      by: `m${bob}`,
      action: 'payment_taken',
      subject: `withdrawal:${id}`,
      details: { player_id: player, amount: '250.00' },
    },
    {
      by: `m${bob}`,
      action: 'withdrawal_paid',
      subject: `withdrawal:${id}`,
      details: { player_id: player, amount: '250.00', reference },
    },
  ])
  expect(await cashOf(database, player)).toBe(750n * U)
  await expectAlwaysTrue(owner)
})
