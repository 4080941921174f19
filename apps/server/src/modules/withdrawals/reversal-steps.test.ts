/** Each answer to a proposal to return a withdrawal and to its confirmation; also while others decide. */
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import {
  confirmReversal,
  end,
  latestAbout,
  propose as proposeOf,
  proposeReversal,
} from '#testing/people/proposals.ts'

/** A cash desk with the three steps of a return. */
async function returns() {
  const desk = await openCashDesk()
  const { db, owner } = desk
  return {
    ...desk,
    propose: (id: number, session = desk.ann) => proposeReversal(db, { id, session }),
    refuse: async (id: number) => end(db, await latestAbout(db, `withdrawal:${id}`), desk.ann),
    confirm: (id: number, session = desk.bob) => confirmReversal(db, { id, session }),
    pay: (id: number, by = desk.bob) => payByHand(db, { id, by, reference: `PAID ${id}` }),
    rows: () =>
      owner.query(
        `select state, name as reversed_by, reversed_at from withdrawals.withdrawal
         left join staff.member on member.id = reversed_by order by withdrawal.id`,
      ),
  }
}

describe('of a withdrawal', () => {
  it('none is proposed if it does not exist, is not approved, is paid, reversed, or at the bank', async () => {
    const { approved, request, say, ann, bob, db, propose, confirm, pay, database, rows } =
      await returns()
    expect(await propose(999)).toBe('not_found')
    const rejected = await request()
    expect(await propose(rejected)).toBe('not_approved')
    await say(`reject($1, $2, 'no')`, [rejected, ann])
    expect(await propose(rejected)).toBe('decided')
    const paid = await approved()
    expect(await pay(paid)).toBe('paid')
    expect(await propose(paid)).toBe('paid_already')
    const reversed = await approved()
    await propose(reversed)
    await confirm(reversed)
    const before = await rows()
    expect(before.at(-1)).toMatchObject({ state: 'reversed', reversed_by: `m${bob}` })
    expect(await propose(reversed)).toBe('decided')
    expect(await pay(reversed)).toBe('decided')
    expect(await rows()).toEqual(before)
    const sent = await approved()
    await db.query('select from console_money.make_batch(10, $1)', [ann])
    expect(await propose(sent)).toBe('at_bank')
    await expectAlwaysTrue(database.owner)
  })

  it('none is proposed with another amount or player, or as another spelling of it', async () => {
    const { approved, db, ann } = await returns()
    const subject = `withdrawal:${await approved(100)}`
    const proposed = (change: object) =>
      proposeOf(db, { kind: 'reversal', subject, session: ann, ...change })
    const [player_id, amount] = [1, '100000000']
    for (const content of [{}, { player_id, amount: '100000001' }, { player_id: 2, amount }]) {
      await expect(proposed({ content })).rejects.toThrow('the player and the amount of its')
    }
    for (const other of ['withdrawal:01', 'withdrawal: 1', 'withdrawal:', 'transfer:1']) {
      expect(await proposed({ subject: other }), other).toBe('not_found')
    }
  })
})

describe('while another person decides, and has not committed yet', () => {
  it('a payout and a batch wait for a proposal, and it for them, and each leaves the other out', async () => {
    const { approved, propose, refuse, pay, ann, bob, cat, db, database } = await returns()
    const makeBatch = 'select payments from console_money.make_batch(10, $1)'
    const one = await approved()
    const batched = await answerAfter(database, {
      first: (tx) => proposeReversal(tx, { id: one, session: ann }),
      second: () => db.value<number>(makeBatch, [cat]),
    })
    const sent = await approved()
    const late = await answerAfter(database, {
      first: (tx) => tx.query(makeBatch, [cat]),
      second: () => propose(sent),
    })
    expect([batched, late]).toEqual([0, 'at_bank'])
    expect(await refuse(one)).toBe('withdrawn')
    const other = await approved()
    const paid = await answerAfter(database, {
      first: (tx) => proposeReversal(tx, { id: one, session: ann }),
      second: () => pay(one),
    })
    const proposed = await answerAfter(database, {
      first: (tx) => payByHand(tx, { id: other, by: bob, reference: 'PAID' }),
      second: () => propose(other),
    })
    expect([paid, proposed]).toEqual(['reversal_proposed', 'paid_already'])
    expect(await refuse(one)).toBe('withdrawn')
    expect(await pay(one)).toBe('paid')
    await expectAlwaysTrue(database.owner)
  })
})
