/** What the database checks before it closes an account, what it ends then, and for whom the end of it waits. */
import { describe, expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { WITHDRAWAL_MIN } from '#src/modules/withdrawals/request-withdrawal.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  moveMoney,
  openTestRound,
  orderFor,
  placeAfter,
  takeDeposit,
} from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { addSessions, expectSignedOut } from '#testing/database/stored-rows.ts'
import { addPayMethod, DESK_AT, openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import {
  confirmRefund,
  confirmReversal,
  proposeRefund,
  proposeReversal,
} from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { anonymiseClosed, openMatters, writeClosedKept } from './close-account.ts'

const U = 1_000_000n
const DAY_MS = 86_400_000
const KEPT_DAYS = 365

/** A cash desk, and the closing of an account. */
async function desk({ u = 1_000 } = {}) {
  const at = await openCashDesk({ u })
  const { db, owner, say, bob, cat } = at
  const close = (
    playerId: number,
    { to = null, by = db }: { to?: number | null; by?: Queryable } = {},
  ) => callFunction<string>(by, 'own_account.close_account', playerId, to, '2026-11-20')
  return {
    ...at,
    close,
    lines: (sql: string) => owner.column<string>(sql),
    reject: (id: number) => say(`reject($1, $2, 'no')`, [id, bob]),
    pay: (id: number) => payByHand(owner, { id, by: bob, reference: `PAID${id}` }),
    propose: (id: number) => proposeReversal(owner, { id, session: bob }),
    confirm: (id: number) => confirmReversal(owner, { id, session: cat }),
  }
}

describe('the open positions of an account', () => {
  it('have withdrawals that are pending, or approved and not paid, of this player', async () => {
    const at = await desk()
    const { database, db, player, request, approved } = at
    const withdrawing = async () => (await openMatters(db, player)).withdrawing
    const other = await addPlayer(database, { u: 0 })
    await at.reject(await request(1))
    const paid = await approved(2)
    await at.pay(paid)
    const reversed = await approved(4)
    await at.propose(reversed)
    expect(await withdrawing()).toBe(4n * U)
    await at.confirm(reversed)
    expect(await withdrawing()).toBe(0n)
    await approved(8)
    await request(16)
    expect(await withdrawing()).toBe(24n * U)
    expect(await openMatters(db, other)).toEqual({
      running: 0n,
      withdrawing: 0n,
      held: 0n,
      balance: 0n,
    })
  })

  it('have deposits that are held, and not those that were released or paid back', async () => {
    const { db, owner, player } = await desk()
    const add = (amount: bigint, state: string) =>
      owner.query(
        `insert into protection.held_deposit (player_id, amount, reference, because, held_at, state, decided_at,
           decided_by, refund_reference, refund_key)
         select $1, $2, 'test:' || $3::text, 'limit', app.now(), $3, case when $3 <> 'held' then app.now() end,
           case when $3 = 'refunded' then max(id) end, case when $3 = 'refunded' then 'BACK' end,
           case when $3 = 'refunded' then 'BACK' end
         from staff.member`,
        [player, amount, state],
      )
    await add(3n * U, 'held')
    await add(5n * U, 'released')
    await add(7n * U, 'refunded')
    expect(await openMatters(db, player)).toMatchObject({ held: 3n * U, balance: 1_000n * U })
  })
})

describe('an account', () => {
  it('may have less than can be withdrawn, as the database alone says and the product tells', async () => {
    const { owner } = await desk()
    expect(await owner.value('select withdrawals.smallest()')).toBe(WITHDRAWAL_MIN)
  })

  it('is closed with a cent less than the limit, not with the limit, and if it is a person’s', async () => {
    const { close, database, owner, player } = await desk({ u: 99 })
    const robot = await addPlayer(database, { u: 5, robot: true })
    for (const id of [robot, 999_999]) expect(await close(id)).toBe('account_locked')
    const limit = await addPlayer(database, { u: Number(WITHDRAWAL_MIN / U) })
    expect(await close(limit)).toBe('something_open')
    await moveMoney(owner, 'deposit', {
      playerId: player,
      micro: 990_000n,
      reference: 'test:cents',
    })
    expect(await close(player)).toBe('closed')
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

  it('that is closed ends its live sessions and devices, loses its file, and is excluded for ever', async () => {
    const { close, database, owner } = await desk()
    const [ann, bob] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
    const before = DESK_AT - DAY_MS
    await addSessions(database, ann, before)
    for (const id of [ann, bob])
      await owner.query('insert into own_account.data_file (player_id) values ($1)', [id])
    expect(await close(ann)).toBe('closed')
    await expectSignedOut(database, { at: DESK_AT, by: 'closed', before })
    const playersIn = (table: string) => owner.column(`select player_id from ${table}`)
    expect(await playersIn('own_account.data_file')).toEqual([bob])
    expect(await playersIn(`protection.player where excluded_until = 'infinity'`)).toEqual([ann])
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
  /** Closes the account with all its money in it, and moves the clock to the end of the time for which it is kept. */
  async function closedLongAgo() {
    const at = await desk()
    await writeClosedKept(at.owner, KEPT_DAYS)
    const end = DESK_AT + KEPT_DAYS * DAY_MS
    const toEnd = async (ms = 0) => at.database.freezeClock(end + ms)
    return { ...at, toEnd, end }
  }

  it('waits for the end of its own break only', async () => {
    const { close, toEnd, database, db, owner, end, lines } = await closedLongAgo()
    const exclude = (playerId: number, kind: string, ends: number) =>
      owner.query(
        `insert into protection.exclusion (player_id, kind, began_at, ends_at, like_player, like_in)
         values ($1, $2, app.now(), $3, case $2 when 'likeness' then $1::integer end,
           case $2 when 'likeness' then 'email' end)`,
        [playerId, kind, new Date(ends)],
      )
    const players: number[] = []
    for (const name of ['open', 'ended', 'timeout', 'alike', 'none']) {
      const id = await addPlayer(database, { u: 0, name })
      expect(await close(id)).toBe('closed')
      players.push(id)
    }
    const [open = 0, ended = 0, timeOut = 0, alike = 0] = players
    await exclude(open, 'self_exclusion', end + 1)
    await exclude(ended, 'self_exclusion', end)
    await exclude(timeOut, 'time_out', end + 1)
    await exclude(alike, 'likeness', end + DAY_MS)
    await toEnd()
    expect(await anonymiseClosed(db)).toBe(3)
    const closedNames = `select username as line from accounts.player where state = 'closed' and anonymised_at is null`
    expect(await lines(closedNames)).toEqual(['open', 'timeout'])
    await toEnd(1)
    expect(await anonymiseClosed(db)).toBe(2)
    expect(await lines(closedNames)).toEqual([])
  })

  it('waits for 30 days after a withdrawal was reversed, however long ago it was approved', async () => {
    const { toEnd, end, database, db, owner, player, approved } = await closedLongAgo()
    const id = await approved(1_000)
    await changePlayer(database, player, `state = 'closed', closed_at = app.now()`)
    await toEnd()
    expect(await anonymiseClosed(db)).toBe(0)
    // The sessions of a year ago have ended.
    const [dan, eve] = [await staffToken(database), await staffToken(database)]
    expect(await proposeReversal(db, { id, session: dan })).toBe('proposed')
    expect(await confirmReversal(db, { id, session: eve })).toBe('confirmed')
    await database.freezeClock(end + 30 * DAY_MS - 1)
    expect(await anonymiseClosed(db)).toBe(0)
    await database.freezeClock(end + 30 * DAY_MS)
    expect(await anonymiseClosed(db)).toBe(1)
    await expectAlwaysTrue(owner)
  })

  it('waits until the chain shows the payout to its wallet', async () => {
    const { toEnd, database, db, owner, player, say, bob, approved } = await closedLongAgo()
    await owner.query(`update withdrawals.pay_method set kind = 'wallet'`)
    const id = await approved(1_000)
    const [wrong, right] = ['ab'.repeat(32), 'cd'.repeat(32)]
    expect(await payByHand(db, { id, by: bob, reference: wrong })).toBe('paid')
    await changePlayer(database, player, `state = 'closed', closed_at = app.now()`)
    await toEnd()
    expect(await anonymiseClosed(db)).toBe(0)
    const answer = (reference: string, logs: number[], fault: string | null) =>
      say('take_chain_answer($1, $2, $3, $4)', [id, reference, logs, fault])
    expect(await answer(wrong, [], 'other_payee')).toBe('wrong')
    expect(await anonymiseClosed(db)).toBe(0)
    await owner.query('select console_money.correct_payout($1, $2, $3, $4)', [
      ...[id, await staffToken(database), right, wrong],
    ])
    expect(await anonymiseClosed(db)).toBe(0)
    expect(await answer(right, [0], null)).toBe('seen')
    expect(await anonymiseClosed(db)).toBe(1)
    await expectAlwaysTrue(owner)
  })

  it('waits for 30 days after a deposit came, unless it is dust, and for its refund', async () => {
    const { close, toEnd, database, db, owner, end } = await closedLongAgo()
    const [late, dusty] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
    for (const id of [late, dusty]) expect(await close(id)).toBe('closed')
    await toEnd()
    const arrived = { playerId: late, micro: U, reference: 'test:late', from: 'TFrom' }
    await takeDeposit(owner, arrived)
    await takeDeposit(owner, {
      ...arrived,
      ...{ playerId: dusty, micro: U - 1n, reference: 'test:dust' },
    })
    await database.freezeClock(end + 30 * DAY_MS - 1)
    expect(await anonymiseClosed(db)).toBe(1)
    const [proposer, payer] = [await staffToken(database), await staffToken(database)]
    const id = await owner.value<bigint>(
      'select id from protection.held_deposit where player_id = $1',
      [late],
    )
    const [wrong, right] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const propose = () => proposeRefund(db, { id, session: proposer })
    const paid = (payment: string) => confirmRefund(db, { id, session: payer, payment })
    const chainSays = (payment: string, fault: string | null) =>
      callFunction(db, 'console_money.take_refund_answer', id, payment, fault)
    const waits = async () => expect(await anonymiseClosed(db)).toBe(0)
    expect(await propose()).toBe('proposed')
    await database.freezeClock(end + 30 * DAY_MS)
    await waits()
    expect(await paid(wrong)).toBe('confirmed')
    await waits()
    expect(await chainSays(wrong, 'other_payee')).toBe('wrong')
    await waits()
    expect([await propose(), await paid(right)]).toEqual(['proposed', 'confirmed'])
    expect(await chainSays(right, null)).toBe('seen')
    expect(await anonymiseClosed(db)).toBe(1)
    await expectAlwaysTrue(owner)
  })

  it('waits for 30 days after a bank paid a deposit back', async () => {
    const { close, toEnd, database, db, owner, end } = await closedLongAgo()
    const player = await addPlayer(database, { u: 0 })
    expect(await close(player)).toBe('closed')
    await takeDeposit(owner, { playerId: player, micro: U, reference: 'test:bank' })
    await toEnd()
    const [session, payer] = [await staffToken(database), await staffToken(database)]
    const id = await owner.value<bigint>('select id from protection.held_deposit')
    expect(await proposeRefund(db, { id, session })).toBe('proposed')
    expect(await confirmRefund(db, { id, session: payer, payment: 'OUT' })).toBe('confirmed')
    await database.freezeClock(end + 30 * DAY_MS - 1)
    expect(await anonymiseClosed(db)).toBe(0)
    await database.freezeClock(end + 30 * DAY_MS)
    expect(await anonymiseClosed(db)).toBe(1)
  })

  it('that waits does not keep another from its turn', async () => {
    const { close, toEnd, database, db, owner } = await closedLongAgo()
    const rich = await addPlayer(database, { u: 7 })
    const method = await addPayMethod(database, rich)
    expect(await close(rich, { to: method })).toBe('closed')
    await database.freezeClock(DESK_AT + 1)
    expect(await close(await addPlayer(database, { u: 0 }))).toBe('closed')
    await toEnd(1)
    const one = () => db.query('select own_account.anonymise(1) as done')
    expect(await one()).toEqual([{ done: 1 }])
    expect(await one()).toEqual([{ done: 0 }])
    expect(
      await owner.query('select anonymised_at from accounts.player where id = $1', [rich]),
    ).toEqual([{ anonymised_at: null }])
  })
})
