/** An idempotency key belongs to one request of a withdrawal, which gets the same answer again. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { ASKING_CODE, openAskingMember } from '#testing/people/cash-desk.ts'
import type { WithdrawalReply } from './request-withdrawal.ts'

const U = 1_000_000n
const KEY = { idempotencyKey: 'a-key' }
const CONFLICT = { refused: 'idempotency_conflict' }

/** A member, the use of his key, and how a use is stored that no request has made. */
async function keyed() {
  const member = await openAskingMember()
  const { owner, player, card } = member
  /** By the text that is hashed: a key that was used before an upgrade must stay valid. */
  const hash = (text = `["withdrawAction",{"id":${card}},"100000000"]`) =>
    createHash('sha256').update(text).digest('hex')
  const use = (route: string, result: object, playerId = player) =>
    owner.query(
      `insert into app.request_key (owner, key, route, input_hash, result)
       values ('player:' || $1, 'a-key', $2, decode($3, 'hex'), $4)`,
      [playerId, route, hash(), result],
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

it('the same request gets the first reply again, and nothing is done twice', async () => {
  const { database, owner, player, card, ann, say, hash, ...desk } = await keyed()
  const { ask, requested, notices, uses } = desk
  const made = (await ask(KEY)) as WithdrawalReply
  expect(made).toMatchObject({ cashAfter: 900n * U, replayed: false })
  const result = { withdrawal_id: Number(made.id) }
  expect(await uses()).toEqual([
    { player, key: 'a-key', route: 'withdrawAction', hash: hash(), result },
  ])
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

it('a first refusal of the database is given again, even if it would be accepted by now', async () => {
  const { ann, say, ask, requested, uses } = await keyed()
  const other = (await ask()) as WithdrawalReply
  expect(await ask(KEY)).toEqual({ refused: 'withdrawal_pending' })
  await say(`reject($1, $2, 'no')`, [other.id, ann])
  expect(await ask(KEY)).toEqual({ refused: 'withdrawal_pending', replayed: true })
  expect(await requested()).toHaveLength(1)
  expect(await uses()).toMatchObject([{ result: { reason: 'withdrawal_pending' } }])
})

it('a refusal before the money is looked at does not use the key', async () => {
  const { ask, uses } = await keyed()
  expect(await ask({ ...KEY, code: '000000' })).toMatchObject({ refused: 'security_code_wrong' })
  expect(await uses()).toEqual([])
  expect(await ask(KEY)).toMatchObject({ replayed: false })
})

it('a key of another route is a conflict, even with the same hash', async () => {
  const { use, ask, requested } = await keyed()
  await use('playOrder', { withdrawal_id: 1 })
  expect(await ask(KEY)).toEqual(CONFLICT)
  expect(await requested()).toEqual([])
})

it('the same key of another player is another key', async () => {
  const { database, player, ask, use, uses } = await keyed()
  const other = await addPlayer(database)
  await use('withdrawAction', { reason: 'account_locked' }, other)
  expect(await ask(KEY)).toMatchObject({ cashAfter: 900n * U, replayed: false })
  expect(await uses()).toMatchObject([
    { player, result: { withdrawal_id: expect.any(Number) } },
    { player: other, result: { reason: 'account_locked' } },
  ])
})

it('of two requests with one key at once, the second gets the reply of the first', async () => {
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

it('a use that is gone, or whose withdrawal is gone, is an error and not an answer', async () => {
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
