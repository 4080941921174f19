/** Which changes of a withdrawal the database refuses even to its owner, and which it allows. */
import { describe, expect, it } from 'vitest'
import { addPayMethod, openCashDesk, payByHand } from '#testing/people/cash-desk.ts'

const DONE = 'could be done'

/** A member of staff by the token of his session. */
const member = (token: string) => `(select id from staff.member where name = 'm${token}')`

const reversedBy = (token: string) =>
  `state = 'reversed', reversed_by = ${member(token)}, reversed_at = app.now()`

/** A cash desk where two persons approve, and what the owner is told who makes a change, which is undone. */
async function desk() {
  const { owner, say, ann, bob, cat, request, ...opened } = await openCashDesk()
  await owner.query('update withdrawals.terms set two_persons_from = 0')
  const change = (set: string) => owner.query(`update withdrawals.withdrawal set ${set}`)
  const tried = (set: string) =>
    owner
      .transaction(async (tx) => {
        await tx.query(`update withdrawals.withdrawal set ${set}`)
        throw new Error(DONE)
      })
      .catch((error: Error) => error.message)
  const kept = async (...changes: string[]) => {
    for (const set of changes) expect(await tried(set), set).toContain('never changes')
  }
  /** By default by Ann. */
  const approve = (id: number, by = ann) => say('approve($1, $2)', [id, by])
  /** Writes a proposal of Bob's about a withdrawal, which Cat has confirmed if it is not open. */
  const propose = (id: number, { kind = 'reversal', state = 'confirmed' } = {}) =>
    owner.query(
      `insert into staff.proposal (kind, subject, content, reason, proposed_by, proposed_at, state, confirmed_by, confirmed_at)
       select $1, $2, '{}', 'x', ${member(bob)}, app.now(), $3,
         case when $3 = 'confirmed' then ${member(cat)} end, case when $3 = 'confirmed' then app.now() end`,
      [kind, `withdrawal:${id}`, state],
    )
  /** Requests a withdrawal, which Ann and Bob approve. */
  const approved = async (...of: Parameters<typeof request>) => {
    const id = await request(...of)
    for (const by of [ann, bob]) await approve(id, by)
    return id
  }
  return {
    ...opened,
    owner,
    say,
    request,
    bob,
    cat,
    change,
    tried,
    kept,
    approve,
    approved,
    propose,
  }
}

describe('of a withdrawal the database itself keeps', () => {
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
    const { owner, request, approve, propose, tried, kept, bob, cat } = await desk()
    const id = await request()
    expect(await tried('first_approved_by = (select min(id) from staff.member)')).toBe(DONE)
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
    expect(await payout('ref 1')).toBe(DONE)
    for (const reference of ['réf 1', ' ref 1']) {
      expect(await payout(reference)).toContain('printable ASCII')
    }
    expect(await payByHand(owner, { id, by: cat, reference: 'ref 1' })).toBe('paid')
    // It is said to be unpaid by the person who recorded it himself, and another one by another person.
    await owner.query(
      `insert into staff.payment_denial values ('withdrawal:' || $1, ${member(cat)}, app.now()),
         ('withdrawal:' || $2, ${member(bob)}, app.now())`,
      [id, id + 1],
    )
    await propose(id)
    await kept(
      `payout_reference = 'ref 2'`,
      `paid_at = paid_at + interval '1 s'`,
      'payout_reference = null, payout_recorded_by = null, paid_at = null',
      'payout_batch = 1',
      `payout_chain = 'awaited'`,
      'sent_at = paid_at',
      'paid_part = 1',
      'payout_corrected_by = payout_recorded_by',
      reversedBy(cat),
    )
    expect(await tried('at_bank = false')).toBe(DONE)
    for (const statement of [
      'delete from withdrawals.withdrawal',
      'truncate withdrawals.withdrawal cascade',
    ]) {
      await expect(owner.query(statement)).rejects.toThrow('never change')
    }
  })

  it('the rejection, with who rejected it and why', async () => {
    const { request, say, kept, bob } = await desk()
    await say('reject($1, $2, $3)', [await request(), bob, 'no'])
    await kept(
      'rejected_by = rejected_by + 1',
      `reject_reason = 'another'`,
      // Nobody approved it before.
      'first_approved_by = rejected_by - 1',
    )
  })

  it('an approval, until the person who confirmed it reverses it, and then the reversal', async () => {
    const { owner, approved, propose, change, tried, kept, bob, cat } = await desk()
    const id = await approved()
    await propose(id + 1)
    await propose(id, { kind: 'refund' })
    await propose(id, { state: 'proposed' })
    await kept(reversedBy(cat))
    await owner.query(
      `update staff.proposal set state = 'confirmed', confirmed_by = ${member(cat)}, confirmed_at = app.now()
       where state = 'proposed'`,
    )
    await kept(reversedBy(bob), `state = 'rejected'`, `state = 'waiting'`)
    // What the bank may pay is not even reversed if it is taken from the bank at once.
    await change('at_bank = true')
    await kept(`${reversedBy(cat)}, at_bank = false`)
    await change('at_bank = false')
    await change(reversedBy(cat))
    await kept(
      `state = 'approved', reversed_by = null, reversed_at = null`,
      'reversed_by = approved_by',
      `reversed_at = reversed_at + interval '1 s'`,
    )
    const paid = `payout_reference = 'WXYZ', payout_recorded_by = reversed_by, paid_at = app.now()`
    expect(await tried(paid)).toContain('withdrawal_check')
    expect(await tried('at_bank = false')).toBe(DONE)
  })

  it('a payout that the chain has shown, and never one person as its recorder and its corrector', async () => {
    const { database, owner, player, approved, say, kept, bob, cat } = await desk()
    const id = await approved(100, {
      player,
      method: await addPayMethod(database, player, 'wallet'),
    })
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
      [paid.replace(member(cat), 'first_approved_by'), 'paid_by_another'],
      [paid.replace(member(cat), 'approved_by'), 'paid_by_another'],
      [`state = 'reversed', reversed_by = ${member(cat)}`, 'never changes'],
    )
    expect(await tried(paid)).toBe(DONE)
  })
})
