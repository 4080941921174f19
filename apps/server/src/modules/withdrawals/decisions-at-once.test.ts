/** A decision or a payout that is made while another transaction decides, sends to the bank, or uses the reference. */
import { describe, expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf, takeDeposit } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import { latestAbout, proposeRefund } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

const U = 1_000_000n

/** A cash desk with an approved withdrawal, and a held deposit that is proposed to be paid back. */
async function desk() {
  const at = await openCashDesk()
  const { db, owner, player, ann, bob, approved } = at
  await db.query(`select protection.set_limit($1, 'deposit', 'day', $2)`, [player, 100n * U])
  await takeDeposit(owner, { playerId: player, micro: 150n * U, reference: 'test:held' })
  const deposit = await owner.value<bigint>('select id as deposit from protection.held_deposit')
  await proposeRefund(db, { id: deposit, session: ann })
  const payBack = `select staff.decide($1, true, 'SAME', $2) as answer`
  await db.query('select console_money.take_refund($1, null, $2)', [deposit, bob])
  const refund = await latestAbout(db, `held_deposit:${deposit}`)
  return {
    ...at,
    id: await approved(),
    payBack: [payBack, [refund, bob]] as const,
    pay: (id: number, reference: string, by = bob) => payByHand(db, { id, by, reference }),
  }
}

it('a payout waits for a batch that is not committed yet, and then the withdrawal is at the bank', async () => {
  const { database, id, pay, cat, owner } = await desk()
  const answer = await answerAfter(database, {
    first: (tx) => tx.query('select from console_money.make_batch(10, $1)', [cat]),
    second: () => pay(id, 'BY HAND'),
  })
  expect(answer).toBe('at_bank')
  expect(await owner.query('select at_bank, paid_at from withdrawals.withdrawal')).toEqual([
    { at_bank: true, paid_at: null },
  ])
  await expectAlwaysTrue(owner)
})

it('a payout waits for another that is not committed yet, and then it is paid already', async () => {
  const { database, id, pay, bob, cat, owner } = await desk()
  const answer = await answerAfter(database, {
    first: (tx) => payByHand(tx, { id, by: bob, reference: 'ONE' }),
    second: () => pay(id, 'TWO', cat),
  })
  expect(answer).toBe('paid_already')
  expect(await owner.query('select payout_reference from withdrawals.withdrawal')).toEqual([
    { payout_reference: 'ONE' },
  ])
})

it('of two persons who take a payment at once the second is refused', async () => {
  const { database, id, say, bob, cat, owner } = await desk()
  const take = 'take_payment($1, null, $2)'
  const answer = await answerAfter(database, {
    first: (tx) => say(take, [id, bob], tx),
    second: () => say(take, [id, cat]),
  })
  expect(answer).toBe('payment_taken')
  const takers = 'select taken_by from staff.taken_payment where subject = $1'
  expect(await owner.query(takers, [`withdrawal:${id}`])).toHaveLength(1)
})

it.each([
  ['a freeze', `update accounts.player set state = 'frozen'`, 'account_frozen'],
  ['a hold', 'update accounts.player set sensitive_changed_at = app.now()', 'withdrawal_on_hold'],
])('whoever takes a payment waits for %s that is not committed yet', async (_, change, word) => {
  const { database, id, say, bob, owner } = await desk()
  await owner.query(`update withdrawals.terms set hold = '1 day'`)
  const answer = await answerAfter(database, {
    first: (tx) => tx.query(change),
    second: () => say('take_payment($1, null, $2)', [id, bob]),
  })
  expect(answer).toBe(word)
})

it('a payout that is recorded while another person takes the payment over is refused', async () => {
  const { database, id, say, bob, cat } = await desk()
  await say('take_payment($1, null, $2)', [id, bob])
  const answer = await answerAfter(database, {
    first: (tx) => say('take_payment($1, $2, $3)', [id, `m${bob}`, cat], tx),
    second: () => say(`record_payout($1, $2, 'PAID')`, [id, bob]),
  })
  expect(answer).toBe('payment_taken')
})

it('a payout is not recorded by the person who is giving the payment back', async () => {
  const { database, id, say, bob } = await desk()
  await say('take_payment($1, null, $2)', [id, bob])
  const answer = await answerAfter(database, {
    first: (tx) => say('give_payment_back($1, $2)', [id, bob], tx),
    second: () => say(`record_payout($1, $2, 'PAID')`, [id, bob]),
  })
  expect(answer).toBe('same_person')
})

it('a payout waits for a deposit that is being paid back with its reference, and is then refused', async () => {
  const { database, id, pay, payBack, owner } = await desk()
  const answer = await answerAfter(database, {
    first: (tx) => tx.query(...payBack),
    second: () => pay(id, 'SAME'),
  })
  expect(answer).toBe('reference_used')
  expect(await pay(id, 'OTHER')).toBe('paid')
  await expectAlwaysTrue(owner)
})

const APPROVE = 'approve($1, $2)'
const REJECT = `reject($1, $2, 'no')`

it.each([
  ['an approval', 'another', { later: APPROVE, earlier: APPROVE, left: 900n }],
  ['a rejection', 'an approval', { later: REJECT, earlier: APPROVE, left: 900n }],
  ['an approval', 'a rejection', { later: APPROVE, earlier: REJECT, left: 1_000n }],
  ['a rejection', 'another', { later: REJECT, earlier: REJECT, left: 1_000n }],
])('%s waits for %s, and finds the withdrawal decided', async (_what, _other, steps) => {
  const { later, earlier, left } = steps
  const { database, say, request, ann, bob, player, owner } = await openCashDesk()
  const id = await request(100)
  const answer = await answerAfter(database, {
    first: (tx) => say(earlier, [id, ann], tx),
    second: () => say(later, [id, bob]),
  })
  expect(answer).toBe('decided')
  expect(await cashOf(database, player)).toBe(left * U)
  await expectAlwaysTrue(owner)
})

it.each([
  ['another person', 'approved'],
  ['the same person', 'same_person'],
])('the second of two approvals, by %s, waits for the first, and is then %s', async (by, said) => {
  const { database, say, request, ann, bob, owner } = await openCashDesk()
  await owner.query('update withdrawals.terms set two_persons_from = 0')
  const id = await request()
  const answer = await answerAfter(database, {
    first: (tx) => say(APPROVE, [id, ann], tx),
    second: () => say(APPROVE, [id, by === 'another person' ? bob : ann]),
  })
  expect(answer).toBe(said)
  const name = (column: string) => `(select name from staff.member where id = ${column})`
  expect(
    await owner.query(
      `select ${name('first_approved_by')} as first, ${name('approved_by')} as second
       from withdrawals.withdrawal`,
    ),
  ).toEqual([{ first: `m${ann}`, second: said === 'approved' ? `m${bob}` : null }])
  await expectAlwaysTrue(owner)
})

it('terms that are set while others are set name those in the log as what was before', async () => {
  const { database, owner } = await desk()
  const session = await staffToken(database)
  await answerAfter(database, {
    first: (tx) => tx.query('update withdrawals.terms set identity_from = 5'),
    second: () => owner.query('select withdrawals.set_identity_terms(7, $1)', [session]),
  })
  const details = await owner.value<unknown>(
    `select details from staff.audit where action = 'identity_terms_set'`,
  )
  expect(details).toMatchObject({ before: '0.000005', after: '0.000007' })
})

describe('of an identity, the second of two at once sees what the first did:', () => {
  /** A cash desk where each withdrawal asks for an identity, and how its player sends his. */
  async function identities() {
    const at = await openCashDesk()
    const { db, player, say } = at
    await at.owner.query('update withdrawals.terms set identity_from = 1')
    await say(`add_identity_picture($1, 'sealed', 'k', 4)`, [player])
    const send = (tx: Queryable = db) => say(`send_identity($1, 'sealed', 'k', null)`, [player], tx)
    const decide = (why: string | null, by: string, tx: Queryable = db) =>
      say('decide_identity($1, 1, $2, $3)', [player, why, by], tx)
    return { ...at, send, decide }
  }

  it('it is sent once', async () => {
    const { database, send } = await identities()
    expect(await answerAfter(database, { first: send, second: () => send() })).toBe('identity_sent')
  })

  it('it is decided once', async () => {
    const { database, send, decide, ann, bob } = await identities()
    await send()
    const answer = await answerAfter(database, {
      first: (tx) => decide(null, ann, tx),
      second: () => decide('blurred', bob),
    })
    expect(answer).toBe('decided')
  })

  it('an approval sees that it is being taken back', async () => {
    const { database, say, request, send, decide, player, ann, bob } = await identities()
    await send()
    expect(await decide(null, bob)).toBe('accepted')
    const id = await request()
    const answer = await answerAfter(database, {
      first: (tx) => say(`take_back_identity($1, 1, 'forged', $2)`, [player, ann], tx),
      second: () => say(APPROVE, [id, bob]),
    })
    expect(answer).toBe('identity_missing')
  })
})
