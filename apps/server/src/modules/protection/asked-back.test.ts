/** A held deposit that its player wants paid back. */
import { expect, it } from 'vitest'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { askBack, heldDeposits, releaseDeposits } from './protection-store.ts'
import { releaseHeldDeposits } from './release-held-deposits.ts'

it('a held deposit that is asked back is for staff to pay, and never credited', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const [playerId, other] = [
    await addPlayer(database, { u: 0 }),
    await addPlayer(database, { u: 0 }),
  ]
  await owner.query(
    `update protection.player set under_review = true;
     select protection.credit_deposits(array(
       select row(${playerId}, '2026-11-20', 5000000, 'test:' || number)::wallet.movement
       from generate_series(1, 2) number), array[null, null]);
     update protection.player set under_review = false`,
  )
  const [second, first] = (await heldDeposits(db, playerId)).map(({ id }) => Number(id))
  if (!first || !second) return expect.fail('nothing is held')
  expect(await askBack(db, { playerId: other, id: first })).toBe('not_found')
  expect(await askBack(db, { playerId, id: first })).toBe('asked')
  expect(await askBack(db, { playerId, id: first })).toBe('asked')
  expect(await readNeeds(db, ['refunds_due'])).toMatchObject([{ count: 1 }])
  expect(await releaseDeposits(db, { onDay: '2026-11-20' })).toHaveLength(1)
  expect(await askBack(db, { playerId, id: second })).toBe('decided')
  expect(await heldDeposits(db, playerId)).toMatchObject([{ id: BigInt(first), isAskedBack: true }])
  await expectAlwaysTrue(owner)
})

it('dust hides no deposit that is held, and sends no messages when it is released', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const playerId = await addPlayer(database, { u: 0 })
  await owner.query(
    `update protection.player set under_review = true;
     select protection.credit_deposits(array(
       select row(${playerId}, '2026-11-20', case number when 1 then 5000000 else 1 end, 'test:' || number)::wallet.movement
       from generate_series(1, 150) number), array_fill(null::text, array[150]));
     update protection.player set under_review = false`,
  )
  expect((await heldDeposits(db, playerId))[0]?.amount).toBe(5_000_000n)
  for (let held = 150; held > 0; held -= 100) {
    await releaseHeldDeposits({ db, timeZone: 'Asia/Singapore', now: Date.now })
  }
  expect(await heldDeposits(db, playerId)).toEqual([])
  const messages = await owner.query(
    `select from inbox.message where player_id = $1 and kind = 'deposit_released'`,
    [playerId],
  )
  expect(messages).toHaveLength(1)
})
