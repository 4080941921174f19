/**
 * What may be done with a recorded bank deposit, by its earlier decisions: each function, in each state; and how the
 * account for deposits is changed.
 */
import { describe, expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { insertProposal } from '#src/modules/staff/proposal.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm as confirmIn, end, propose } from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'

const U = 1_000_000n
const AMOUNT = 7n * U
const DAY = 86_400_000
const AT = Date.UTC(2026, 10, 20)
const TX = 'ab'.repeat(32)
const REFERENCE = 'FT26 4711'

/** A player, two cashiers, and the functions as they call them: ann records, and bob decides. */
async function bank() {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  const { db, owner } = database
  const player = await addPlayer(database, { u: 0 })
  const [ann, bob] = [await staffToken(database), await staffToken(database)]
  return {
    database,
    owner,
    player,
    ann,
    bob,
    /** The number of the deposit, or why it is not recorded. */
    async record(
      reference: string | null = REFERENCE,
      amount: bigint | null = AMOUNT,
      session = ann,
    ) {
      const content = { amount: amount === null ? null : String(amount), reference }
      const draft = { kind: 'bank_deposit', subject: `player:${player}`, content } as const
      const { answer, id } = await insertProposal(db, { ...draft, reason: null, session })
      return id === null ? answer : Number(id)
    },
    confirm: (session = bob, id = 1, by: Queryable = db) => confirmIn(by, id, session),
    refuse: (session = bob, id = 1) => end(db, id, session),
    /** Moves the clock, and lets the sessions of staff go on. */
    async at(ms: number) {
      await database.freezeClock(ms)
      await owner.query('update staff.session set created_at = app.now(), seen_at = app.now()')
    },
    cash: () => cashOf(database, player),
    states: async () => {
      return owner.column<string>('select state from deposits.bank_deposit order by id')
    },
  }
}

describe('a bank deposit', () => {
  it('is credited to a frozen player too, by a posting that names it', async () => {
    const { database, owner, player, record, confirm, cash } = await bank()
    expect(await record()).toBe(1)
    await changePlayer(database, player, `state = 'frozen'`)
    expect(await confirm()).toBe('confirmed')
    expect(await cash()).toBe(AMOUNT)
    expect(await owner.column('select reference from ledger.posting')).toEqual(['bank:1'])
    await expectAlwaysTrue(owner)
  })

  it.each([
    ['owner', 'owner', 10_000n],
    ['finance', 'owner', 1_000n],
    ['owner', 'finance', 1_000n],
    ['support', 'owner', 50n],
  ] as const)(
    'recorded by %s and confirmed by %s needs a third person above %i u',
    async (recorder, confirmer, limit) => {
      const { database, owner, at, cash, states, record, confirm, refuse } = await bank()
      const [ann, bob] = [
        await staffToken(database, { role: recorder }),
        await staffToken(database, { role: confirmer }),
      ]
      const [cat, dan] = [
        await staffToken(database, { role: 'finance' }),
        await staffToken(database),
      ]
      expect(await record('AT-LIMIT', limit * U, ann)).toBe(1)
      expect(await confirm(bob, 1)).toBe('confirmed')
      // What came within 24 hours counts together.
      await at(AT + DAY - 1)
      expect(await record('A-CENT', 10_000n, ann)).toBe(2)
      expect(await confirm(bob, 2)).toBe('first')
      expect(await confirm(bob, 2)).toBe('same_person')
      expect([await cash(), await states()]).toEqual([limit * U, ['confirmed', 'proposed']])
      expect(await confirm(cat, 2)).toBe('confirmed')
      expect(await confirm(dan, 2)).toBe('decided')
      expect(await cash()).toBe(limit * U + 10_000n)

      // The cent came exactly 24 hours ago, and counts no more.
      await at(AT + 2 * DAY - 1)
      expect(await record('ABOVE', limit * U + 10_000n, ann)).toBe(3)
      expect(await confirm(bob, 3)).toBe('first')
      expect(await refuse(bob, 3)).toBe('refused')
      expect(await record('AGAIN', limit * U, ann)).toBe(4)
      expect(await confirm(bob, 4)).toBe('confirmed')
      await expectAlwaysTrue(owner)
    },
  )

  it('counts together with bonuses, not with a debit, and with one that is confirmed at the same moment', async () => {
    const { database, owner, player, bob, record, confirm, states } = await bank()
    await owner.query(
      `insert into staff.proposal (kind, subject, player_id, content, reason, proposed_by, proposed_at)
       select kind, 'player:' || $1::integer, $1::integer, jsonb_build_object('amount', u * 1000000), 'a test',
         (select min(id) from staff.member), app.now()
       from (values ('bonus', 9000::bigint), ('debit', 500)) adjustment (kind, u)`,
      [player],
    )
    for (const id of [1, 2]) expect(await confirm(bob, id)).toBe('confirmed')
    expect(await record('FIRST', 600n * U)).toBe(3)
    expect(await record('SECOND', 600n * U)).toBe(4)
    const second = await answerAfter(database, {
      first: (tx) => confirm(bob, 3, tx),
      second: () => confirm(bob, 4),
    })
    expect(second).toBe('first')
    expect(await states()).toEqual(['confirmed', 'proposed'])
    await expectAlwaysTrue(owner)
  })

  it('that waits for a third person keeps the first confirmation, of another person than its recorder', async () => {
    const { owner, record, confirm } = await bank()
    await record('LARGE', 20_000n * U)
    expect(await confirm()).toBe('first')
    const change = (set: string) => owner.query(`update staff.proposal set ${set}`)
    await expect(change('first_confirmed_by = null')).rejects.toThrow('never changes')
    await expect(
      change(`state = 'confirmed', confirmed_by = first_confirmed_by, confirmed_at = app.now()`),
    ).rejects.toThrow('three_persons')
    await expect(change('first_confirmed_by = proposed_by')).rejects.toThrow('never changes')
  })

  it('is not recorded with a transaction of the chain, a reference that is none, or no amount', async () => {
    const { record, states } = await bank()
    for (const [reference, why] of [
      [TX, 'no reference of a bank'],
      [`USDT ${TX.toUpperCase()}`, 'no reference of a bank'],
      [`${TX.slice(0, 30)} ${TX.slice(30)}`, 'no reference of a bank'],
      ['\uff21B12', 'printable ASCII'],
      [null, 'printable ASCII'],
    ] as const) {
      await expect(record(reference), `${reference}`).rejects.toThrow(why)
    }
    for (const amount of [null, 0n, -5n]) {
      const recorded = record(REFERENCE, amount)
      await expect(recorded, `${amount}`).rejects.toThrow('an amount above zero')
    }
    expect(await states()).toEqual([])
    expect(await record(TX.slice(1))).toBe(1)
  })

  it('with one reference is stored once, whatever writes it', async () => {
    const { owner, record, refuse } = await bank()
    const copy = `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at)
      select kind, subject, player_id, content, proposed_by, proposed_at from staff.proposal where id = 1`
    await record()
    await expect(owner.query(copy)).rejects.toThrow('bank_transfer_once')
    await refuse()
    await owner.query(copy)
  })
})

it('the account for deposits is changed from the shown one alone, to another or to none', async () => {
  const { database, owner, ann, bob, confirm } = await bank()
  const account = { bankName: 'First Bank', holder: 'Sum28 Ltd' }
  const [one, two] = [
    { ...account, number: '1' },
    { ...account, number: '2' },
  ]
  const about = { kind: 'bank_account', subject: 'bank_account', session: ann } as const
  const change = (content: object) => propose(database.db, { ...about, content })
  for (const wrong of [{ before: one, after: two }, { after: one }, { before: null }]) {
    expect(await change(wrong), JSON.stringify(wrong)).toBe('content_changed')
  }
  expect(await change({ before: null, after: one })).toBe('proposed')
  const meanwhile = await answerAfter(database, {
    first: (tx) => confirm(bob, 1, tx),
    second: () => change({ before: null, after: two }),
  })
  expect(meanwhile).toBe('content_changed')
  expect(await change({ before: one, after: null })).toBe('proposed')
  await owner.query(`update deposits.bank_account set number = '3'`)
  expect(await confirm(bob, 2)).toBe('content_changed')
  expect(await owner.column('select number from deposits.bank_account')).toEqual(['3'])
})
