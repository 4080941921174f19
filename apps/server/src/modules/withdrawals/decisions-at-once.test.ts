/** A decision or a payout that is made while another transaction decides, sends to the bank, or uses the reference. */
import { describe, expect, it } from 'vitest'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf, takeDeposit } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import { latestAbout, proposeRefund, proposeReversal } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { requestAmount } from './withdrawal-store.ts'

const U = 1_000_000n

/** A cash desk with a withdrawal that is requested, or approved by Ann, and the steps that may be taken with it. */
async function desk(state: 'requested' | 'approved') {
  const at = await openCashDesk()
  const { db, owner, say } = at
  const id = state === 'approved' ? await at.approved() : await at.request()
  return {
    ...at,
    id,
    approve: (by: string, tx?: Transaction) => say('approve($1, $2)', [id, by], tx),
    reject: (by: string, tx?: Transaction) => say(`reject($1, $2, 'no')`, [id, by], tx),
    take: (by: string, tx?: Transaction) => say('take_payment($1, null, $2)', [id, by], tx),
    takeOver: (from: string, by: string, tx?: Transaction) =>
      say('take_payment($1, $2, $3)', [id, `m${from}`, by], tx),
    giveBack: (by: string, tx?: Transaction) => say('give_payment_back($1, $2)', [id, by], tx),
    record: (by: string) => say(`record_payout($1, $2, 'TAKEN')`, [id, by]),
    pay: (by: string, reference: string, tx: Queryable = db) =>
      payByHand(tx, { id, by, reference }),
    makeBatch: (by: string, tx: Transaction) =>
      tx.query('select from console_money.make_batch(10, $1)', [by]),
    proposeReversal: (session: string, tx: Queryable = db) => proposeReversal(tx, { id, session }),
    /** Freezes or holds the player, as the owner of the database. */
    changePlayer: (set: string, tx: Transaction) => tx.query(`update accounts.player set ${set}`),
    /** Everything that a step changes. */
    stored: (tx: Queryable = owner) =>
      tx.one(
        `select to_jsonb(withdrawal) as withdrawal, to_jsonb(taken_payment) as taken,
           (select count(*) from staff.proposal) as proposals
         from withdrawals.withdrawal left join staff.taken_payment on subject = 'withdrawal:' || id`,
      ),
  }
}

type Desk = Awaited<ReturnType<typeof desk>>
type Steps = {
  first(at: Desk, tx: Transaction): Promise<unknown>
  second(at: Desk): Promise<unknown>
}

/** The answer to the second step, which waits for the first one and then changes nothing. */
async function refusedAfter(at: Desk, { first, second }: Steps): Promise<unknown> {
  let before: unknown
  const answer = await answerAfter(at.database, {
    first: async (tx) => {
      await first(at, tx)
      before = await at.stored(tx)
    },
    second: () => second(at),
  })
  expect(await at.stored()).toEqual(before)
  await expectAlwaysTrue(at.owner)
  return answer
}

const FROZEN = `state = 'frozen'`
const CHANGED = 'sensitive_changed_at = app.now()'

it.each<Steps & { what: string; other: string; answer: string; taken?: boolean }>([
  {
    what: 'a payout',
    other: 'a batch',
    first: ({ makeBatch, cat }, tx) => makeBatch(cat, tx),
    second: ({ pay, bob }) => pay(bob, 'BY HAND'),
    answer: 'at_bank',
  },
  {
    what: 'a payout',
    other: 'another',
    first: ({ pay, bob }, tx) => pay(bob, 'ONE', tx),
    second: ({ pay, cat }) => pay(cat, 'TWO'),
    answer: 'paid_already',
  },
  {
    what: 'a payout',
    other: 'a proposal to return it',
    first: (at, tx) => at.proposeReversal(at.ann, tx),
    second: ({ pay, bob }) => pay(bob, 'PAID'),
    answer: 'reversal_proposed',
  },
  {
    what: 'a payout',
    other: 'the one who takes its payment over',
    taken: true,
    first: ({ takeOver, bob, cat }, tx) => takeOver(bob, cat, tx),
    second: ({ record, bob }) => record(bob),
    answer: 'payment_taken',
  },
  {
    what: 'a payout',
    other: 'its taker, who gives it back',
    taken: true,
    first: ({ giveBack, bob }, tx) => giveBack(bob, tx),
    second: ({ record, bob }) => record(bob),
    answer: 'same_person',
  },
  {
    what: 'a proposal to return it',
    other: 'a batch',
    first: ({ makeBatch, cat }, tx) => makeBatch(cat, tx),
    second: (at) => at.proposeReversal(at.ann),
    answer: 'at_bank',
  },
  {
    what: 'a proposal to return it',
    other: 'a payout',
    first: ({ pay, bob }, tx) => pay(bob, 'PAID', tx),
    second: (at) => at.proposeReversal(at.ann),
    answer: 'paid_already',
  },
  {
    what: 'the taking of a payment',
    other: 'another',
    first: ({ take, bob }, tx) => take(bob, tx),
    second: ({ take, cat }) => take(cat),
    answer: 'payment_taken',
  },
  {
    what: 'the taking of a payment',
    other: 'a freeze',
    first: ({ changePlayer }, tx) => changePlayer(FROZEN, tx),
    second: ({ take, bob }) => take(bob),
    answer: 'account_frozen',
  },
  {
    what: 'the taking of a payment',
    other: 'a hold',
    first: ({ changePlayer }, tx) => changePlayer(CHANGED, tx),
    second: ({ take, bob }) => take(bob),
    answer: 'withdrawal_on_hold',
  },
])(
  '$what waits for $other that is not committed yet: $answer',
  async ({ answer, taken, ...steps }) => {
    const at = await desk('approved')
    await at.owner.query(`update withdrawals.terms set hold = '1 day'`)
    if (taken) await at.take(at.bob)
    expect(await refusedAfter(at, steps)).toBe(answer)
  },
)

it('a payout waits for a deposit that is being paid back with its reference, and is then refused', async () => {
  const { database, db, owner, player, ann, bob, pay } = await desk('approved')
  await db.query(`select protection.set_limit($1, 'deposit', 'day', $2)`, [player, 100n * U])
  await takeDeposit(owner, { playerId: player, micro: 150n * U, reference: 'test:held' })
  const deposit = await owner.value<bigint>('select id as deposit from protection.held_deposit')
  await proposeRefund(db, { id: deposit, session: ann })
  await db.query('select console_money.take_refund($1, null, $2)', [deposit, bob])
  const refund = await latestAbout(db, `held_deposit:${deposit}`)
  const answer = await answerAfter(database, {
    first: (tx) => tx.query(`select staff.decide($1, true, 'SAME', $2)`, [refund, bob]),
    second: () => pay(bob, 'SAME'),
  })
  expect(answer).toBe('reference_used')
  expect(await pay(bob, 'OTHER')).toBe('paid')
  await expectAlwaysTrue(owner)
})

it.each([
  ['an approval', 'another', { later: 'approve', earlier: 'approve' }],
  ['a rejection', 'an approval', { later: 'reject', earlier: 'approve' }],
  ['an approval', 'a rejection', { later: 'approve', earlier: 'reject' }],
  ['a rejection', 'another', { later: 'reject', earlier: 'reject' }],
] as const)('%s waits for %s, and finds the withdrawal decided', async (_what, _other, steps) => {
  const { later, earlier } = steps
  const at = await desk('requested')
  const answer = await refusedAfter(at, {
    first: (_at, tx) => at[earlier](at.ann, tx),
    second: () => at[later](at.bob),
  })
  expect(answer).toBe('decided')
})

it('an approval waits for a freeze that is not committed yet, and is then refused', async () => {
  const answer = await refusedAfter(await desk('requested'), {
    first: ({ player, ann }, tx) =>
      tx.query(`select staff.freeze_player($1, 'x', $2)`, [player, ann]),
    second: ({ approve, bob }) => approve(bob),
  })
  expect(answer).toBe('account_frozen')
})

it.each([
  ['another person', 'approved'],
  ['the same person', 'same_person'],
])('the second of two approvals, by %s, waits for the first, and is then %s', async (by, said) => {
  const { database, approve, ann, bob, owner } = await desk('requested')
  await owner.query('update withdrawals.terms set two_persons_from = 0')
  const answer = await answerAfter(database, {
    first: (tx) => approve(ann, tx),
    second: () => approve(by === 'another person' ? bob : ann),
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

it.each([
  ['a freeze', `accounts.player set ${FROZEN}`, 'account_locked'],
  ['a change that holds', `accounts.player set ${CHANGED}`, 'withdrawal_on_hold'],
  ['another method', 'withdrawals.pay_method set replaced_at = app.now()', 'pay_method_missing'],
])(
  'a request that waited for its balance sees %s that was committed meanwhile',
  async (_, change, word) => {
    const { database, db, owner, player, method } = await openCashDesk()
    await owner.query(`update withdrawals.terms set hold = '1 day'`)
    const { reason } = await answerAfter(database, {
      first: async (tx) => {
        await tx.query('select from ledger.balance where holder_id = $1 for no key update', [
          player,
        ])
        await tx.query(`update ${change}`)
      },
      second: () =>
        db.transaction((other) =>
          requestAmount(other, {
            playerId: player,
            payMethodId: method,
            amount: U,
            onDay: '2026-11-20',
            key: 'k',
            inputHash: '00',
          }),
        ),
    })
    expect(reason).toBe(word)
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(owner)
  },
)

it('terms that are set while others are set name those in the log as what was before', async () => {
  const { database, owner } = await openCashDesk()
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

  it('it is sent once, and decided once', async () => {
    const { database, send, decide, ann, bob } = await identities()
    expect(await answerAfter(database, { first: send, second: () => send() })).toBe('identity_sent')
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
      second: () => say('approve($1, $2)', [id, bob]),
    })
    expect(answer).toBe('identity_missing')
  })
})
