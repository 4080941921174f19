/** Orders that wait for their batch: how many they are, and when no more are taken. The database is held meanwhile. */
import { Registry } from 'prom-client'
import { describe, expect, it, vi } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { metricIn } from '#testing/product/captured-log.ts'
import { betOrder } from '#testing/product/play-round.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { eventually } from '#testing/requests/patience.ts'
import { betPlacer } from './place-bet.ts'

/** So many players without money, an open round, and how one of them sends an order. */
async function house(players: number) {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database, { secondsLeft: 600 })
  const ids = await owner.column<number>(
    `insert into accounts.player (username, email, email_key, group_id, kind)
     select 'player' || n, 'p' || n || '@example.org', 'p' || n || '@example.org', 1, 'person'
     from generate_series(1, $1) n returning id`,
    [players],
  )
  const metrics = new Registry()
  const place = betPlacer({ db, metrics, onAccepted: () => {} })
  const placeBet = (index: number) => place(betOrder(ids[index] ?? 0, round))
  /** The value of a metric. */
  const metric = async (name: string) => metricIn(await metrics.metrics(), name)
  /** Does work while a batch can lock no balance: each waits. */
  const whileHeld = (work: () => Promise<void>) =>
    owner.transaction(async (tx) => {
      await tx.query('lock table ledger.balance in exclusive mode')
      await work()
    })
  return { database, owner, placeBet, metric, whileHeld }
}

/** True once a metric has a value. */
const becomes = (metric: () => Promise<number | undefined>, value: number) =>
  eventually(async () => (await metric()) === value)

it('orders behind a batch that is sent again wait for it and are counted, and each batch is measured', async () => {
  const { database, owner, placeBet, metric, whileHeld } = await house(5)
  const waiting = () => metric('sum28_orders_waiting')
  const heldPids = async () => {
    return owner.column<number>(`select pid from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`)
  }
  const answers: Promise<unknown>[] = []
  await whileHeld(async () => {
    answers.push(placeBet(0))
    await somebodyWaits(database)
    const broken = await heldPids()
    await owner.query('select pg_terminate_backend(pid) from unnest($1::integer[]) pid', [broken])
    // The first order is sent again, through another connection.
    await eventually(async () => (await heldPids()).find((pid) => !broken.includes(pid)))
    for (const index of [1, 2, 3]) answers.push(placeBet(index))
    expect(await waiting()).toBe(3)
    expect(await heldPids()).toHaveLength(1)
  })
  await Promise.all(answers)
  await becomes(() => metric('sum28_order_batch_seconds_count'), 2)
  expect(await metric('sum28_order_batch_size_count')).toBe(2)
  expect(await metric('sum28_order_batch_size_sum')).toBe(4)
  expect(await waiting()).toBe(0)
  expect(await placeBet(4)).toMatchObject({ refused: 'below_entry' })
  expect(await metric('sum28_orders_total{result="refused",reason="below_entry"}')).toBe(5)
  await expectAlwaysTrue(owner)
})

it('an order that would wait longer than two seconds is refused, and its player may come again in two', async () => {
  const { database, owner, placeBet, metric, whileHeld } = await house(502)
  holdTime('performance')
  const answers: ReturnType<typeof placeBet>[] = []
  await whileHeld(async () => {
    answers.push(placeBet(0))
    await somebodyWaits(database)
    vi.advanceTimersByTime(2_001)
  })
  await becomes(() => metric('sum28_order_batch_seconds_count'), 1)
  await whileHeld(async () => {
    answers.push(placeBet(0))
    await somebodyWaits(database)
    for (let index = 1; index <= 500; index += 1) answers.push(placeBet(index))
    expect(await metric('sum28_orders_waiting')).toBe(500)
    expect(await placeBet(501)).toEqual({
      refused: 'too_many_requests',
      details: { retry_after: 2 },
      wording: 'unavailable',
    })
  })
  // All but the one that was refused.
  const results = (await Promise.all(answers)).map(
    (answer) => 'refused' in answer && answer.refused,
  )
  expect(results).toEqual(results.map(() => 'below_entry'))
  expect(results).toHaveLength(502)
  await expectAlwaysTrue(owner)
})

describe('while a transaction holds the balance of a player', () => {
  /** One whose balance is held while the work is done, and another; their orders come together. */
  async function heldAndFree(work: (answer: Promise<unknown>) => Promise<void>) {
    const database = await createTestDatabase()
    const { db, owner } = database
    const round = await openTestRound(database, { secondsLeft: 600 })
    const [held, free] = [await addPlayer(database), await addPlayer(database)]
    const placeBet = betPlacer({ db, onAccepted: () => {} })
    const place = () => placeBet(betOrder(held, round, { idempotencyKey: 'one' }))
    const { answer } = await owner.transaction(async (tx) => {
      await tx.query('select from ledger.balance where holder_id = $1 for update', [held])
      const answer = place()
      expect(await placeBet(betOrder(free, round))).toMatchObject({ bet: { playerId: free } })
      await work(answer)
      return { answer }
    })
    return { owner, answer, place, accepted: { replayed: false, bet: { playerId: held } } }
  }

  it('orders of others are placed, and his as soon as it ends', async () => {
    const { owner, answer, accepted } = await heldAndFree(async () => {})
    expect(await answer).toMatchObject(accepted)
    await expectAlwaysTrue(owner)
  })

  it('his alone is refused after a while, and placed when it is sent again', async () => {
    const { owner, place, accepted } = await heldAndFree(async (answer) => {
      expect(await answer).toEqual({ refused: 'unavailable' })
    })
    expect(await place()).toMatchObject(accepted)
    await expectAlwaysTrue(owner)
  })
})
