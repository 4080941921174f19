/** A batch that is done stays as it was ended, however often its answer is recorded again. */
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { requestAmount } from '#src/modules/withdrawals/withdrawal-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { insertAnswers, insertBatch } from './bank-batch-store.ts'

const AMOUNT = 100n * MICRO
const AT = Date.UTC(2026, 10, 20)

it('a batch keeps who ended it and when, if another person records the same answer again', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  await database.freezeClock(AT)
  const [maker, payer, other] = [
    await staffToken(database),
    await staffToken(database),
    await staffToken(database),
  ]
  const playerId = await addPlayer(database)
  const method = only(
    await owner.query<{ id: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', 'sealed', '•••• 4242', 'test', 'Ann') returning id`,
      [playerId],
    ),
  )
  const { withdrawalId } = await db.transaction((tx) =>
    requestAmount(tx, {
      ...{ playerId, payMethodId: method.id, amount: AMOUNT, onDay: '2026-11-20' },
      ...{ key: null, inputHash: '00' },
    }),
  )
  await db.query('select withdrawals.approve($1, $2)', [withdrawalId, maker])
  const { id } = await db.transaction((tx) =>
    insertBatch(tx, { paymentsMax: 10, kind: 'bank', session: maker }),
  )
  const answer = async (session: string) => {
    const line = { line: 2, withdrawal: Number(withdrawalId), amount: AMOUNT }
    const paid = { ...line, state: 'paid' as const, reference: 'BANK 1', reason: null }
    const results = await db.transaction((tx) =>
      insertAnswers(tx, { batchId: id ?? 0, answers: [paid], session }),
    )
    return results.map(({ outcome }) => outcome)
  }
  const end = () => owner.query('select state, ended_by, ended_at from console_money.bank_batch')
  expect(await answer(payer)).toEqual(['paid'])
  const ended = await end()
  expect(ended).toMatchObject([{ state: 'done', ended_at: AT }])
  await database.freezeClock(AT + 60_000)
  expect(await answer(other)).toEqual(['same'])
  expect(await end()).toEqual(ended)
  await expectAlwaysTrue(owner)
})
