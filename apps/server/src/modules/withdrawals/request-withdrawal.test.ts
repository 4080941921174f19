/**
 * A request of a withdrawal: its reply, the stored request, the money and the notice; each refusal, in their order: a
 * request with all faults is told the first of them; and its idempotency key, which belongs to one request.
 */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import {
  ASKING_CODE,
  addPayMethod,
  addSecurityCode,
  DESK_AT,
  openAskingMember,
} from '#testing/people/cash-desk.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import type { WithdrawalReply } from './request-withdrawal.ts'

const U = 1_000_000n
const NOTHING = { payTo: null, amount: 100n * U - 1n, code: undefined }

it('a player without anything is told one by one what is missing', async () => {
  const { database, owner, ask, requested, notices } = await openAskingMember()
  const playerId = await addPlayer(database, { u: 100 })
  const told = (change: Parameters<typeof ask>[0] = {}) => ask({ ...NOTHING, playerId, ...change })
  const invalid = (faults: object) => ({ refused: 'invalid_input', faults })
  expect(await told()).toEqual({ refused: 'pay_method_missing' })
  const method = await addPayMethod(database, playerId, 'wallet')
  expect(await told()).toEqual({ refused: 'security_code_not_set' })
  await addSecurityCode(database, playerId)
  const [amount, payTo, code] = [100n * U + 10_000n, { id: method }, ASKING_CODE]
  const differs = { id: method, kind: 'bank' } as const
  const minimum = { details: { minimum: '100.00' }, wording: 'amount_below_minimum' }
  for (const [change, refusal] of [
    [{}, { refused: 'below_minimum', ...minimum }],
    [{ amount }, invalid({ pay_id: 'required' })],
    [{ amount, payTo: { kind: 'bank' } }, { refused: 'pay_method_missing' }],
    [{ amount, payTo: differs }, invalid({ pay_id: 'pay_method_differs' })],
    [{ amount, payTo }, invalid({ security_code: 'required' })],
    [
      { amount, payTo, code: '000000' },
      { refused: 'security_code_wrong', details: { tries_left: 4 } },
    ],
    [
      { amount, payTo, code },
      { refused: 'insufficient_balance', wording: 'above_balance' },
    ],
  ] as const) {
    expect(await told(change)).toEqual(refusal)
  }
  expect(await cashOf(database, playerId)).toBe(100n * U)
  expect([await requested(), await notices()]).toEqual([[], []])
  expect(await told({ amount: 100n * U, payTo, code })).toMatchObject({ cashAfter: 0n })
  await expectAlwaysTrue(owner)
})

it('a code that is locked is not tried, even if it is right', async () => {
  const { database, player, ask, requested } = await openAskingMember()
  for (let tries = 0; tries < 5; tries += 1) await ask({ code: '000000' })
  expect(await ask()).toEqual({
    refused: 'security_code_locked',
    details: { retry_after: 86_400, hours: 24 },
  })
  expect(await requested()).toEqual([])
  expect(await cashOf(database, player)).toBe(1_000n * U)
})

it('a right request is refused to no payee of his, while his account is frozen, and on hold to its last instant', async () => {
  const { database, owner, player, card, wallet, ask, requested, notices } =
    await openAskingMember()
  const missing = { refused: 'pay_method_missing' }
  const others = await addPayMethod(database, await addPlayer(database))
  expect(await ask({ payTo: { id: others } })).toEqual(missing)
  await owner.query('update withdrawals.pay_method set replaced_at = app.now() where id = $1', [
    card,
  ])
  expect(await ask({ payTo: { id: card } })).toEqual(missing)
  expect(await ask({ payTo: { kind: 'bank' } })).toEqual(missing)
  const payTo = { id: wallet }
  await changePlayer({ owner }, player, `state = 'frozen'`)
  expect(await ask({ payTo })).toEqual({ refused: 'account_locked' })
  await owner.query(`update withdrawals.terms set hold = interval '1 hour'`)
  await changePlayer({ owner }, player, `state = 'active', sensitive_changed_at = app.now()`)
  await database.freezeClock(DESK_AT + 3_599_999)
  expect(await ask({ payTo })).toEqual({ refused: 'withdrawal_on_hold' })
  expect([await requested(), await notices()]).toEqual([[], []])
  expect(await cashOf(database, player)).toBe(1_000n * U)
  await database.freezeClock(DESK_AT + 3_600_000)
  expect(await ask({ payTo })).toMatchObject({ replayed: false })
})

it('a request reserves the money, in a self-exclusion too, forgives wrong codes, and notifies the player of the amount and the payee', async () => {
  const { database, db, owner, player, card, ask, requested, notices, audited } =
    await openAskingMember()
  await exclude(db, { playerId: player, kind: 'self_exclusion', lasting: '6 months' })
  const tries = () => owner.column('select tries from accounts.security_code')
  await ask({ code: '000000' })
  expect(await tries()).toEqual([1])
  // It is booked on the day of the time zone, and not of the world's clock.
  const made = await ask({ amount: 250n * U + 10_000n }, { now: () => Date.UTC(2026, 10, 20, 16) })
  expect(await tries()).toEqual([0])
  const [stored] = (await requested()) as { id: bigint }[]
  expect(made).toEqual({
    id: stored?.id,
    amount: 250_010_000n,
    cashAfter: 749_990_000n,
    replayed: false,
  })
  expect(stored).toEqual({
    player,
    id: expect.any(BigInt),
    method: card,
    amount: 250_010_000n,
    day: '2026-11-21',
    left: 749_990_000n,
    state: 'waiting',
  })
  expect(await cashOf(database, player)).toBe(749_990_000n)
  const facts = { amount: '250.01', payee: 'Bank of Hanoi •••• 4242' }
  expect(await notices()).toEqual([{ player, kind: 'withdrawal_requested', facts }])
  expect(await audited()).toEqual([])
  expect(await owner.query('select key from app.request_key')).toEqual([])
  await expectAlwaysTrue(owner)
})

const KEY = { idempotencyKey: 'a-key' }
const CONFLICT = { refused: 'idempotency_conflict' }

/** A member, the use of his key, and how a use is stored that no request has made. */
async function keyed() {
  const member = await openAskingMember()
  const { owner, player, card } = member
  /** By the text that is hashed. */
  const hash = createHash('sha256')
    .update(`["withdrawAction",{"id":${card}},"100000000"]`)
    .digest('hex')
  const use = (route: string, result: object, playerId = player) =>
    owner.query(
      `insert into app.request_key (owner, key, route, input_hash, result)
       values ('player:' || $1, 'a-key', $2, decode($3, 'hex'), $4)`,
      [playerId, route, hash, result],
    )
  const uses = () =>
    owner.query(
      `select substr(owner, 8)::integer as player, key, route, encode(input_hash, 'hex') as hash, result
       from app.request_key order by owner`,
    )
  return { ...member, hash, use, uses }
}

/** A database in which something happens before a transaction, and something after it. */
function around(
  db: Database,
  { before, after }: { before: () => Promise<unknown>; after?: () => Promise<unknown> },
): Database {
  return {
    ...db,
    async transaction(work) {
      await before()
      const result = await db.transaction(work)
      await after?.()
      return result
    },
  }
}

describe('an idempotency key', () => {
  it('gets the first reply again, and nothing is done twice', async () => {
    const { database, owner, player, card, ann, say, hash, ...desk } = await keyed()
    const { ask, requested, notices, uses } = desk
    // A refusal before the money is looked at does not use it.
    expect(await ask({ ...KEY, code: '000000' })).toMatchObject({ refused: 'security_code_wrong' })
    expect(await uses()).toEqual([])
    const made = (await ask(KEY)) as WithdrawalReply
    expect(made).toMatchObject({ cashAfter: 900n * U, replayed: false })
    const result = { withdrawal_id: Number(made.id) }
    expect(await uses()).toEqual([{ player, key: 'a-key', route: 'withdrawAction', hash, result }])
    await say(`reject($1, $2, 'no')`, [made.id, ann])
    // Neither the present balance nor the code changes it.
    for (const code of [ASKING_CODE, '000000', undefined]) {
      expect(await ask({ ...KEY, code })).toEqual({ ...made, replayed: true })
    }
    expect(await requested()).toMatchObject([{ id: made.id, method: card, state: 'rejected' }])
    expect(await notices()).toHaveLength(1)
    expect(await owner.query('select tries from accounts.security_code')).toEqual([{ tries: 0 }])
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(owner)
  })

  it('gets a first refusal of the database again, even if it would be accepted by now', async () => {
    const { ann, say, ask, requested, uses } = await keyed()
    const other = (await ask()) as WithdrawalReply
    expect(await ask(KEY)).toEqual({ refused: 'withdrawal_pending' })
    await say(`reject($1, $2, 'no')`, [other.id, ann])
    expect(await ask(KEY)).toEqual({ refused: 'withdrawal_pending', replayed: true })
    expect(await requested()).toHaveLength(1)
    expect(await uses()).toMatchObject([{ result: { reason: 'withdrawal_pending' } }])
  })

  it('of another route is a conflict even with the same hash, and of another player is another key', async () => {
    const { database, owner, player, use, ask, uses } = await keyed()
    await use('playOrder', { withdrawal_id: 1 })
    expect(await ask(KEY)).toEqual(CONFLICT)
    await owner.query('delete from app.request_key')
    const other = await addPlayer(database)
    await use('withdrawAction', { reason: 'account_locked' }, other)
    expect(await ask(KEY)).toMatchObject({ cashAfter: 900n * U, replayed: false })
    expect(await uses()).toMatchObject([
      { player, result: { withdrawal_id: expect.any(Number) } },
      { player: other, result: { reason: 'account_locked' } },
    ])
  })

  it('of two requests at once gives the second the reply of the first', async () => {
    const { database, db, owner, player, ask, requested, notices } = await keyed()
    let first: unknown
    const meanwhile = around(db, {
      before: async () => {
        first = await ask(KEY)
      },
    })
    const second = await ask(KEY, { db: meanwhile })
    expect(first).toMatchObject({ cashAfter: 900n * U, replayed: false })
    expect(second).toEqual({ ...(first as WithdrawalReply), replayed: true })
    expect([await requested(), await notices()]).toMatchObject([[{}], [{}]])
    expect(await cashOf(database, player)).toBe(900n * U)
    await expectAlwaysTrue(owner)
  })

  it('whose use is gone, or whose withdrawal is gone, is an error and not an answer', async () => {
    const { db, owner, use, ask, requested } = await keyed()
    await use('withdrawAction', { withdrawal_id: 999 })
    await expect(ask(KEY)).rejects.toThrow('the withdrawal 999 of a used key is gone')
    const forget = () => owner.query('delete from app.request_key')
    await forget()
    const forgetful = around(db, {
      before: () => use('withdrawAction', { withdrawal_id: 999 }),
      after: forget,
    })
    await expect(ask(KEY, { db: forgetful })).rejects.toThrow('a used key has no use')
    expect(await requested()).toEqual([])
  })
})
