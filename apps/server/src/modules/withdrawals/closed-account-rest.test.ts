/** The rest of a closed account, as the database judges its request: each refusal, the amount, and who waits for whom. */
import { expect, it } from 'vitest'
import { callFunction, type Transaction } from '#src/db/database.ts'
import {
  anonymiseClosed,
  closeAccount,
  writeClosedKept,
} from '#src/modules/own-account/close-account.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, moveMoney } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import type { TestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod, DESK_AT, openCashDesk } from '#testing/people/cash-desk.ts'
import { staffToken } from '#testing/people/staff.ts'
import { requestRestOf } from './withdrawal-store.ts'

const U = 1_000_000n

/** A closed account with 7 u and a hundredth of a cent in it, and a card. */
async function closedWithRest() {
  const desk = await openCashDesk()
  const { database, db, owner, ann } = desk
  const closed = await addPlayer(database, { u: 7 })
  const card = await addPayMethod(database, closed)
  expect(await closeAccount(db, { playerId: closed, session: null })).toBeNull()
  const credit = (amount: bigint, tx: Pick<Transaction, 'query'> = owner) =>
    moveMoney(tx, 'deposit', { playerId: closed, micro: amount, reference: `test:${amount}` })
  await credit(100n)
  const ask = (change: Partial<Parameters<typeof requestRestOf>[1]> = {}) =>
    db.transaction((tx) =>
      requestRestOf(tx, {
        playerId: closed,
        payMethodId: card,
        onDay: '2026-11-20',
        session: ann,
        ...change,
      }),
    )
  const answerTo = async (change: Parameters<typeof ask>[0]) => (await ask(change)).answer
  const lock = (playerId: number) =>
    db.transaction((tx) => callFunction<string | null>(tx, 'withdrawals.lock_closed', playerId))
  return { ...desk, closed, card, credit, ask, answerTo, lock }
}

/** The clock is at the end of the time for which a closed account is kept. */
async function keptLongEnough(database: TestDatabase): Promise<void> {
  await writeClosedKept(database.owner, 365)
  await database.freezeClock(DESK_AT + 365 * 86_400_000)
}

it('is requested in whole hundredths and not again while it is pending, and what is finer stays booked', async () => {
  const { ask, answerTo, say, bob, closed, database, owner, credit } = await closedWithRest()
  const { id, answer, amount } = (await ask()) as { id: bigint; answer: string; amount: bigint }
  expect([answer, amount]).toEqual(['requested', 7n * U])
  expect(await cashOf(database, closed)).toBe(100n)
  expect(
    await owner.query('select player_id, amount, cash_after, state from withdrawals.withdrawal'),
  ).toEqual([{ player_id: closed, amount: 7n * U, cash_after: 100n, state: 'waiting' }])
  expect(await answerTo({})).toBe('withdrawal_pending')
  // It waits for no identity: nobody can send one any more.
  await owner.query('update withdrawals.terms set identity_from = 1')
  expect(await say('approve($1, $2)', [id, bob])).toBe('approved')
  expect(await answerTo({})).toBe('insufficient_balance')
  // 99 hundredths of a cent are not enough yet, and 100 are.
  await credit(9_899n)
  expect(await answerTo({})).toBe('insufficient_balance')
  await credit(1n)
  expect(await ask()).toMatchObject({ answer: 'requested', amount: 10_000n })
  await expectAlwaysTrue(owner)
})

it('is not requested to a method that does not exist, is another player’s, or was replaced', async () => {
  const { answerTo, method, card, owner, database, closed } = await closedWithRest()
  expect(await answerTo({ payMethodId: 999 })).toBe('pay_method_missing')
  expect(await answerTo({ payMethodId: method })).toBe('pay_method_missing')
  await owner.query('update withdrawals.pay_method set replaced_at = app.now() where id = $1', [
    card,
  ])
  expect(await answerTo({})).toBe('pay_method_missing')
  expect(await cashOf(database, closed)).toBe(7n * U + 100n)
})

it('is not requested for an open, a missing or an anonymised account, or a robot’s', async () => {
  const { answerTo, lock, player, method, database, db, owner, closed } = await closedWithRest()
  const robot = await addPlayer(database, { robot: true })
  await owner.query(
    `update accounts.player set state = 'closed', closed_at = app.now() where id = $1`,
    [robot],
  )
  const each: [number, string | null][] = [
    [closed, null],
    [player, 'not_closed'],
    [999_999, 'not_found'],
    [robot, 'not_found'],
  ]
  for (const [playerId, why] of each)
    expect([playerId, await lock(playerId)]).toEqual([playerId, why])
  expect(await answerTo({ playerId: player, payMethodId: method })).toBe('not_closed')
  await keptLongEnough(database)
  await anonymiseClosed(db)
  expect(await lock(closed)).toBe('not_found')
  expect(await answerTo({ session: await staffToken(database) })).toBe('not_found')
})

it('is approved by another person than the one who requested it, also as the second of two', async () => {
  const { ask, say, request, ann, bob, cat, owner } = await closedWithRest()
  // What waits of another player is in no way of it.
  await request()
  const { id } = (await ask()) as { id: bigint }
  await owner.query('update withdrawals.terms set two_persons_from = 0')
  expect(await say('approve($1, $2)', [id, ann])).toBe('same_person')
  expect(await say('approve($1, $2)', [id, bob])).toBe('first')
  expect(await say('approve($1, $2)', [id, ann])).toBe('same_person')
  expect(await say('approve($1, $2)', [id, cat])).toBe('approved')
  await expectAlwaysTrue(owner)
})

it('is requested by one of two at once, and the other is told that it is pending', async () => {
  const { database, closed, card, ask, answerTo, bob } = await closedWithRest()
  const answer = await answerAfter(database, {
    first: (tx) =>
      requestRestOf(tx, { playerId: closed, payMethodId: card, onDay: '2026-11-20', session: bob }),
    second: () => answerTo({}),
  })
  expect(answer).toBe('withdrawal_pending')
  expect(await ask()).toMatchObject({ answer: 'withdrawal_pending' })
  await expectAlwaysTrue(database.owner)
})

it('includes money that is booked while the request waits for the balance', async () => {
  const { database, credit, ask, closed } = await closedWithRest()
  const made = await answerAfter(database, { first: (tx) => credit(5n * U, tx), second: ask })
  expect(made).toMatchObject({ answer: 'requested', amount: 12n * U })
  expect(await cashOf(database, closed)).toBe(100n)
  await expectAlwaysTrue(database.owner)
})
