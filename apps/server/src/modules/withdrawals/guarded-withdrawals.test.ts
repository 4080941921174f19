/** Which changes of a decided withdrawal the database refuses even to its owner, and which it allows. */
import { describe, expect, it } from 'vitest'
import { addPayMethod, openCashDesk, payByHand } from '#testing/people/cash-desk.ts'

/** An approved withdrawal with a proposal, by default to return it, and how the database's owner changes it. */
async function approvedWith({ kind = 'reversal', other = 0, state = 'confirmed' } = {}) {
  const { owner, approved, bob: bobs, cat: cats } = await openCashDesk()
  const id = await approved()
  const member = (token: string) =>
    owner.first<{ id: number }>('select id from staff.member where name = $1', [`m${token}`])
  const [bob, cat] = [await member(bobs), await member(cats)]
  await owner.query(
    `insert into staff.proposal (kind, subject, content, reason, proposed_by, proposed_at, state, confirmed_by, confirmed_at)
     values ($1, $2, '{}', 'x', $3, app.now(), $4, $5, case when $4 = 'confirmed' then app.now() end)`,
    [kind, `withdrawal:${id + other}`, bob?.id, state, state === 'confirmed' ? cat?.id : null],
  )
  const change = (set: string) =>
    owner.query<Record<string, unknown>>(
      `update withdrawals.withdrawal set ${set} returning state, at_bank, payout_reference`,
    )
  const pay = () =>
    change(`payout_reference = 'PAID 7', payout_recorded_by = ${bob?.id}, paid_at = app.now()`)
  return { bob: bob?.id, cat: cat?.id, change, pay }
}

const reversedBy = (member: number | undefined) =>
  `state = 'reversed', reversed_by = ${member}, reversed_at = app.now()`

it('an approved withdrawal is reversed by the person who confirmed it, and becomes neither rejected nor waiting', async () => {
  const { change, bob, cat } = await approvedWith()
  await expect(change(reversedBy(bob))).rejects.toThrow('is decided')
  // One approved it: no other is named afterwards.
  await expect(change(`first_approved_by = ${cat}`)).rejects.toThrow('is decided')
  for (const state of ['rejected', 'waiting']) {
    await expect(change(`state = '${state}'`), state).rejects.toThrow('is decided')
  }
  expect(await change(reversedBy(cat))).toMatchObject([{ state: 'reversed' }])
})

it.each([
  ['of another withdrawal', { other: 1 }],
  ['of another kind', { kind: 'refund' }],
  ['that is not confirmed', { state: 'proposed' }],
])('an approved withdrawal is not reversed by a proposal %s', async (_what, other) => {
  const { change, cat } = await approvedWith(other)
  await expect(change(reversedBy(cat))).rejects.toThrow('is decided')
})

it('a withdrawal that the bank may pay is not reversed, even if it is taken from the bank at once', async () => {
  const { change, cat } = await approvedWith()
  await change('at_bank = true')
  await expect(change(`${reversedBy(cat)}, at_bank = false`)).rejects.toThrow('is decided')
  // One after the other is what happens when the bank has not paid it.
  expect(await change('at_bank = false')).toMatchObject([{ at_bank: false }])
  expect(await change(reversedBy(cat))).toMatchObject([{ state: 'reversed' }])
})

it('a paid withdrawal keeps its payout, and its other columns can change', async () => {
  const { change, pay } = await approvedWith()
  await change('at_bank = true')
  await pay()
  await expect(change(`payout_reference = 'PAID 8'`)).rejects.toThrow('is decided')
  expect(await change('at_bank = false')).toEqual([
    { state: 'approved', at_bank: false, payout_reference: 'PAID 7' },
  ])
})

it('a paid withdrawal is not reversed, and a reversed one keeps its reversal', async () => {
  const first = await approvedWith()
  await first.pay()
  await expect(first.change(reversedBy(first.cat))).rejects.toThrow('is decided')
  const { change, cat } = await approvedWith()
  await change(reversedBy(cat))
  for (const set of [
    `state = 'approved', reversed_by = null, reversed_at = null`,
    `reversed_by = approved_by`,
    `reversed_at = reversed_at + interval '1 s'`,
  ]) {
    await expect(change(set), set).rejects.toThrow('is decided')
  }
  await expect(
    change(`payout_reference = 'WXYZ', payout_recorded_by = reversed_by,
      paid_at = app.now()`),
  ).rejects.toThrow('check')
  expect(await change('at_bank = false')).toMatchObject([{ state: 'reversed', at_bank: false }])
})

describe('of a withdrawal the database itself keeps', () => {
  /** A cash desk where two persons approve, and what the owner is told who makes a change, which is undone. */
  async function desk() {
    const { owner, say, ann, ...opened } = await openCashDesk()
    await owner.query('update withdrawals.terms set two_persons_from = 0')
    const tried = (change: string) =>
      owner
        .transaction(async (tx) => {
          await tx.query(`update withdrawals.withdrawal set ${change}`)
          throw new Error('could be done')
        })
        .catch((error: Error) => error.message)
    const kept = async (...changes: string[]) => {
      for (const change of changes) expect(await tried(change), change).toContain('never changes')
    }
    const approve = (id: number, by = ann) => say('approve($1, $2)', [id, by])
    return { ...opened, owner, say, tried, kept, approve }
  }

  it('the request, in every state', async () => {
    const { request, approve, kept, bob } = await desk()
    const id = await request()
    for (const approved of [() => approve(id), () => approve(id, bob)]) {
      await kept(
        ...['player_id = player_id + 1', 'id = id + 1', 'pay_method_id = pay_method_id + 1'],
        ...['amount = amount + 1', 'booked_on = booked_on + 1', 'cash_after = cash_after + 1'],
        `requested_at = requested_at - interval '1 s'`,
        'requested_by = (select min(id) from staff.member)',
      )
      await approved()
    }
  })

  it('the first approval, the decision, and the payout with its reference', async () => {
    const { owner, request, approve, tried, kept, bob, cat } = await desk()
    const id = await request()
    expect(await tried('first_approved_by = (select min(id) from staff.member)')).toBe(
      'could be done',
    )
    expect(await approve(id)).toBe('first')
    await kept('first_approved_by = null', 'first_approved_by = first_approved_by + 1')
    expect(await approve(id, bob)).toBe('approved')
    await kept(
      `state = 'waiting', approved_by = null, decided_at = null`,
      `state = 'rejected', approved_by = null, rejected_by = 1`,
      'approved_by = approved_by + 1',
      `decided_at = decided_at + interval '1 s'`,
      `reject_reason = 'x'`,
    )
    const payout = (reference: string) =>
      tried(
        `payout_reference = '${reference}', paid_at = app.now(),
         payout_recorded_by = (select max(id) from staff.member)`,
      )
    expect(await payout('ref 1')).toBe('could be done')
    for (const reference of ['réf 1', ' ref 1']) {
      expect(await payout(reference)).toContain('printable ASCII')
    }
    expect(await payByHand(owner, { id, by: cat, reference: 'ref 1' })).toBe('paid')
    // Another one that is said to be unpaid.
    await owner.query(
      `insert into staff.payment_denial select 'withdrawal:' || $1, min(id), app.now() from staff.member`,
      [id + 1],
    )
    await kept(
      `payout_reference = 'ref 2'`,
      `paid_at = paid_at + interval '1 s'`,
      'payout_recorded_by = null',
      'payout_batch = 1',
      `payout_chain = 'awaited'`,
      'sent_at = paid_at',
      'paid_part = 1',
      'payout_corrected_by = payout_recorded_by',
    )
    for (const change of [
      'delete from withdrawals.withdrawal',
      'truncate withdrawals.withdrawal cascade',
    ]) {
      await expect(owner.query(change)).rejects.toThrow('never change')
    }
  })

  it('the rejection, with who rejected it and why', async () => {
    const { request, say, kept, bob } = await desk()
    await say('reject($1, $2, $3)', [await request(), bob, 'no'])
    await kept('rejected_by = rejected_by + 1', `reject_reason = 'another'`)
  })

  it('a payout that the chain has shown, and never one person as its recorder and its corrector', async () => {
    const { database, owner, player, request, approve, say, kept, bob, cat } = await desk()
    const id = await request(100, {
      player,
      method: await addPayMethod(database, player, 'wallet'),
    })
    for (const by of [undefined, bob]) await approve(id, by)
    const [wrong, right] = ['ab'.repeat(32), 'cd'.repeat(32)]
    expect(await payByHand(owner, { id, by: cat, reference: wrong })).toBe('paid')
    expect(await say('take_chain_answer($1, $2, $3, $4)', [id, wrong, [], 'failed'])).toBe('wrong')
    await kept('payout_corrected_by = payout_recorded_by')
    await owner.query('select console_money.correct_payout($1, $2, $3, $4)', [
      ...[id, bob, right, wrong],
    ])
    expect(await say('take_chain_answer($1, $2, $3, $4)', [id, right, [7], null])).toBe('seen')
    await kept(
      'payout_log = 8',
      `payout_chain = 'awaited', payout_log = null`,
      'payout_corrected_by = (select min(id) from staff.member)',
    )
  })

  it('no decision and no payout that is half, or of one person alone', async () => {
    const { request, approve, tried, bob, cat } = await desk()
    const id = await request()
    const member = (token: string) => `(select id from staff.member where name = 'm${token}')`
    const approvedBy = (first: string, second: string) =>
      `state = 'approved', decided_at = app.now(), first_approved_by = ${first}, approved_by = ${second}`
    const paid = `payout_reference = 'A 1', paid_at = app.now(), payout_recorded_by = ${member(cat)}`
    const refused = async (...changes: [string, string][]) => {
      for (const [change, why] of changes) expect(await tried(change), change).toContain(why)
    }
    await refused(
      [approvedBy(member(bob), 'null'), 'approved_by_somebody'],
      [approvedBy(member(bob), member(bob)), 'withdrawal_check'],
      ['at_bank = true', 'at_bank_once_approved'],
      [paid, 'withdrawal_check'],
    )
    for (const by of [undefined, bob]) await approve(id, by)
    await refused(
      [`payout_chain = 'awaited'`, 'chain_answer_is_complete'],
      [`${paid}, payout_chain = 'seen'`, 'chain_answer_is_complete'],
      [`${paid}, payout_log = 1`, 'chain_answer_is_complete'],
      [`${paid}, sent_at = app.now() + interval '1 s'`, 'sent_before_it_is_recorded'],
      [`payout_reference = 'A 1'`, 'withdrawal_check'],
      [paid.replace(member(cat), 'approved_by'), 'paid_by_another'],
      [`state = 'reversed', reversed_by = ${member(cat)}`, 'never changes'],
    )
    expect(await tried(paid)).toBe('could be done')
  })
})
