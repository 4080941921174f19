/** Each answer to a proposal to return a withdrawal, its refusal and its confirmation; also while others decide. */
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { openCashDesk } from '#testing/people/cash-desk.ts'
import { staffToken } from '#testing/people/staff.ts'

const U = 1_000_000n
const PROPOSE = `propose_reversal($1, $2, 'the card is closed')`
const REFUSE = `refuse_reversal($1, $2, 'it works again')`
const CONFIRM = 'confirm_reversal($1, $2)'
const STEPS = [PROPOSE, REFUSE, CONFIRM]

/** A cash desk with the three steps of a return. */
async function returns() {
  const desk = await openCashDesk()
  const { say, owner } = desk
  return {
    ...desk,
    propose: (id: number, by = desk.ann) => say(PROPOSE, [id, by]),
    refuse: (id: number, by = desk.ann) => say(REFUSE, [id, by]),
    confirm: (id: number, by = desk.bob) => say(CONFIRM, [id, by]),
    pay: (id: number, by = desk.bob) => say(`record_payout($1, $2, 'PAID', 'PAID')`, [id, by]),
    rows: () =>
      owner.query(
        `select state, proposer.name as proposed_by, reversal_proposed_at as proposed_at, reversal_reason as reason,
           confirmer.name as reversed_by, reversed_at
         from withdrawals.withdrawal
         left join staff.member proposer on proposer.id = reversal_proposed_by
         left join staff.member confirmer on confirmer.id = reversed_by order by withdrawal.id`,
      ),
  }
}

describe('of a withdrawal', () => {
  it('the return is proposed, confirmed by another person, and the money comes back once', async () => {
    const { approved, propose, confirm, ann, bob, cat, database, player, rows } = await returns()
    const id = await approved(100)
    expect(await confirm(id)).toBe('not_proposed')
    expect(await propose(id)).toBe('proposed')
    expect(await propose(id, bob)).toBe('already_proposed')
    expect(await confirm(id, ann)).toBe('same_person')
    expect(await cashOf(database, player)).toBe(900n * U)
    expect(await rows()).toMatchObject([
      {
        state: 'approved',
        proposed_by: `m${ann}`,
        reason: 'the card is closed',
        reversed_at: null,
      },
    ])
    expect(await confirm(id, bob)).toBe('reversed')
    expect(await confirm(id, cat)).toBe('decided')
    expect(await cashOf(database, player)).toBe(1_000n * U)
    expect(await rows()).toMatchObject([
      { state: 'reversed', proposed_by: `m${ann}`, reversed_by: `m${bob}` },
    ])
    await expectAlwaysTrue(database.owner)
  })

  it('the proposal is refused, also by the person who made it, and then it is paid', async () => {
    const { approved, propose, refuse, confirm, pay, rows, database } = await returns()
    const id = await approved()
    expect(await refuse(id)).toBe('not_proposed')
    expect(await rows()).toMatchObject([{ reason: null }])
    await propose(id)
    expect(await pay(id)).toBe('reversal_proposed')
    expect(await refuse(id)).toBe('refused')
    expect(await rows()).toEqual([
      {
        ...{ state: 'approved', proposed_by: null, proposed_at: null, reason: 'it works again' },
        ...{ reversed_by: null, reversed_at: null },
      },
    ])
    expect(await confirm(id)).toBe('not_proposed')
    expect(await pay(id)).toBe('paid')
    await expectAlwaysTrue(database.owner)
  })

  it('no step is possible if it does not exist, is not approved, is paid, reversed, or at the bank', async () => {
    const { approved, request, say, ann, cat, db, propose, confirm, pay, database, rows } =
      await returns()
    const answers = async (id: number) => {
      const answer: unknown[] = []
      for (const step of STEPS) answer.push(await say(step, [id, cat]))
      return answer
    }
    const all = (word: string) => STEPS.map(() => word)
    expect(await answers(999)).toEqual(all('not_found'))
    const rejected = await request()
    expect(await answers(rejected)).toEqual(all('not_approved'))
    await say(`reject($1, $2, 'no')`, [rejected, ann])
    expect(await answers(rejected)).toEqual(all('decided'))
    const paid = await approved()
    expect(await pay(paid)).toBe('paid')
    expect(await answers(paid)).toEqual(all('paid_already'))
    const reversed = await approved()
    await propose(reversed)
    await confirm(reversed)
    const before = await rows()
    expect(await answers(reversed)).toEqual(all('decided'))
    expect(await pay(reversed)).toBe('decided')
    expect(await rows()).toEqual(before)
    const sent = await approved()
    await db.query('select from console_money.make_batch(10, $1)', [ann])
    expect(await answers(sent)).toEqual(all('at_bank'))
    await expectAlwaysTrue(database.owner)
  })

  it('no step is taken by a member whose role is another than owner and finance', async () => {
    const { approved, say, propose, database, rows } = await returns()
    const id = await approved()
    const other = await approved()
    await propose(id)
    const before = await rows()
    for (const role of ['support', 'editor', 'auditor'] as const) {
      const session = await staffToken(database, { role })
      await expect(say(PROPOSE, [other, session]), role).rejects.toThrow('forbidden')
      await expect(say(REFUSE, [id, session]), role).rejects.toThrow('forbidden')
      await expect(say(CONFIRM, [id, session]), role).rejects.toThrow('forbidden')
    }
    expect(await rows()).toEqual(before)
  })
})

describe('while another person decides, and has not committed yet', () => {
  it('a proposal waits, and is refused after a payout', async () => {
    const { approved, say, propose, bob, database } = await returns()
    const id = await approved()
    const answer = await answerAfter(database, {
      first: (tx) => say(`record_payout($1, $2, 'PAID', 'PAID')`, [id, bob], tx),
      second: () => propose(id),
    })
    expect(answer).toBe('paid_already')
    await expectAlwaysTrue(database.owner)
  })

  it.each([
    ['a refusal of the proposal', REFUSE],
    ['another confirmation', CONFIRM],
  ])('%s waits for the confirmation, and is refused after it', async (_what, step) => {
    const { approved, say, propose, bob, cat, database, player } = await returns()
    const id = await approved()
    await propose(id)
    const answer = await answerAfter(database, {
      first: (tx) => say(CONFIRM, [id, bob], tx),
      second: () => say(step, [id, cat]),
    })
    expect(answer).toBe('decided')
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(database.owner)
  })
})
