/** Bets and settlements that need each other's rows: no deadlock occurs. */
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addPlayers,
  betOfEach,
  cashOf,
  drawTestRound,
  openTestRound,
  orderFor,
} from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import {
  createTestDatabase,
  stopClock,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import type { OrderRow } from './place-bet.ts'
import { settleRound } from './round-bets.ts'

const U = 1_000_000n
const TODAY = '2026-11-20'

/** A round of the first game whose bets on long have won, and a running one of the second. */
async function drawnAndRunning(players: number) {
  const database = await createTestDatabase()
  await stopClock(database)
  const drawn = await openTestRound(database)
  const winners = await addPlayers(database, players)
  await betOfEach(database, drawn, winners)
  return { database, drawn, winners }
}

/** Sends a statement directly: one that the database aborts is not sent again. */
function once({ db }: TestDatabase, text: string, values: unknown[]) {
  return db.pool.query(text, values)
}

/** The reasons of the answers to a batch. */
async function placedOnce(database: TestDatabase, orders: Omit<OrderRow, 'ord'>[]) {
  const batch = JSON.stringify(orders.map((order, ord) => ({ ...order, ord })))
  const { rows } = await once(database, 'select reason from bets.place($1) order by ord', [batch])
  return rows.map(({ reason }: { reason: string | null }) => reason)
}

describe("a stale order in one batch with a winner's", () => {
  it('is judged while the round is settled, and is no deadlock', async () => {
    const { database, drawn, winners } = await drawnAndRunning(2)
    const [first, second] = winners as [number, number]
    const late = await addPlayer(database)
    await drawTestRound(database, drawn, [9, 9, 9])
    const running = await openTestRound(database, { gameId: 2 })

    const orders = [orderFor(late, drawn), orderFor(first, running)]
    const { settling } = await database.owner.transaction(async (tx) => {
      // The settlement holds the first winner's balance now, and waits for the second's.
      await tx.query('select from ledger.balance where holder_id = $1 for update', [second])
      const settle = 'select bets.settle(1::smallint, $1, 5000, $2)'
      const settling = once(database, settle, [drawn.issue, TODAY])
      await somebodyWaits(database)
      expect(await placedOnce(database, orders)).toEqual(['round_sealed', 'busy'])
      return { settling }
    })
    await settling
    expect(await placedOnce(database, orders)).toEqual(['round_sealed', null])
    await expectAlwaysTrue(database.owner)
  })

  it('runs beside bets without a deadlock, and every book is right', async () => {
    const { database, drawn, winners } = await drawnAndRunning(60)
    const late = await addPlayer(database)
    await drawTestRound(database, drawn, [9, 9, 9])
    const running = await openTestRound(database, { gameId: 2 })
    const settling = async () => {
      for (;;) {
        const { rows } = await once(
          database,
          'select bets.settle(1::smallint, $1, 3, $2) as done',
          [drawn.issue, TODAY],
        )
        if ((rows[0] as { done: number }).done < 3) return
      }
    }
    const placing = async (player: number) => {
      const orders = [orderFor(late, drawn), orderFor(player, running)]
      for (;;) {
        const reasons = await placedOnce(database, orders)
        if (reasons[1] !== 'busy') return reasons
      }
    }
    const [, , ...placed] = await Promise.all([settling(), settling(), ...winners.map(placing)])
    expect(placed).toEqual(winners.map(() => ['round_sealed', null]))
    expect(await settleRound(database.db, drawn, TODAY)).toBe(0)
    for (const player of winners) expect(await cashOf(database, player)).toBe(992n * U)
    await expectAlwaysTrue(database.owner)
  })
})
