import fc from 'fast-check'
import { Registry } from 'prom-client'
import { describe, expect, it, vi } from 'vitest'
import { metricIn } from '#testing/product/captured-log.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { type BatchWatch, batchOrders, Overloaded, orderMetrics } from './order-batches.ts'

type HeldOrder = { player: number; name: number }

/** A batcher whose commits wait until the test releases them. */
function heldBatches(watch?: BatchWatch) {
  const batches: HeldOrder[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const batcher = batchOrders<HeldOrder, string>(
    ({ player }) => player,
    async (batch) => {
      batches.push(batch)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return batch.map(({ name }) => `done ${name}`)
    },
    watch,
  )
  return { batcher, batches, gates }
}

const heldOrder = (player: number, name = player): HeldOrder => ({ player, name })

/** Lets the batcher start: its first batch waits for the end of the turn. */
async function batchTick(): Promise<void> {
  for (const _tick of [1, 2]) await new Promise((next) => setImmediate(next))
}

describe('orders', () => {
  it('fail with their batch, and with no other', async () => {
    const { batcher, gates } = heldBatches()
    const first = Promise.allSettled([batcher.submit(heldOrder(1)), batcher.submit(heldOrder(2))])
    await batchTick()
    const second = batcher.submit(heldOrder(3))
    gates[0]?.reject(new Error('away'))
    expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await batchTick()
    gates[1]?.resolve()
    expect(await second).toBe('done 3')
  })

  it('are at most five hundred a batch, and are refused when too many wait already', async () => {
    const { batcher, batches } = heldBatches()
    for (let index = 0; index < 20_000; index += 1) void batcher.submit(heldOrder(index))
    await expect(batcher.submit(heldOrder(20_001))).rejects.toThrow(Overloaded)
    await batchTick()
    expect(batches[0]).toHaveLength(500)
    expect(batcher.waiting).toBe(19_500)
  })

  it('each get their own answer, in order for each player, never two of one player in a batch', async () => {
    const arrivals = fc.array(
      fc.record({ player: fc.integer({ min: 1, max: 5 }), pause: fc.boolean() }),
      { minLength: 1, maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(arrivals, async (list) => {
        const committed: HeldOrder[] = []
        const batcher = batchOrders<HeldOrder, number>(
          ({ player }) => player,
          async (batch) => {
            expect(new Set(batch.map(({ player }) => player)).size).toBe(batch.length)
            await new Promise((next) => setImmediate(next))
            committed.push(...batch)
            return batch.map(({ name }) => name)
          },
        )
        const replies: Promise<number>[] = []
        for (const [name, { player, pause }] of list.entries()) {
          replies.push(batcher.submit({ player, name }))
          if (pause) await new Promise((next) => setImmediate(next))
        }
        expect(await Promise.all(replies)).toEqual(list.map((_, name) => name))
        for (const player of [1, 2, 3, 4, 5]) {
          const his = committed.filter((each) => each.player === player).map(({ name }) => name)
          expect(his).toEqual([...his].sort((a, b) => a - b))
        }
      }),
      { numRuns: 60 },
    )
  })
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)

/** Numbers from the first on, so many. */
const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index)

describe('the watch of batches', () => {
  it('is told their sizes, the longest wait in each, and how long each took, also if it failed', async () => {
    holdTime('performance')
    const told: unknown[] = []
    const watch: BatchWatch = {
      begun: (batch) => told.push(batch),
      ended: (ms) => told.push(ms),
    }
    const { batcher, gates } = heldBatches(watch)
    pass(1_000)
    const first = batcher.submit(heldOrder(1))
    await batchTick()
    pass(30)
    const second = batcher.submit(heldOrder(2))
    pass(5)
    const third = batcher.submit(heldOrder(3))
    pass(4)
    gates[0]?.resolve()
    expect(await first).toBe('done 1')
    await batchTick()
    pass(70)
    gates[1]?.reject(new Error('away'))
    await expect(second).rejects.toThrow('away')
    await expect(third).rejects.toThrow('away')
    expect(told).toEqual([{ size: 1, waitedMs: 0 }, 39, { size: 2, waitedMs: 9 }, 70])
  })
})

/** A batcher with a first batch that took this long, and a second that is under way. */
async function afterBatchOf(ms: number) {
  const held = heldBatches()
  const submit = (players: number[]) => {
    for (const player of players) void held.batcher.submit(heldOrder(player))
  }
  pass(1_000)
  submit([1])
  await batchTick()
  pass(ms)
  held.gates[0]?.resolve()
  await batchTick()
  submit([1])
  await batchTick()
  return { ...held, submit }
}

describe('an order', () => {
  it.each([
    { tookMs: 2_000, wait: 500 },
    { tookMs: 1_000, wait: 1_000 },
    { tookMs: 500, wait: 2_000 },
  ])(
    'behind $wait players, when a batch takes $tookMs ms, waits two seconds, and is refused if a batch takes longer',
    async ({ tookMs, wait }) => {
      holdTime('performance')
      const enough = await afterBatchOf(tookMs)
      enough.submit(numbers(2, wait))
      void enough.batcher.submit(heldOrder(9_999))
      expect(enough.batcher.waiting).toBe(wait + 1)
      const slower = await afterBatchOf(tookMs + 1)
      slower.submit(numbers(2, wait))
      await expect(slower.batcher.submit(heldOrder(9_999))).rejects.toThrow(Overloaded)
      expect(slower.batcher.waiting).toBe(wait)
    },
  )

  it('does not wait longer for the many orders of one other player', async () => {
    holdTime('performance')
    const { batcher, gates, submit } = await afterBatchOf(2_001)
    submit(numbers(1, 1_000).fill(2))
    submit(numbers(3, 499))
    await expect(batcher.submit(heldOrder(9_999))).rejects.toThrow(Overloaded)
    expect(batcher.waiting).toBe(1_499)
    pass(2_001)
    gates[1]?.resolve()
    await batchTick()
    const taken = batcher.submit(heldOrder(9_999))
    expect(batcher.waiting).toBe(1_000)
    gates[2]?.resolve()
    await batchTick()
    gates[3]?.resolve()
    expect(await taken).toBe('done 9999')
  })

  it('is refused also behind the players who found no place in a batch', async () => {
    holdTime('performance')
    const { batcher, gates, submit } = await afterBatchOf(1_000)
    submit(numbers(2, 1_000))
    pass(2_001)
    gates[1]?.resolve()
    await batchTick()
    expect(batcher.waiting).toBe(500)
    await expect(batcher.submit(heldOrder(9_999))).rejects.toThrow(Overloaded)
  })
})

it('the metrics have seconds in fit steps, and each kind of answer from the start', async () => {
  const registry = new Registry()
  const { watch } = orderMetrics(registry, () => 4)
  watch.begun({ size: 3, waitedMs: 500 })
  watch.ended(250)
  const text = await registry.metrics()
  const orders = (result: string, reason = '') =>
    `sum28_orders_total{result="${result}",reason="${reason}"}`
  for (const [name, value] of [
    ...['accepted', 'replayed', 'failed'].map((result) => [orders(result), 0] as const),
    [orders('refused', 'unavailable'), 0],
    ['sum28_order_wait_seconds_sum', 0.5],
    ['sum28_order_batch_seconds_sum', 0.25],
    ['sum28_order_batch_size_bucket{le="2"}', 0],
    ['sum28_order_batch_size_bucket{le="5"}', 1],
    ['sum28_order_wait_seconds_bucket{le="0.5"}', 1],
    ['sum28_order_batch_seconds_bucket{le="0.25"}', 1],
    ['sum28_orders_waiting', 4],
  ] as const)
    expect(metricIn(text, name), name).toBe(value)
})
