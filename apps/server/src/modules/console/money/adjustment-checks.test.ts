/** The database's answers to proposed bonuses and corrections, and to their confirmations, at the exact edges. */
import { beforeEach, describe, expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { ownFigures } from '#src/modules/own-account/figures.ts'
import { exclude, releaseDeposits, setLimit } from '#src/modules/protection/protection-store.ts'
import { type Draft, insertProposal } from '#src/modules/staff/proposal.ts'
import { writeAdjustmentLimits } from '#src/modules/wallet/adjustment-limits.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { confirm as confirmIn, end as endIn, latestAbout } from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'

const U = 1_000_000n
const AT = Date.UTC(2026, 10, 20, 4)
const DAY = 24 * 3_600_000
const TODAY = '2026-11-20'
const CLOSED = `state = 'closed', closed_at = app.now()`
const LIMITS = { owner: 1_000n * U, finance: 100n * U, support: 10n * U }

let database: TestDatabase
let player: number
/** The owner. */
let ann: string
/** Of finance. */
let bob: string

beforeEach(async () => {
  database = await createTestDatabase()
  await database.freezeClock(AT)
  await writeAdjustmentLimits(database.owner, LIMITS)
  player = await addPlayer(database, { u: 50 })
  ann = await staffToken(database, { role: 'owner' })
  bob = await staffToken(database, { role: 'finance' })
})

type Proposal = {
  kind?: 'bonus' | 'credit' | 'debit'
  amount?: bigint
  by?: string
  playerId?: number
}

/** Proposes a credit of 1 u by the owner, if nothing else is given. */
function tryProposal(
  { kind = 'credit', amount = U, by = ann, playerId = player }: Proposal = {},
  db: Queryable = database.db,
): Promise<{ answer: string; id: bigint | null }> {
  return tryContent(kind, { amount: Number(amount) }, { by, subject: `player:${playerId}`, db })
}

function tryContent(
  kind: Draft['kind'],
  content: object,
  { by = ann, subject = `player:${player}`, db = database.db as Queryable } = {},
) {
  return insertProposal(db, { kind, subject, content, reason: 'A gift', session: by })
}

const answerTo = async (proposal: Proposal) => (await tryProposal(proposal)).answer

async function proposed(proposal: Proposal = {}): Promise<number> {
  const { answer, id } = await tryProposal(proposal)
  expect(answer).toBe('proposed')
  return Number(id)
}

const confirm = (id: number, by: string) => confirmIn(database.db, id, by)
const end = (id: number, by: string) => endIn(database.db, id, by)

describe('an adjustment', () => {
  it.each([
    ['bonus', 'bonus', 57n],
    ['credit', 'adjustment_credit', 57n],
    ['debit', 'adjustment_debit', 43n],
  ] as const)(
    'of the kind %s moves the money when another person confirms it',
    async (kind, posted, left) => {
      const id = await proposed({ kind, amount: 7n * U })
      expect(await cashOf(database, player)).toBe(50n * U)
      expect(await confirm(id, bob)).toBe('confirmed')
      expect(await cashOf(database, player)).toBe(left * U)
      const postings = await database.db.query(
        `select kind, amount, reference, booked_on from ledger.posting
       where holder_id = $1 and kind <> 'deposit'`,
        [player],
      )
      expect(postings).toEqual([
        { kind: posted, amount: 7n * U, reference: `adjustment:${id}`, booked_on: TODAY },
      ])
      await expectAlwaysTrue(database.owner)
    },
  )

  it('has an amount above zero, and takes no deposit back if it gives: that would count in no sum of a role', async () => {
    for (const [kind, content, why] of [
      ...[0, -1, null].map((amount) => ['debit', { amount }, 'an amount above zero'] as const),
      ['bonus', { amount: 1, deposit: 1 }, 'takes no deposit back'],
      ['credit', { amount: 1, deposit: 1 }, 'takes no deposit back'],
    ] as const) {
      await expect(tryContent(kind, content), JSON.stringify(content)).rejects.toThrow(why)
    }
  })

  it('is not made for a robot, or for a player who is missing', async () => {
    const robot = await addPlayer(database, { robot: true })
    expect(await tryProposal({ playerId: robot })).toEqual({ answer: 'not_found', id: null })
    expect(await tryProposal({ playerId: robot + 1 })).toEqual({ answer: 'not_found', id: null })
  })

  it('of a closed account is neither proposed nor confirmed', async () => {
    const made = await proposed({ kind: 'debit' })
    await changePlayer(database, player, CLOSED)
    for (const kind of ['bonus', 'credit', 'debit'] as const) {
      expect(await answerTo({ kind }), kind).toBe('account_closed')
    }
    expect(await confirm(made, bob)).toBe('account_closed')
    expect(await cashOf(database, player)).toBe(50n * U)
  })

  it('that is a bonus is not given until the last instant of a break, nor in a review; a correction is made', async () => {
    const before = await proposed({ kind: 'bonus' })
    const { db } = database
    await exclude(db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
    expect(await answerTo({ kind: 'credit' })).toBe('proposed')
    expect(await confirm(await proposed({ kind: 'debit' }), bob)).toBe('confirmed')
    await database.freezeClock(AT + DAY - 1)
    const { cashier, owner } = await laterSessions()
    expect(await answerTo({ kind: 'bonus', by: owner })).toBe('excluded')
    expect(await confirm(before, cashier)).toBe('excluded')
    await database.freezeClock(AT + DAY)
    expect(await answerTo({ kind: 'bonus', by: owner })).toBe('proposed')
    expect(await confirm(before, cashier)).toBe('confirmed')
    await database.owner.query('update protection.player set under_review = true')
    expect(await answerTo({ kind: 'bonus', by: owner })).toBe('excluded')
  })
})

/** Sessions that are new after some hours. */
async function laterSessions(): Promise<{ owner: string; cashier: string }> {
  const owner = await staffToken(database, { role: 'owner' })
  return { owner, cashier: await staffToken(database, { role: 'finance' }) }
}

describe('a debit', () => {
  it('takes all that is free and no more, when it is proposed and when it is confirmed', async () => {
    const debit = (u: bigint, micro = 0n) =>
      proposed({ kind: 'debit', amount: u * U + micro, by: bob })
    expect(await answerTo({ kind: 'debit', amount: 50n * U + 1n })).toBe('insufficient_balance')
    const credit = await proposed({ kind: 'credit', amount: 50n * U + 1n })
    await end(credit, ann)
    const [part, more, rest] = [await debit(30n), await debit(20n, 1n), await debit(20n)]
    expect(await confirm(part, ann)).toBe('confirmed')
    expect(await confirm(more, ann)).toBe('insufficient_balance')
    expect(await confirm(rest, ann)).toBe('confirmed')
    expect(await cashOf(database, player)).toBe(0n)
    await expectAlwaysTrue(database.owner)
  })

  it('waits for a stake that is not committed yet, and does not take its money', async () => {
    const id = await proposed({ kind: 'debit', amount: 50n * U })
    const answer = await answerAfter(database, {
      first: (tx) =>
        tx.query(`select wallet.move('stake', array[row($1, $2, 1, 'bet:1')::wallet.movement])`, [
          player,
          TODAY,
        ]),
      second: () => confirm(id, bob),
    })
    expect(answer).toBe('insufficient_balance')
    expect(await cashOf(database, player)).toBe(50n * U - 1n)
  })
})

/** A bank deposit, by default of 5,000 u, that one person records and these others confirm; its number. */
async function bankDeposit(
  confirming: string[],
  { u = 5_000n, of = player, by = ann } = {},
): Promise<number> {
  const number = await latestAbout(database.db, `player:${of}`)
  const content = { amount: String(u * U), reference: `BANK ${of}, ${number}` }
  const { id } = await tryContent('bank_deposit', content, { by, subject: `player:${of}` })
  for (const person of confirming) await confirm(Number(id), person)
  return Number(id)
}

/** One of 5,000 u that three persons confirmed. */
async function credited({ of = player, owner = ann, cashier = bob } = {}): Promise<number> {
  return bankDeposit([cashier, await staffToken(database)], { of, by: owner })
}

type Of = { by?: string; subject?: string }

describe('a debit that takes a bank deposit back', () => {
  const takeBack = (deposit: number, amount: bigint, { by = bob, ...of }: Of = {}) =>
    tryContent('debit', { player_id: player, amount: Number(amount), deposit }, { by, ...of })
  const answer = async (deposit: number, amount: bigint) => (await takeBack(deposit, amount)).answer
  /** A proposal to pay it back. */
  const refunded = (subject: string) => {
    const refund = { player_id: player, amount: String(5_000n * U), origin: '' }
    return tryContent('refund', refund, { by: bob, subject })
  }

  it('needs two persons alone, above the limits of their roles, and uses nothing of these', async () => {
    const id = await credited()
    expect(await answerTo({ kind: 'debit', amount: 5_000n * U })).toBe('above_role_limit')
    const made = await takeBack(id, 5_000n * U)
    expect(made.answer).toBe('proposed')
    expect(await confirm(Number(made.id), bob)).toBe('same_person')
    expect(await confirm(Number(made.id), ann)).toBe('confirmed')
    expect(await cashOf(database, player)).toBe(50n * U)
    expect(await answer(id, 1n)).toBe('above_deposit')
    expect(await answerTo({ by: bob, kind: 'debit', amount: 50n * U })).toBe('proposed')
    await expectAlwaysTrue(database.owner)
  })

  it('takes of it no more than it was, in all, and of no other', async () => {
    const id = await credited()
    const other = await credited({ of: await addPlayer(database) })
    expect(await answer(id, 5_000n * U + 1n)).toBe('above_deposit')
    const part = await takeBack(id, 3_000n * U)
    expect(await answer(id, 2_000n * U + 1n)).toBe('above_deposit')
    expect(await answer(id, 2_000n * U)).toBe('proposed')
    expect(await answer(id, 1n)).toBe('above_deposit')
    await end(Number(part.id), bob)
    expect(await answer(id, 3_000n * U)).toBe('proposed')
    const next = await credited()
    expect(await answer(next, 5_000n * U)).toBe('proposed')
    expect([await answer(other, U), await answer(999, U)]).toEqual(Array(2).fill('deposit_missing'))
  })

  /** A deposit that came during a break of a day, and is held. */
  async function held(): Promise<{ deposit: number; subject: string }> {
    await exclude(database.db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
    const deposit = await credited()
    const id = await database.owner.value('select max(id) from protection.held_deposit')
    return { deposit, subject: `held_deposit:${id}` }
  }
  const afterBreak = async () => {
    await database.freezeClock(AT + DAY)
    return releaseDeposits(database.db, { onDay: '2026-11-21' })
  }

  it('is none of a deposit that is not confirmed, and of one that was held like of any other', async () => {
    expect(await answer(await bankDeposit([]), U)).toBe('deposit_missing')
    const { deposit, subject } = await held()
    expect(await afterBreak()).toHaveLength(1)
    const { cashier: by, owner } = await laterSessions()
    expect((await takeBack(deposit, U, { by, subject })).answer).toBe('decided')
    const made = await takeBack(deposit, 4_000n * U, { by })
    expect(await confirm(Number(made.id), owner)).toBe('confirmed')
    // It counts since it was released.
    expect(await countedNow()).toEqual(Array(3).fill(1_000n * U))
    await expectAlwaysTrue(database.owner)
  })

  it.each(['active', 'closed'])(
    'takes all of a held one of an account that is %s, which is not released meanwhile or later',
    async (state) => {
      const { deposit, subject } = await held()
      expect(await answer(deposit, U)).toBe('decided')
      const part = await takeBack(deposit, U, { subject })
      expect(part.answer).toBe('part_of_deposit')
      const made = await takeBack(deposit, 5_000n * U, { subject })
      expect((await refunded(subject)).answer).toBe('already_proposed')
      if (state === 'closed') await changePlayer(database, player, CLOSED)
      expect(await afterBreak()).toEqual([])
      const { owner } = await laterSessions()
      expect(await confirm(Number(made.id), owner)).toBe('confirmed')
      expect(await afterBreak()).toEqual([])
      const { cash, held: stillHeld } = await database.owner.one<Record<string, bigint>>(
        'select cash, held from ledger.balance where holder_id = $1',
        [player],
      )
      expect([cash, stillHeld]).toEqual([50n * U, 0n])
      await expectAlwaysTrue(database.owner)
    },
  )

  it('takes none that staff pay back, or may have paid back', async () => {
    const { deposit, subject } = await held()
    const all = () => takeBack(deposit, 5_000n * U, { subject })
    const { id } = await refunded(subject)
    expect((await all()).answer).toBe('already_proposed')
    const held_id = subject.slice('held_deposit:'.length)
    const call = (name: string, ...values: unknown[]) =>
      callFunction(database.db, `console_money.${name}`, held_id, ...values, ann)
    expect(await call('take_refund', null)).toBe('taken')
    expect(await call('give_refund_back')).toBe('given_back')
    await end(Number(id), bob)
    expect((await all()).answer).toBe('payment_taken')
  })

  /** What counts in the present day, week and month, besides the 50 u that are no deposit of his. */
  const countedNow = () =>
    database.owner.value<bigint[]>(
      `select protection.sums_now(deposited, starts, protection.starts_at(app.now())) from protection.player
       where player_id = $1`,
      [player],
    )

  it('ends its counting in the periods in which it counts, and so lets others in', async () => {
    const limit = { playerId: player, kind: 'deposit', period: 'week', amount: 5_000n * U } as const
    await setLimit(database.db, limit)
    const wrong = await credited()
    const right = await credited()
    await database.freezeClock(AT + DAY)
    const { cashier: by, owner } = await laterSessions()
    expect(await releaseDeposits(database.db, { onDay: '2026-11-21' })).toEqual([])
    const made = await takeBack(wrong, 5_000n * U, { by })
    expect(await confirm(Number(made.id), owner)).toBe('confirmed')
    expect(await countedNow()).toEqual([0n, 0n, 0n])
    expect(await releaseDeposits(database.db, { onDay: '2026-11-21' })).toHaveLength(1)
    expect(await countedNow()).toEqual(Array(3).fill(5_000n * U))
    const figures = await ownFigures(database.db, { playerId: player, timeZone: 'UTC', now: AT })
    expect(figures.lifetime.deposited).toBe('5050.00')
    const moved = `select sum(deposited)::bigint from console_start.money_moved where player_id = $1`
    expect(await database.owner.value(moved, [player])).toBe(5_050n * U)
    // In a later month it counts no more, and nothing else is subtracted.
    await database.freezeClock(AT + 30 * DAY)
    const later = await laterSessions()
    const again = await takeBack(right, U, { by: later.cashier })
    await credited(later)
    expect(await confirm(Number(again.id), later.owner)).toBe('confirmed')
    expect(await countedNow()).toEqual(Array(3).fill(5_000n * U))
    await expectAlwaysTrue(database.owner)
  })
})

describe('the limit of a role', () => {
  it('is reached exactly, and not exceeded, by all that is proposed for a player', async () => {
    expect(await answerTo({ by: bob, amount: 100n * U + 1n })).toBe('above_role_limit')
    expect(await answerTo({ by: bob, amount: 60n * U })).toBe('proposed')
    expect(await answerTo({ by: bob, amount: 40n * U + 1n })).toBe('above_role_limit')
    expect(await answerTo({ by: bob, amount: 40n * U })).toBe('proposed')
    expect(await answerTo({ by: bob, amount: 1n })).toBe('above_role_limit')
    // The owner has a higher limit, and another player has his own.
    expect(await answerTo({ amount: 900n * U + 1n })).toBe('above_role_limit')
    expect(await answerTo({ amount: 900n * U })).toBe('proposed')
    const other = await addPlayer(database)
    expect(await answerTo({ by: bob, amount: 100n * U, playerId: other })).toBe('proposed')
  })

  it('counts a bank deposit that two persons confirmed, and none that took three', async () => {
    await bankDeposit([bob], { u: 60n })
    await credited()
    expect(await answerTo({ by: bob, amount: 40n * U + 1n })).toBe('above_role_limit')
    expect(await answerTo({ by: bob, amount: 40n * U })).toBe('proposed')
    // It can be taken back.
    expect(await answerTo({ by: bob, kind: 'debit', amount: 50n * U })).toBe('proposed')
  })

  it('applies also to the person who confirms, without the adjustment itself', async () => {
    const [all, more] = [
      await proposed({ amount: 100n * U }),
      await proposed({ amount: 100n * U + 1n }),
    ]
    expect(await confirm(all, bob)).toBe('above_role_limit')
    expect(await confirm(more, bob)).toBe('above_role_limit')
    await end(more, ann)
    expect(await confirm(all, bob)).toBe('confirmed')
    expect(await cashOf(database, player)).toBe(150n * U)
  })

  it('counts what was confirmed for exactly 24 hours', async () => {
    const id = await proposed({ by: bob, amount: 100n * U })
    await database.freezeClock(AT + 1_000)
    expect(await confirm(id, ann)).toBe('confirmed')
    await database.freezeClock(AT + DAY + 999)
    const { cashier } = await laterSessions()
    expect(await answerTo({ by: cashier, amount: 1n })).toBe('above_role_limit')
    await database.freezeClock(AT + DAY + 1_000)
    expect(await answerTo({ by: cashier, amount: 100n * U })).toBe('proposed')
  })

  it('counts an open proposal for as long as it is open, and none that is refused or withdrawn', async () => {
    const [one, two] = [
      await proposed({ by: bob, amount: 60n * U }),
      await proposed({ by: bob, amount: 40n * U }),
    ]
    await database.freezeClock(AT + 2 * DAY)
    const { owner, cashier } = await laterSessions()
    expect(await answerTo({ by: cashier, amount: 1n })).toBe('above_role_limit')
    expect(await end(one, owner)).toBe('refused')
    expect(await answerTo({ by: cashier, amount: 60n * U + 1n })).toBe('above_role_limit')
    expect(await end(two, await staffToken(database, { role: 'finance' }))).toBe('refused')
    const again = await proposed({ by: cashier, amount: 100n * U })
    expect(await end(again, cashier)).toBe('withdrawn')
    expect(await answerTo({ by: cashier, amount: 100n * U })).toBe('proposed')
  })

  it('counts a simultaneous proposal that is not committed yet', async () => {
    const answer = await answerAfter(database, {
      first: (tx) => tryProposal({ by: bob, amount: 100n * U }, tx),
      second: async () => answerTo({ by: await staffToken(database, { role: 'finance' }) }),
    })
    expect(answer).toBe('above_role_limit')
  })
})
