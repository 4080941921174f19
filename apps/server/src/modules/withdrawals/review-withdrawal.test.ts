/** Decisions of staff: the money, the notice to the player and the entry of the log; and why one is refused. */
import { expect, it } from 'vitest'
import { callFunction } from '#src/db/database.ts'
import { malformed } from '#src/refusal/refusal.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { addPayMethod, DESK_AT, openCashDesk } from '#testing/people/cash-desk.ts'
import { confirmReversal, end, latestAbout } from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import {
  approveWithdrawal,
  givePaymentBack,
  proposeReversal,
  recordPayout,
  rejectWithdrawal,
  takePayment,
} from './review-withdrawal.ts'
import { latestWithdrawals, withdrawalById } from './withdrawal-store.ts'
import { writeWithdrawalTerms } from './withdrawal-terms.ts'

const U = 1_000_000n

/** A cash desk with the decisions, each by default by Cat. */
async function desk() {
  const opened = await openCashDesk()
  const { db, player, cat, notices, audited } = opened
  const approve = (id: number, session = cat) => approveWithdrawal(db, { id, session })
  const reject = (id: number, session = cat) => rejectWithdrawal(db, { id, session, why: 'no' })
  const take = (id: number, session = cat) => takePayment(db, { id, session, takenFrom: undefined })
  const pay = async (id: number, session = cat, reference = `PAID ${id}`) =>
    (await take(id, session)) ?? recordPayout(db, { id, session, reference })
  return {
    ...opened,
    approve,
    reject,
    take,
    pay,
    proposeReversal: (id: number, session = cat) =>
      proposeReversal(db, { id, session, role: 'finance', reason: 'x' }),
    /** What an approval, a rejection and a payout by Cat are answered. */
    answers: async (id: number) => [await approve(id), await reject(id), await pay(id)],
    told: async () => ({ notices: await notices(), audited: await audited() }),
    /** What the player is told of 250 u, and what the log has of a step. */
    notice: (kind: string, more: object = {}) => ({
      player,
      kind,
      facts: { amount: '250.00', payee: 'Bank of Hanoi •••• 4242', ...more },
    }),
    entry: (by: string, action: string, more: object = {}) => ({
      by: `m${by}`,
      action,
      subject: 'withdrawal:1',
      details: { player_id: player, amount: '250.00', ...more },
    }),
  }
}

const NOT_FOUND = { refused: 'not_found' }
const NOT_APPROVED = { refused: 'not_approved' }
const SAME_PERSON = { refused: 'second_person_needed' }
const ON_HOLD = { refused: 'withdrawal_on_hold' }

/** The refusal of a decision that a person has made before. */
const decidedBy = (session: string) => ({
  refused: 'already_decided',
  details: { by: `m${session}`, at: expect.any(Number) },
  wording: 'already_decided_by',
})

it('a first approval is only logged; the second and the payout by a third person are told to the player too', async () => {
  const { database, db, owner, ann, bob, cat, player, request, ...steps } = await desk()
  const { approve, pay, told, notice, entry } = steps
  await owner.query('update withdrawals.terms set two_persons_from = $1', [250n * U])
  const id = await request(250)
  expect(await approve(id, ann)).toBe('first_approval')
  const first = entry(ann, 'withdrawal_first_approval')
  expect(await told()).toEqual({ notices: [], audited: [first] })
  expect(await approve(id, ann)).toEqual(SAME_PERSON)
  expect(await approve(id, bob)).toBe('approved')
  const reference = 'Bank 2026/17'
  for (const by of [ann, bob]) expect(await pay(id, by, reference)).toEqual(SAME_PERSON)
  expect(await pay(id, cat, reference)).toBeNull()
  expect(await withdrawalById(db, id)).toMatchObject({
    state: 'paid',
    firstApprovedBy: `m${ann}`,
    decidedBy: `m${bob}`,
    decidedAt: DESK_AT,
    payoutReference: reference,
    payoutRecordedBy: `m${cat}`,
    paidAt: DESK_AT,
  })
  expect(await told()).toEqual({
    notices: [notice('withdrawal_approved'), notice('withdrawal_paid', { reference })],
    audited: [
      first,
      entry(bob, 'withdrawal_approved'),
      entry(cat, 'payment_taken'),
      entry(cat, 'withdrawal_paid', { reference }),
    ],
  })
  expect(await cashOf(database, player)).toBe(750n * U)
  await expectAlwaysTrue(owner)
})

it('a rejection returns the money, and its reason is told to the player and to the log', async () => {
  const { database, db, owner, bob, player, request, told, notice, entry } = await desk()
  const id = await request(250)
  expect(await cashOf(database, player)).toBe(750n * U)
  const why = 'The name on the card is another'
  expect(await rejectWithdrawal(db, { id, session: bob, why })).toBeNull()
  expect(await withdrawalById(db, id)).toMatchObject({
    state: 'rejected',
    decidedBy: `m${bob}`,
    decidedAt: DESK_AT,
    rejectReason: why,
  })
  expect(await told()).toEqual({
    notices: [notice('withdrawal_rejected', { reason: why })],
    audited: [entry(bob, 'withdrawal_rejected', { reason: why })],
  })
  expect(await cashOf(database, player)).toBe(1_000n * U)
  await expectAlwaysTrue(owner)
})

it('what is decided is refused with the name of the person who did, and nothing more is told', async () => {
  const { database, owner, player, ann, bob, request, ...decisions } = await desk()
  const { approve, reject, pay, answers, told } = decisions
  expect(await answers(999)).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND])
  const id = await request()
  expect(await pay(id)).toEqual(NOT_APPROVED)
  expect(await told()).toEqual({ notices: [], audited: [] })
  expect(await approve(id, ann)).toBe('approved')
  const approved = await told()
  expect([await approve(id), await reject(id)]).toEqual([decidedBy(ann), decidedBy(ann)])
  expect(await told()).toEqual(approved)
  expect(await pay(id, bob)).toBeNull()
  const paid = await told()
  expect(await answers(id)).toEqual([decidedBy(bob), decidedBy(bob), decidedBy(bob)])
  expect(await told()).toEqual(paid)
  const other = await request()
  expect(await reject(other, bob)).toBeNull()
  const rejected = await told()
  expect(await answers(other)).toEqual([decidedBy(bob), decidedBy(bob), NOT_APPROVED])
  expect(await told()).toEqual(rejected)
  expect(await cashOf(database, player)).toBe(900n * U)
  await expectAlwaysTrue(owner)
})

it('one whose player must set a new password is not approved before, and then only after the hold', async () => {
  const { database, owner, player, db, request, approve, reject } = await desk()
  const holdFor = (holdMs: number) =>
    writeWithdrawalTerms(owner, { holdMs, twoPersonsFrom: 1_000n * U })
  const requirePassword = () => changePlayer({ owner }, player, 'password_required_at = app.now()')
  const setPassword = (hash: string) =>
    changePlayer({ owner }, player, `password_hash = '${hash}', sensitive_changed_at = app.now()`)
  const free = await request()
  await requirePassword()
  expect(await approve(free)).toEqual(ON_HOLD)
  await setPassword('another')
  expect(await approve(free)).toBe('approved')

  await holdFor(60_000)
  await database.freezeClock(DESK_AT + 60_000)
  const id = await request()
  await requirePassword()
  await database.freezeClock(DESK_AT + 600_000)
  expect(await approve(id)).toEqual(ON_HOLD)
  expect(await withdrawalById(db, id)).toMatchObject({ needsPassword: true, holdUntil: null })
  await setPassword('a third')
  await database.freezeClock(DESK_AT + 659_999)
  expect(await approve(id)).toEqual(ON_HOLD)
  await database.freezeClock(DESK_AT + 660_000)
  await changePlayer({ owner }, player, `state = 'frozen'`)
  expect(await approve(id)).toEqual({ refused: 'account_frozen' })
  await changePlayer({ owner }, player, `state = 'active'`)
  expect(await approve(id)).toBe('approved')
  // A frozen player gets his money back all the same.
  const rejected = await request()
  await changePlayer({ owner }, player, `state = 'frozen'`)
  expect(await reject(rejected)).toBeNull()
  expect(await cashOf(database, player)).toBe(800n * U)
  await expectAlwaysTrue(owner)
})

it('a payout is refused while it is at the bank, and with the reference of another', async () => {
  const { db, ann, bob, approved, take, pay, told } = await desk()
  expect(await pay(await approved(), bob, 'Bank 17')).toBeNull()
  const sent = await approved()
  await db.query('select from console_money.make_batch(10, $1)', [ann])
  const id = await approved()
  await take(id, bob)
  const before = await told()
  expect(await take(sent, bob)).toEqual({ refused: 'at_bank' })
  for (const [of, reference, refused] of [
    [id, 'bank 17', 'reference_used'],
    [sent, 'Bank 18', 'at_bank'],
  ] as const) {
    expect(await recordPayout(db, { id: of, session: bob, reference })).toEqual({ refused })
  }
  expect(await told()).toEqual(before)
})

it('a payment is recorded by the person who has taken it alone, and by another who took it over', async () => {
  const opened = await desk()
  const { database, db, ann, bob, cat, approved, take, audited, owner } = opened
  const id = await approved()
  const record = (session: string) => recordPayout(db, { id, session, reference: 'Bank 19' })
  const back = (session: string) => givePaymentBack(db, { id, session })
  const over = (session: string, takenFrom: string) =>
    takePayment(db, { id, session, takenFrom: `m${takenFrom}` })
  const notTaken = { refused: 'payment_not_taken' }
  const takenBy = (session: string) => ({
    refused: 'payment_taken',
    details: { by: `m${session}`, at: DESK_AT / 1_000 },
  })
  expect([await record(bob), await back(bob), await over(bob, cat)]).toEqual(
    Array(3).fill(notTaken),
  )
  expect(await take(id, ann)).toEqual(SAME_PERSON)
  expect(await take(id, bob)).toBeNull()
  expect([await take(id, cat), await record(cat), await back(cat), await over(cat, ann)]).toEqual(
    Array(4).fill(takenBy(bob)),
  )
  // Nor is it returned or sent to the bank, while he may be paying it.
  expect(await opened.proposeReversal(id)).toEqual(takenBy(bob))
  const made = await db.one('select payments, left_taken from console_money.make_batch(10, $1)', [
    cat,
  ])
  expect(made).toEqual({ payments: 0, left_taken: 1 })
  expect(await over(cat, bob)).toBeNull()
  expect(await record(bob)).toEqual(takenBy(cat))
  await database.freezeClock(DESK_AT + 1)
  expect(await back(cat)).toBeNull()
  // Both may have paid it: neither they nor a batch pays it, until another person does, or releases it.
  for (const by of [bob, cat]) expect(await take(id, by)).toEqual(SAME_PERSON)
  const left = 'select payments, left_unreleased as left from console_money.make_batch(10, $1)'
  expect(await db.one(left, [cat])).toEqual({ payments: 0, left: 1 })
  const seen = new Date(DESK_AT)
  const release = (by: string) => callFunction(db, 'console_money.release_payment', id, seen, by)
  expect(await withdrawalById(db, id)).toMatchObject({
    ...{ keptFromPaying: [`m${cat}`, `m${bob}`], deniedAt: DESK_AT + 1 },
  })
  // Nor do they confirm that it was not paid.
  expect(await opened.proposeReversal(id, ann)).toBeNull()
  expect(await mayConfirm(opened)).toEqual([])
  for (const session of [bob, cat]) {
    expect(await confirmReversal(db, { id, session })).toBe('same_person')
    expect(await release(session)).toBe('same_person')
  }
  expect(await end(db, await latestAbout(db, `withdrawal:${id}`), ann)).toBe('withdrawn')
  expect(await release(ann)).toBe('released')
  expect(await take(id, cat)).toBeNull()
  expect(await back(cat)).toBeNull()
  expect(await take(id, bob)).toBeNull()
  expect(await over(cat, bob)).toEqual(SAME_PERSON)
  // Nor does he after another has given it back too.
  expect(await back(bob)).toBeNull()
  for (const by of [cat, bob]) {
    expect([await take(id, by), await release(by)]).toEqual([SAME_PERSON, 'same_person'])
  }
  expect(await release(ann)).toBe('released')
  expect(await take(id, bob)).toBeNull()
  expect(await record(bob)).toBeNull()
  expect(await take(id, cat)).toEqual(decidedBy(bob))
  expect((await audited()).slice(0, 10)).toMatchObject([
    { by: `m${bob}`, action: 'payment_taken', details: { amount: '100.00' } },
    { by: `m${cat}`, action: 'payment_taken', details: { taken_from: `m${bob}` } },
    { by: `m${cat}`, action: 'payment_given_back' },
    { by: `m${ann}`, action: 'withdrawal_reversal_proposed' },
    { by: `m${cat}`, action: 'payment_taken' },
    { by: `m${cat}`, action: 'payment_given_back' },
    { by: `m${bob}`, action: 'payment_taken' },
    { by: `m${bob}`, action: 'payment_given_back' },
    { by: `m${bob}`, action: 'payment_taken' },
    { by: `m${bob}`, action: 'withdrawal_paid' },
  ])
  expect(await owner.query('select from staff.taken_payment')).toEqual([])
  await expectAlwaysTrue(owner)
})

type Desk = Awaited<ReturnType<typeof desk>>
type Step = (at: Desk, id: number) => Promise<unknown>

/** Of Ann, Bob and Cat those for whom the open proposal waits. */
async function mayConfirm({ owner, ann, bob, cat }: Desk) {
  const names = await owner.column<string>(
    `select name from staff.proposal, staff.member
     where proposal.state = 'proposed' and console_money.waits_for(proposal, member.id)`,
  )
  return [ann, bob, cat].filter((token) => names.includes(`m${token}`))
}

const [WRONG, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)]

const recorded: Step = ({ bob, pay }, id) => pay(id, bob, WRONG)

/** How Bob may have paid a withdrawal to a wallet, whose transaction then pays nothing of it. */
const PAYMENTS: [string, Step][] = [
  ['recorded it', recorded],
  [
    'had it before the one who recorded it',
    async ({ db, bob, cat, take }, id) => {
      await take(id, bob)
      await takePayment(db, { id, session: cat, takenFrom: `m${bob}` })
      await recordPayout(db, { id, session: cat, reference: WRONG })
    },
  ],
  [
    'gave it back before another paid it',
    async ({ db, bob, cat, take, pay }, id) => {
      await take(id, bob)
      await givePaymentBack(db, { id, session: bob })
      await pay(id, cat, WRONG)
    },
  ],
  [
    'had the file of its batch',
    async ({ db, ann, bob, cat }, id) => {
      await db.query(`select from console_money.make_batch(10, $1, 'wallet')`, [ann])
      await db.query('select from console_money.take_batch(1, null, $1)', [bob])
      const line = { line: 1, withdrawal: id, amount: '100000000', state: 'paid' }
      const lines = JSON.stringify([{ ...line, reference: WRONG }])
      await db.query('select from console_money.answer_batch(1, $1, $2)', [lines, cat])
    },
  ],
  [
    'named its transaction',
    async ({ db, bob, cat, pay }, id) => {
      await pay(id, cat, OTHER)
      const absent = `withdrawals.note_absent_payout($1, $2, app.now() + interval '10 minutes')`
      await db.query(`select ${absent}`, [id, OTHER])
      await callFunction(db, 'console_money.correct_payout', id, bob, WRONG, OTHER)
    },
  ],
]

it.each([
  ...PAYMENTS.map(([what, pay]) => ({ what, how: 'is said to be unpaid', paid: 0n, pay })),
  { what: 'recorded it', how: 'is said to be paid in part', paid: 60n * U, pay: recorded },
])('whoever $what does not confirm the return of what $how', async ({ paid, pay }) => {
  const at = await desk()
  const { database, db, owner, player, ann, bob, say, request, approve } = at
  const dan = await staffToken(database)
  const id = await request(100, { player, method: await addPayMethod(database, player, 'wallet') })
  await approve(id, ann)
  await pay(at, id)
  const fault = paid > 0n ? 'other_amount' : 'failed'
  const logs = paid > 0n ? [0] : []
  const found = [id, WRONG, [], fault, logs, logs.map(() => String(paid))]
  expect(await say('take_chain_answer($1, $2, $3, $4, $5, $6)', found)).toBe('wrong')
  const [word, ...named] = paid > 0n ? ['accept_payout', WRONG] : ['correct_payout', null, WRONG]
  await callFunction(db, `console_money.${word}`, id, dan, ...named)
  expect(await at.proposeReversal(id, dan)).toBeNull()
  const confirming = await mayConfirm(at)
  expect(confirming).toContain(ann)
  expect(confirming).not.toContain(bob)
  expect(await confirmReversal(db, { id, session: bob })).toBe('same_person')
  expect(await confirmReversal(db, { id, session: ann })).toBe('confirmed')
  expect(await cashOf(database, player)).toBe(1_000n * U - paid)
  await expectAlwaysTrue(owner)
})

it.each([
  ['frozen', `state = 'frozen'`, 'account_frozen'],
  ['on hold', 'sensitive_changed_at = app.now()', 'withdrawal_on_hold'],
])(
  'of a player who is %s since nothing is paid, and what was sent before is recorded with its time',
  async (_, change, refused) => {
    const { database, db, owner, player, bob, cat, approved, take, audited } = await desk()
    await writeWithdrawalTerms(owner, { holdMs: 3_600_000, twoPersonsFrom: 10_000n * U })
    const [sent, other] = [await approved(), await approved()]
    expect(await take(sent, cat)).toBeNull()
    await database.freezeClock(DESK_AT + 60_000)
    await changePlayer({ owner }, player, change)
    expect(await take(other, bob)).toEqual({ refused })
    // Another takes over what may be sent.
    const takenFrom = `m${cat}`
    expect(await takePayment(db, { id: sent, session: bob, takenFrom })).toBeNull()
    expect((await withdrawalById(db, sent))?.yours).toBe(false)
    const record = (sentAt?: number) =>
      recordPayout(db, { id: sent, session: bob, reference: 'Bank 20', sentAt })
    expect(await record()).toEqual({ refused })
    for (const wrong of [DESK_AT / 1_000 - 1, DESK_AT / 1_000 + 61]) {
      expect(await record(wrong)).toEqual(malformed({ sent_at: 'not_its_time' }))
    }
    expect(await record(DESK_AT / 1_000)).toBeNull()
    expect(await withdrawalById(db, sent)).toMatchObject({
      state: 'paid',
      sentAt: DESK_AT,
      paidAt: DESK_AT + 60_000,
      takenBy: null,
    })
    const [last] = (await audited()).slice(-1)
    expect(last).toMatchObject({ details: { sent_at: new Date(DESK_AT).toISOString() } })
    expect(await latestWithdrawals(db, player)).toContainEqual(
      expect.objectContaining({ status: 'sent', paidAt: DESK_AT }),
    )
    await expectAlwaysTrue(owner)
  },
)
