/** The steps of a proposal of each kind, as the database answers them; what a kind moves is tested where the kind is. */
import { expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, takeDeposit } from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { addSecurityCode, DESK_AT, openCashDesk } from '#testing/people/cash-desk.ts'
import { confirm, end } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { type Draft, insertProposal } from './proposal.ts'

type Desk = Awaited<ReturnType<typeof openCashDesk>>
type About = Pick<Draft, 'subject' | 'content'>

const U = 1_000_000
const TX = 'ab'.repeat(32)
const step = (at: number) => ({ before: at, after: at })
const TERMS = { stake_min: step(U), stake_max: step(9 * U), entry_min: step(0), rules_version: 1 }

/** A proposal of 1 u for the desk's player. */
const ofPlayer = async ({ player }: Desk): Promise<About> => ({
  subject: `player:${player}`,
  content: { amount: U },
})

/** What is proposed of each kind; first whatever must exist for it is made. */
const KINDS = {
  room_change: async () => ({ subject: 'room:11', content: { ...TERMS, odds: [] } }),
  odds_change: async () => ({
    subject: 'rooms:11',
    content: { rooms: [{ room_id: 11, ...TERMS, odds: [] }] },
  }),
  void: async ({ database }) => {
    const { gameId, issue } = await openTestRound(database)
    return { subject: `round:${gameId}:${issue}`, content: {} }
  },
  code_reset: async (desk) => {
    await addSecurityCode(desk.database, desk.player)
    return { ...(await ofPlayer(desk)), content: {} }
  },
  bank_deposit: async (desk) => ({
    ...(await ofPlayer(desk)),
    content: { amount: U, reference: 'A 1' },
  }),
  assignment: async ({ db, owner, player }) => {
    await owner.query(`insert into deposits.watcher_height (chain, block) values ('c', 0)`)
    const transfer = { tx_id: TX, log_index: 0, from_address: 'T0', to_address: 'T1', amount: '7' }
    await db.query(`select deposits.take_block('c', 1, app.now(), $1, current_date)`, [
      JSON.stringify([transfer]),
    ])
    return { subject: `transfer:${TX}:0`, content: { player_id: player, amount: '7' } }
  },
  refund: async ({ database, db, owner }) => {
    const player = await addPlayer(database, { u: 0 })
    await exclude(db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
    await takeDeposit(owner, { playerId: player, micro: 7n, reference: 'test:1' })
    const held = await owner.value<bigint>('select id from protection.held_deposit')
    return { subject: `held_deposit:${held}`, content: { player_id: player, amount: '7' } }
  },
  reversal: async ({ approved, player }) => ({
    subject: `withdrawal:${await approved(100)}`,
    content: { player_id: player, amount: 100 * U },
  }),
  bank_balance: async () => ({
    subject: 'bank_balance',
    content: { amount: U, day: '2026-11-19' },
  }),
  bonus: ofPlayer,
  credit: ofPlayer,
  debit: ofPlayer,
} satisfies Partial<Record<Draft['kind'], (desk: Desk) => Promise<About>>>

type Kind = keyof typeof KINDS

/** The answer to the same proposal at the same time, where it is another than already_proposed. */
const AGAIN: { [kind in Kind]?: string } = {
  bank_deposit: 'reference_used',
  bonus: 'proposed',
  credit: 'proposed',
  debit: 'proposed',
}

/** Ann proposes, and Bob decides, as Cat and Dan would. */
async function house(kind: Kind) {
  const desk = await openCashDesk()
  const about = await KINDS[kind](desk)
  return {
    ...desk,
    dan: await staffToken(desk.database),
    /** The number of a proposal, or why there is none. */
    async propose(session = desk.ann, db: Queryable = desk.db) {
      const made = await insertProposal(db, { kind, ...about, reason: 'a test', session })
      return made.id === null ? made.answer : Number(made.id)
    },
    async confirm(id: unknown, session: string, db: Queryable = desk.db) {
      if (kind !== 'refund') return confirm(db, id as number, session)
      const of = about.subject.slice('held_deposit:'.length)
      await callFunction(db, 'console_money.take_refund', of, null, session)
      return confirm(db, id as number, session, 'PAID1')
    },
    end: (id: unknown, session: string) => end(desk.db, id as number, session),
    row: (id: unknown) =>
      desk.owner.one(
        `select state, proposer.name as by, proposed_at, decider.name as decider,
           coalesce(confirmed_at, ended_at) as decided_at, end_reason
         from staff.proposal join staff.member proposer on proposer.id = proposed_by
         left join staff.member decider on decider.id = coalesce(confirmed_by, ended_by)
         where proposal.id = $1`,
        [id],
      ),
  }
}

it('a decision that is neither yes nor no decides nothing, and a requirement ends by a proof alone', async () => {
  const { db, owner, ann, propose } = await house('credit')
  const id = await propose()
  const requirement = (required: boolean | null) =>
    callFunction(db, 'staff.require_passkey', 'editor', required, ann)
  expect(await requirement(true)).toBe('set')
  expect(await requirement(null)).toBe('proof_required')
  for (const [name, ...values] of [
    ['staff.decide', id, null, '', ann],
    ['protection.decide_likeness', 1, null, '', ann],
  ] as const) {
    await expect(callFunction(db, name, ...values), name).rejects.toThrow(/yes or no/)
  }
  expect(await owner.query('select state from staff.proposal')).toEqual([{ state: 'proposed' }])
})

it.each(Object.keys(KINDS) as Kind[])(
  'a proposal of the kind %s is decided once, and confirmed by another person only',
  async (kind) => {
    const made = await house(kind)
    const { database, owner, ann, bob, cat, dan, propose, row } = made
    expect([await made.confirm(999, ann), await made.end(999, ann)]).toEqual(
      Array(2).fill('not_found'),
    )
    let first: unknown
    const again = await answerAfter(database, {
      first: async (tx) => {
        first = await propose(ann, tx)
      },
      second: () => propose(bob),
    })
    expect(typeof again === 'number' ? 'proposed' : again).toBe(AGAIN[kind] ?? 'already_proposed')
    const open = { state: 'proposed', by: `m${ann}`, proposed_at: DESK_AT, decider: null }
    expect(await row(first)).toEqual({ ...open, decided_at: null, end_reason: null })
    expect(await made.confirm(first, ann)).toBe('same_person')
    expect(await row(first)).toMatchObject(open)

    await database.freezeClock(DESK_AT + 1)
    const decided = { proposed_at: DESK_AT, decided_at: DESK_AT + 1, by: `m${ann}` }
    const ended = { ...decided, end_reason: 'a mistake' }
    expect(await made.end(first, ann)).toBe('withdrawn')
    expect(await row(first)).toEqual({ ...ended, state: 'withdrawn', decider: `m${ann}` })
    const second = await propose()
    expect(await made.end(second, bob)).toBe('refused')
    expect(await row(second)).toMatchObject({ state: 'refused', decider: `m${bob}` })
    for (const late of [first, second]) {
      const before = await row(late)
      expect(await made.confirm(late, bob)).toBe('decided')
      expect(await made.end(late, ann)).toBe('decided')
      expect(await row(late)).toEqual(before)
    }

    // Others wait while a confirmation is not committed yet. A change of a room can still be ended after it.
    const third = await propose()
    const late = await answerAfter(database, {
      first: (tx) => made.confirm(third, bob, tx),
      second: () => Promise.all([made.confirm(third, cat), made.end(third, dan)]),
      whileWaiting: () => somebodyWaits(database, 2),
    })
    const ends = kind === 'room_change' ? 'refused' : 'decided'
    expect(late).toEqual(['decided', ends])
    expect(await row(third)).toMatchObject({
      state: ends === 'refused' ? 'refused' : 'confirmed',
      decider: `m${bob}`,
      decided_at: DESK_AT + 1,
    })
    await expectAlwaysTrue(owner)
  },
)

it('support withdraws its own proposal, and ends none of another person', async () => {
  const { database, propose, end } = await house('bonus')
  const support = await staffToken(database, { role: 'support' })
  const [own, other] = [await propose(support), await propose()]
  await expect(end(other, support)).rejects.toThrow('forbidden')
  expect(await end(own, support)).toBe('withdrawn')
})
