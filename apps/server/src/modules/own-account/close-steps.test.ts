/** What the database checks before it closes an account, what it ends then, and for whom the end of it waits. */
import { describe, expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  moveMoney,
  openTestRound,
  orderFor,
  placeAfter,
} from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { addSessions, expectSignedOut } from '#testing/database/stored-rows.ts'
import { addPayMethod, DESK_AT, openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import { confirmReversal, propose, proposeReversal } from '#testing/people/proposals.ts'
import { anonymiseClosed, openMatters, writeClosedKept } from './close-account.ts'

const U = 1_000_000n
const DAY_MS = 86_400_000
const KEPT_DAYS = 365

/** A cash desk, and the closing of an account. */
async function desk({ u = 1_000 } = {}) {
  const at = await openCashDesk({ u })
  const close = (
    playerId: number,
    { to = null, by = at.db }: { to?: number | null; by?: Queryable } = {},
  ) => callFunction<string>(by, 'own_account.close_account', playerId, to, '2026-11-20')
  /** Adds a row by the values of its columns. */
  const addRow = (table: string, row: object) => {
    const places = Object.keys(row).map((_, at) => `$${at + 1}`)
    return at.owner.query(
      `insert into ${table} (${Object.keys(row).join()}) values (${places.join()})`,
      Object.values(row),
    )
  }
  const staffId = await at.owner.value<number>('select min(id) from staff.member')
  return { ...at, close, addRow, staffId }
}

it('the open positions of an account are withdrawals that are pending or not paid, and held deposits, of this player', async () => {
  const { database, db, owner, player, bob, cat, say, request, approved, addRow, staffId } =
    await desk()
  const withdrawing = async () => (await openMatters(db, player)).withdrawing
  await say(`reject($1, $2, 'no')`, [await request(1), bob])
  await payByHand(owner, { id: await approved(2), by: bob, reference: 'PAID' })
  const reversed = await approved(4)
  await proposeReversal(owner, { id: reversed, session: bob })
  expect(await withdrawing()).toBe(4n * U)
  await confirmReversal(owner, { id: reversed, session: cat })
  expect(await withdrawing()).toBe(0n)
  await approved(8)
  await request(16)
  const decided = { decided_at: new Date(DESK_AT) }
  const repaid = { decided_by: staffId, refund_reference: 'BACK', refund_key: 'BACK' }
  for (const [amount, row] of [
    [3n * U, { state: 'held' }],
    [5n * U, { state: 'released', ...decided }],
    [7n * U, { state: 'refunded', ...decided, ...repaid }],
  ] as const) {
    const held = { player_id: player, amount, because: 'limit', held_at: new Date(DESK_AT) }
    await addRow('protection.held_deposit', { ...held, reference: `test:${amount}`, ...row })
  }
  expect(await openMatters(db, player)).toEqual({
    running: 0n,
    withdrawing: 24n * U,
    held: 3n * U,
    balance: 974n * U,
  })
  const other = await addPlayer(database, { u: 0 })
  expect(await openMatters(db, other)).toMatchObject({ withdrawing: 0n, held: 0n, balance: 0n })
})

describe('an account', () => {
  it('is closed if it is a person’s', async () => {
    const { close, database } = await desk()
    const robot = await addPlayer(database, { u: 5, robot: true })
    for (const id of [robot, 999_999]) expect(await close(id)).toBe('account_locked')
  })

  it('without money is closed, also if a pay method for the rest is given', async () => {
    const { close, database, owner } = await desk()
    const poor = await addPlayer(database, { u: 0 })
    const method = await addPayMethod(database, poor)
    // 99 hundredths of a cent cannot be paid.
    await moveMoney(owner, 'deposit', { playerId: poor, micro: 9_999n, reference: 'test:fine' })
    expect(await close(poor, { to: method })).toBe('closed')
    expect(await cashOf(database, poor)).toBe(9_999n)
    expect(await owner.query('select from withdrawals.withdrawal')).toEqual([])
    await expectAlwaysTrue(owner)
  })

  it('that is closed ends its live sessions and devices, and is excluded for ever', async () => {
    const { close, database, owner } = await desk()
    const ann = await addPlayer(database, { u: 0 })
    const before = DESK_AT - DAY_MS
    await addSessions(database, ann, before)
    expect(await close(ann)).toBe('closed')
    await expectSignedOut(database, { at: DESK_AT, by: 'closed', before })
    const excluded = `select player_id from protection.player where excluded_until = 'infinity'`
    expect(await owner.column(excluded)).toEqual([ann])
    expect(await owner.query('select player_id, what, at, details from protection.change')).toEqual(
      [{ player_id: ann, what: 'account_closed', at: DESK_AT, details: {} }],
    )
  })

  it('is not closed by a call that waits for a bet that is not committed yet', async () => {
    const { close, database, player } = await desk({ u: 199 })
    const round = await openTestRound(database)
    const answer = await answerAfter(database, {
      first: (tx) =>
        tx.query('select reason from bets.place($1::jsonb)', [
          JSON.stringify([{ ...orderFor(player, round), ord: 0 }]),
        ]),
      second: () => close(player),
    })
    expect(answer).toBe('something_open')
  })

  it('places no bet that waits for its closing', async () => {
    const { close, database, player } = await desk({ u: 99 })
    const order = orderFor(player, await openTestRound(database))
    const reason = await placeAfter(database, order, (tx) => close(player, { by: tx }))
    expect(reason).toBe('excluded')
  })

  it('is closed by a call that waits for the end of a freeze', async () => {
    const { close, database, db, player, ann } = await desk({ u: 99 })
    await db.query(`select staff.freeze_player($1, 'x', $2)`, [player, ann])
    expect(await close(player)).toBe('account_locked')
    const answer = await answerAfter(database, {
      first: (tx) =>
        tx.query(`select staff.unfreeze_player($1, 'x', date_trunc('second', app.now()), $2)`, [
          ...[player, ann],
        ]),
      second: () => close(player),
    })
    expect(answer).toBe('closed')
  })
})

describe('a closed account', () => {
  it('waits for the end of its own break only', async () => {
    const { close, addRow, database, db, owner } = await desk()
    await writeClosedKept(owner, KEPT_DAYS)
    const end = DESK_AT + KEPT_DAYS * DAY_MS
    const breaks = [
      ['open', 'self_exclusion', end + 1],
      ['ended', 'self_exclusion', end],
      ['timeout', 'time_out', end + 1],
      ['alike', 'likeness', end + DAY_MS],
    ] as const
    for (const [name, kind, ends] of breaks) {
      const id = await addPlayer(database, { u: 0, name })
      expect(await close(id)).toBe('closed')
      const like = kind === 'likeness' && { like_player: id, like_in: 'email' }
      const lasting = { began_at: new Date(DESK_AT), ends_at: new Date(ends) }
      await addRow('protection.exclusion', { player_id: id, kind, ...lasting, ...like })
    }
    const known = `select username from accounts.player where state = 'closed' and anonymised_at is null`
    await database.freezeClock(end)
    expect(await anonymiseClosed(db)).toBe(2)
    expect(await owner.column(known)).toEqual(['open', 'timeout'])
    await database.freezeClock(end + 1)
    expect(await anonymiseClosed(db)).toBe(2)
  })

  it('waits for a payment as long as it goes on, and while money may come back or be asked for', async () => {
    const { addRow, database, owner, method, ann, staffId } = await desk()
    const [at, longBefore] = [new Date(DESK_AT), new Date(DESK_AT - 200 * DAY_MS)]
    const approved = { state: 'approved', approved_by: staffId, decided_at: longBefore }
    const paid = { ...approved, payout_reference: 'OUT', payout_key: 'OUT' }
    const wrong = { payout_chain: 'wrong', payout_fault: 'other_payee' }
    const seen = { payout_chain: 'seen', payout_log: 0 }
    const refunded = {
      state: 'refunded',
      decided_by: staffId,
      decided_at: at,
      refund_reference: 'BACK',
      refund_key: 'BACK',
    }
    const onChain = { ...refunded, decided_at: longBefore, from_address: 'TFrom' }
    type Wait = 'always' | 'for 30 days' | 'no more'
    const WITHDRAWALS: [what: string, row: object, waits: Wait][] = [
      ['is pending', {}, 'always'],
      ['is to be paid', approved, 'always'],
      ['is at the bank', { ...approved, at_bank: true }, 'always'],
      ['is on the chain', { ...paid, paid_at: longBefore, payout_chain: 'awaited' }, 'always'],
      ['went to another payee', { ...paid, paid_at: longBefore, ...wrong }, 'always'],
      ['was seen on the chain', { ...paid, paid_at: at, ...seen }, 'no more'],
      ['was paid by a bank', { ...paid, paid_at: at }, 'for 30 days'],
      ['was rejected', { state: 'rejected', rejected_by: staffId, decided_at: at }, 'for 30 days'],
      [
        'was reversed long after',
        { ...approved, state: 'reversed', reversed_by: staffId, reversed_at: at },
        'for 30 days',
      ],
    ]
    const DEPOSITS: [what: string, row: object, waits: Wait][] = [
      ['came', { held_at: at }, 'for 30 days'],
      ['came as dust', { held_at: at, amount: U - 1n }, 'no more'],
      ['is proposed to be paid back', {}, 'always'],
      ['is not seen paid back on the chain', { ...onChain, refund_chain: 'awaited' }, 'always'],
      ['was paid back wrongly', { ...onChain, refund_chain: 'wrong' }, 'always'],
      ['was seen paid back', { ...onChain, decided_at: at, refund_chain: 'seen' }, 'no more'],
      ['was paid back by a bank', refunded, 'for 30 days'],
      ['was sent back by that bank', { ...refunded, refund_returned_by: staffId }, 'always'],
      ['was released', { state: 'released', decided_at: at }, 'no more'],
    ]
    const waits = async (playerId: number) => {
      const goesOn = (ms: number) =>
        callFunction<boolean>(owner, 'own_account.payment_goes_on', playerId, new Date(ms))
      const end = DESK_AT + 30 * DAY_MS
      const [before, after] = [await goesOn(end - 1), await goesOn(end)]
      return after ? 'always' : before ? 'for 30 days' : 'no more'
    }
    for (const [n, [what, row, expected]] of WITHDRAWALS.entries()) {
      const id = await addPlayer(database, { u: 0 })
      const ofPlayer = { player_id: id, id: n + 1, pay_method_id: method, amount: U, cash_after: 0 }
      const asked = { ...ofPlayer, booked_on: '2026-11-20' }
      const key = 'payout_key' in row ? { payout_key: `OUT ${n}` } : {}
      await addRow('withdrawals.withdrawal', { ...asked, ...row, ...key })
      expect([what, await waits(id)]).toEqual([what, expected])
    }
    for (const [n, [what, row, expected]] of DEPOSITS.entries()) {
      const id = await addPlayer(database, { u: 0 })
      const held = { player_id: id, amount: U, reference: `test:${n}`, because: 'excluded' }
      const key = 'refund_key' in row ? { refund_key: `BACK ${n}` } : {}
      await addRow('protection.held_deposit', { ...held, held_at: longBefore, ...row, ...key })
      if (what === 'is proposed to be paid back') {
        const heldId = await owner.value<bigint>('select max(id) from protection.held_deposit')
        const subject = `held_deposit:${heldId}`
        const content = { player_id: id, amount: String(U), origin: '' }
        await propose(owner, { kind: 'refund', subject, content, session: ann })
      }
      expect([what, await waits(id)]).toEqual([what, expected])
    }
  })

  it('that waits does not keep another from its turn', async () => {
    const { close, database, db, owner } = await desk()
    await writeClosedKept(owner, KEPT_DAYS)
    const rich = await addPlayer(database, { u: 7 })
    const method = await addPayMethod(database, rich)
    expect(await close(rich, { to: method })).toBe('closed')
    await database.freezeClock(DESK_AT + 1)
    expect(await close(await addPlayer(database, { u: 0 }))).toBe('closed')
    await database.freezeClock(DESK_AT + KEPT_DAYS * DAY_MS + 1)
    const one = () => db.query('select own_account.anonymise(1) as done')
    expect(await one()).toEqual([{ done: 1 }])
    expect(await one()).toEqual([{ done: 0 }])
    expect(
      await owner.query('select anonymised_at from accounts.player where id = $1', [rich]),
    ).toEqual([{ anonymised_at: null }])
  })
})
