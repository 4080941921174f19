/** Each refusal of a decision of staff; one that another person has made before is refused with his name. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { DESK_AT, openCashDesk } from '#testing/people/cash-desk.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { approveWithdrawal, done, recordPayout, rejectWithdrawal } from './review-withdrawal.ts'
import { writeWithdrawalTerms } from './withdrawal-terms.ts'

const U = 1_000_000n

/** A cash desk with the decisions, each by default by Cat. */
async function desk() {
  const opened = await openCashDesk()
  const { db, cat, notices, audited } = opened
  const approve = (id: number, session = cat) => approveWithdrawal(db, { id, session })
  const reject = (id: number, session = cat) => rejectWithdrawal(db, { id, session, why: 'no' })
  const pay = (id: number, session = cat, reference = `PAID ${id}`) =>
    recordPayout(db, { id, session, reference })
  return {
    ...{ ...opened, approve, reject, pay },
    /** What an approval, a rejection and a payout by Cat are answered. */
    answers: async (id: number) => [await approve(id), await reject(id), await pay(id)],
    told: async () => ({ notices: await notices(), audited: await audited() }),
  }
}

const NOT_FOUND = { refused: 'not_found' }
const NOT_APPROVED = { refused: 'not_approved' }

/** The refusal of a decision that a person has made before. */
const decidedBy = (session: string) => ({
  ...{ refused: 'already_decided', details: { by: `m${session}`, at: expect.any(Number) } },
  wording: 'already_decided_by',
})

it('a withdrawal that does not exist is not found, and nothing is told', async () => {
  const { answers, told } = await desk()
  expect(await answers(999)).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND])
  expect(await told()).toEqual({ notices: [], audited: [] })
})

it('an approved one is decided by the person who approved it, and then by the person who paid it', async () => {
  const { database, owner, player, ann, bob, request, ...decisions } = await desk()
  const { approve, reject, pay, answers, told } = decisions
  const id = await request()
  expect(await pay(id)).toEqual(NOT_APPROVED)
  expect(await approve(id, ann)).toBe('approved')
  const before = await told()
  expect([await approve(id), await reject(id)]).toEqual([decidedBy(ann), decidedBy(ann)])
  expect(await told()).toEqual(before)
  expect(await pay(id, bob)).toBeNull()
  const paid = await told()
  expect(await answers(id)).toEqual([decidedBy(bob), decidedBy(bob), decidedBy(bob)])
  expect(await told()).toEqual(paid)
  expect(await cashOf(database, player)).toBe(900n * U)
  await expectAlwaysTrue(owner)
})

it('one whose account was changed after the request is not approved before the hold is over', async () => {
  const { database, owner, request, approve } = await desk()
  await writeWithdrawalTerms(owner, { holdMs: 60_000, twoPersonsFrom: 1_000n * U })
  const id = await request()
  await database.freezeClock(DESK_AT + 1)
  await owner.query('update accounts.player set sensitive_changed_at = app.now()')
  await database.freezeClock(DESK_AT + 60_000)
  expect(await approve(id)).toEqual({ refused: 'withdrawal_on_hold' })
  await database.freezeClock(DESK_AT + 60_001)
  expect(await approve(id)).toBe('approved')
})

it('a rejected one is decided by the person who rejected it, and cannot be paid', async () => {
  const { database, owner, player, bob, request, reject, answers, told } = await desk()
  const id = await request()
  expect(await reject(id, bob)).toBeNull()
  const before = await told()
  expect(await answers(id)).toEqual([decidedBy(bob), decidedBy(bob), NOT_APPROVED])
  expect(await told()).toEqual(before)
  expect(await cashOf(database, player)).toBe(1_000n * U)
  await expectAlwaysTrue(owner)
})

it('a payout is refused while it is at the bank, and with the reference of another', async () => {
  const { db, ann, bob, approved, pay, told } = await desk()
  expect(await pay(await approved(), bob, 'Bank 17')).toBeNull()
  const id = await approved()
  const before = await told()
  expect(await pay(id, bob, 'bank 17')).toEqual({ refused: 'reference_used' })
  await db.query('select from console_money.make_batch(10, $1)', [ann])
  expect(await pay(id, bob, 'Bank 18')).toEqual({ refused: 'at_bank' })
  expect(await told()).toEqual(before)
})

it('an approval is refused while the account of the player is frozen, but a rejection is not', async () => {
  const { database, owner, player, request, approve, reject } = await desk()
  const id = await request()
  await changePlayer({ owner }, player, `state = 'frozen'`)
  expect(await approve(id)).toEqual({ refused: 'account_frozen' })
  expect(await reject(id)).toBeNull()
  expect(await cashOf(database, player)).toBe(1_000n * U)
  await expectAlwaysTrue(owner)
})

it('a decision about a withdrawal that is gone is an error', async () => {
  const { db, ann, told } = await desk()
  const decision = { id: 999, session: ann, action: 'withdrawal_approved' }
  await expect(db.transaction((tx) => done(tx, decision))).rejects.toThrow(
    'the withdrawal 999 that was decided is gone',
  )
  expect(await told()).toEqual({ notices: [], audited: [] })
})
