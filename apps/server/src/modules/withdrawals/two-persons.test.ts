/** Who may approve and pay; the database decides it by who approved and paid before. */
import { describe, expect, it } from 'vitest'
import { correctPayout } from '#src/modules/console/money/chain-payout.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { addPayMethod, DESK_AT, openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import { staffToken } from '#testing/people/staff.ts'
import { withdrawalById } from './withdrawal-store.ts'
import { writeWithdrawalTerms } from './withdrawal-terms.ts'

const HOUR_MS = 3_600_000
const THRESHOLD = 10_000_000_000n

/** A cash desk with a threshold of 10,000 u, and a player with a million. */
async function house() {
  const desk = await openCashDesk({ u: 1_000_000 })
  const { database, say } = desk
  return {
    ...desk,
    approve: (id: number, session = desk.ann) => say('approve($1, $2)', [id, session]),
    reject: (id: number, session = desk.ann) => say(`reject($1, $2, 'no')`, [id, session]),
    pay: (id: number, session: string, reference = `ref ${id}`) =>
      payByHand(desk.db, { id, by: session, reference }),
    async addCustomer() {
      const player = await addPlayer(database, { u: 1_000_000 })
      return { player, method: await addPayMethod(database, player) }
    },
  }
}

describe('two people', () => {
  it('are required if withdrawals below the threshold together exceed it', async () => {
    const { database, db, owner, bob, player, request, approve } = await house()
    /** Whether staff are shown that it takes two, or took two once it is decided. */
    const takesTwo = async (id: number) => (await withdrawalById(db, id))?.twoPersons
    const one = await request(9_999.99)
    expect(await takesTwo(one)).toBe(false)
    expect(await approve(one)).toBe('approved')
    for (const repeat of [1, 2]) {
      const next = await request(9_999.99)
      expect(await takesTwo(next), String(repeat)).toBe(true)
      expect(await approve(next)).toBe('first')
      expect(await approve(next)).toBe('same_person')
      expect(await approve(next, bob)).toBe('approved')
      expect([await takesTwo(one), await takesTwo(next)]).toEqual([false, true])
    }
    expect(await cashOf(database, player)).toBe(970_000_030_000n)
    await expectAlwaysTrue(owner)
  })

  it('count what was approved before and not what was rejected, to the cent', async () => {
    const { request, approve, reject } = await house()
    await reject(await request(9_999.99))
    expect(await approve(await request(9_999))).toBe('approved')
    expect(await approve(await request(0.99))).toBe('approved')
    expect(await approve(await request(0.01))).toBe('first')
  })

  it('count the last 24 hours from the approval on, and neither what is older nor another’s', async () => {
    const { database, owner, addCustomer, request, approve } = await house()
    expect(await approve(await request(9_000))).toBe('approved')
    const another = await addCustomer()
    expect(await approve(await request(9_000, another))).toBe('approved')
    const next = await request(9_000)
    await database.freezeClock(DESK_AT + 24 * HOUR_MS - 1)
    expect(await approve(next, await staffToken(database))).toBe('first')
    await database.freezeClock(DESK_AT + 24 * HOUR_MS)
    const late = await request(9_000, another)
    expect(await approve(late, await staffToken(database))).toBe('approved')
    // The first of two approvals is never also the second, even if one would be enough by now.
    expect(await approve(next, await staffToken(database, { role: 'finance' }))).toBe('approved')
    await expectAlwaysTrue(owner)
  })

  it('are as many as the terms require at the approval, whatever they were at the request', async () => {
    const { owner, bob, request, approve } = await house()
    const first = await request(1)
    await writeWithdrawalTerms(owner, { holdMs: 0, twoPersonsFrom: 1_000_000n })
    expect(await approve(first)).toBe('first')
    // The first of two approvals stays the first, even if one would have been enough.
    await writeWithdrawalTerms(owner, { holdMs: 0, twoPersonsFrom: THRESHOLD })
    expect(await approve(first)).toBe('same_person')
    expect(await approve(first, bob)).toBe('approved')
  })
})

describe('a payout', () => {
  it('by the bank gets another reference, once another person than who named the last corrects it, and nobody is told', async () => {
    const { database, owner, ann, bob, cat, approved, pay, notices } = await house()
    const [id, other] = [await approved(1), await approved(1)]
    expect(await pay(id, bob, 'Bank 2')).toBe('paid')
    const correct = (by: string, reference: string | null, seen: string) =>
      correctPayout(database.db, { id, session: by, reason: 'A slip', reference, seen })
    const before = await withdrawalById(database.db, id)
    // Its own reference was recorded for another.
    expect(await pay(other, bob, 'Bank 2')).toBe('reference_used')
    await database.freezeClock(DESK_AT + 1)
    expect(await correct(bob, 'Bank 1', 'Bank 2')).toEqual({ refused: 'second_person_needed' })
    expect(await correct(cat, 'bank2', 'Bank 2')).toEqual({ refused: 'reference_used' })
    expect(await correct(cat, 'Bank 1', 'bank2')).toBeNull()
    expect(await withdrawalById(database.db, id)).toEqual({
      ...before,
      payoutReference: 'Bank 1',
      earlierReferences: ['Bank 2'],
      payoutCorrectedBy: `m${cat}`,
    })
    expect(await pay(other, bob, 'Bank 2')).toBe('paid')
    expect(await correct(bob, 'Bank 2', 'Bank 1')).toEqual({ refused: 'reference_used' })
    expect(await correct(cat, null, 'Bank 1')).toEqual({ refused: 'second_person_needed' })
    expect(await notices()).toEqual([])
    const slip = `payout_reference = 'Bank 3'`
    for (const change of [
      slip,
      `${slip}, payout_corrected_by = payout_recorded_by, paid_at = paid_at - interval '1 hour'`,
    ]) {
      const changed = owner.query(`update withdrawals.withdrawal set ${change} where id = $1`, [id])
      await expect(changed, change).rejects.toThrow('is decided')
    }
    // The bank sends it back, as another than who corrected it says.
    expect(await correct(bob, null, 'Bank 1')).toBeNull()
    expect(await notices()).toMatchObject([{ facts: { reference: 'Bank 1' } }])
    expect(await withdrawalById(database.db, id)).toMatchObject({ state: 'to_pay' })
    expect(await pay(id, ann, 'Bank 3')).toBe('same_person')
    await expectAlwaysTrue(owner)
  })

  it('that the bank sent back is unpaid again, once another person than who recorded it says so', async () => {
    const { database, owner, player, ann, bob, cat, approved, pay, notices } = await house()
    const id = await approved(1)
    expect(await pay(id, bob)).toBe('paid')
    const returned = (by: string, seen = `ref ${id}`) =>
      correctPayout(database.db, { id, session: by, reason: 'No account', reference: null, seen })
    expect(await returned(bob)).toEqual({ refused: 'second_person_needed' })
    expect(await notices()).toEqual([])
    expect(await returned(cat)).toBeNull()
    const facts = {
      amount: '1.00',
      payee: expect.stringContaining('4242'),
      reference: `ref ${id}`,
    }
    expect(await notices()).toEqual([{ player, kind: 'withdrawal_sent_back', facts }])
    expect((await withdrawalById(database.db, id))?.state).toBe('to_pay')
    expect(await pay(id, cat)).toBe('same_person')
    expect(await pay(id, ann, 'Bank 3')).toBe('same_person')
    expect(await pay(id, bob, 'Bank 3')).toBe('paid')
    expect(await cashOf(database, player)).toBe(999_999_000_000n)
    // Of the first payment that is old news, and the second stands.
    expect(await returned(ann)).toMatchObject({ refused: 'already_decided' })
    const late = { id, session: ann, reason: 'A slip', reference: 'Bank 4', seen: `ref ${id}` }
    expect(await correctPayout(database.db, late)).toMatchObject({ refused: 'already_decided' })
    const standing = { state: 'paid', payoutReference: 'Bank 3' }
    expect(await withdrawalById(database.db, id)).toMatchObject(standing)
    expect(await notices()).toHaveLength(1)
    await expectAlwaysTrue(owner)
  })
})

it('a payout that the chain does not show waits for another person than who named it, after ten minutes', async () => {
  const { database, owner, player, ann, bob, cat, request, approve, pay, say } = await house()
  const method = await addPayMethod(database, player, 'wallet')
  const id = await request(100, { player, method })
  await approve(id, ann)
  const waitsFor = async (...members: string[]) =>
    expect(
      await owner.column(
        `select name from withdrawals.withdrawal, staff.member
         where withdrawals.waits_for(withdrawal, member.id) order by member.id`,
      ),
    ).toEqual(members.map((token) => `m${token}`))
  const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)]
  expect(await pay(id, bob, first)).toBe('paid')
  await database.freezeClock(DESK_AT + 600_000)
  await waitsFor()
  await database.freezeClock(DESK_AT + 600_001)
  await waitsFor(ann, cat)
  await say('take_chain_answer($1, $2, $3, $4)', [id, first, [], 'failed'])
  await waitsFor(ann, cat)
  const correct = (by: string, reference: string | null, seen: string) =>
    correctPayout(database.db, { id, session: by, reason: 'A slip', reference, seen })
  expect(await correct(ann, second, first)).toBeNull()
  await waitsFor()
  await say('take_chain_answer($1, $2, $3, $4)', [id, second, [], 'failed'])
  await waitsFor(bob, cat)
  // The person who says that it is unpaid does not release it.
  expect(await correct(cat, null, second)).toBeNull()
  await waitsFor(ann, bob)
})
