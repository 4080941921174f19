/** An order whose key was used before, and what may have become of the key meanwhile. */
import { describe, expect, it } from 'vitest'
import { type Database, only } from '#src/db/database.ts'
import { keyStore } from '#src/db/key-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { betOrder } from '#testing/requests/bet-order.ts'
import type { Bet } from './bet-store.ts'
import { betPlacer, type Order } from './place-bet.ts'

const U = 1_000_000n
const CONFLICT = { refused: 'idempotency_conflict' }

/** A placed order of Ann's with a key, and how orders are placed. */
async function placedOnce() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database, { secondsLeft: 600 })
  const ann = await addPlayer(database)
  const accepted: Bet[] = []
  const onAccepted = (bets: readonly Bet[]) => void accepted.push(...bets)
  const placeBet = betPlacer({ db, onAccepted })
  const order = betOrder(ann, round, { idempotencyKey: 'a-key' })
  const first = await placeBet(order)
  if (!('bet' in first)) throw new Error(`the order was refused: ${first.refused}`)
  const placeThrough = (other: Database, order: Order) =>
    betPlacer({ db: other, onAccepted })(order)
  return { database, db, owner, order, first, accepted, placeBet, placeThrough }
}

describe('an order whose key was used', () => {
  it('for the same order gets the first bet again, and nobody is told of the bet again', async () => {
    const { database, owner, order, first, accepted, placeBet } = await placedOnce()
    expect(first.replayed).toBe(false)
    expect(await placeBet(order)).toEqual({ bet: first.bet, replayed: true })
    expect(accepted).toEqual([first.bet])
    expect(await cashOf(database, order.playerId)).toBe(900n * U)
    await expectAlwaysTrue(owner)
  })

  it('for another call is refused, even if its input has the same hash', async () => {
    const { database, db, owner, order, accepted, placeBet } = await placedOnce()
    const { inputHash } = only(
      await owner.query<{ inputHash: Buffer }>(
        'select input_hash as "inputHash" from wallet.idempotency_key',
      ),
    )
    const ben = await addPlayer(database)
    const request = { owner: ben, key: 'a-key', route: 'withdrawAction', inputHash }
    const claimed = await keyStore(db, { abandonedAfterMs: 60_000 }).claim(request)
    expect(claimed).toHaveProperty('claim')
    expect(await placeBet({ ...order, playerId: ben })).toMatchObject(CONFLICT)
    expect(accepted).toHaveLength(1)
    expect(await cashOf(database, ben)).toBe(1_000n * U)
  })

  it('is refused if the key is forgotten before its first answer is read', async () => {
    const { database, db, owner, order, accepted, placeThrough } = await placedOnce()
    const forgetful: Database = {
      ...db,
      async query(text, values, options) {
        if (text.includes('from wallet.idempotency_key')) {
          await owner.query('delete from wallet.idempotency_key')
        }
        return db.query(text, values, options)
      },
    }
    expect(await placeThrough(forgetful, order)).toMatchObject(CONFLICT)
    expect(accepted).toHaveLength(1)
    expect(await cashOf(database, order.playerId)).toBe(900n * U)
  })

  it('fails if its bet is not in the database, and is not answered as placed', async () => {
    const { owner, order, placeBet } = await placedOnce()
    await owner.query(`update wallet.idempotency_key set result = '{"bet_id": 999999}'`)
    await expect(placeBet(order)).rejects.toThrow('the bet 999999 of a used key is gone')
    await owner.query(`update wallet.idempotency_key set result = '{}'`)
    await expect(placeBet(order)).rejects.toThrow('the bet 0 of a used key is gone')
  })
})
