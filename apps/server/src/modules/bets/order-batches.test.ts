import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  batchTick,
  type HeldOrder,
  heldBatches,
  heldOrder,
} from '#testing/database/held-batches.ts'
import { batchOrders, Overloaded } from './order-batches.ts'

const names = (batches: HeldOrder[][]) => batches.map((batch) => batch.map(({ name }) => name))

describe('orders', () => {
  it('of the same moment form one batch, and those that arrive meanwhile the next', async () => {
    const { batcher, batches, gates } = heldBatches()
    const first = [batcher.submit(heldOrder(1)), batcher.submit(heldOrder(2))]
    await batchTick()
    const second = [
      batcher.submit(heldOrder(3)),
      batcher.submit(heldOrder(4)),
      batcher.submit(heldOrder(5)),
    ]
    await batchTick()
    expect(names(batches)).toEqual([[1, 2]])
    expect(batcher.waiting).toBe(3)
    gates[0]?.resolve()
    expect(await Promise.all(first)).toEqual(['done 1', 'done 2'])
    await batchTick()
    expect(names(batches)).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
    gates[1]?.resolve()
    expect(await Promise.all(second)).toEqual(['done 3', 'done 4', 'done 5'])
  })

  it('are answered only after the commit', async () => {
    const { batcher, gates } = heldBatches()
    let answered = false
    const reply = batcher.submit(heldOrder(1)).then(() => {
      answered = true
    })
    await batchTick()
    expect(answered).toBe(false)
    gates[0]?.resolve()
    await reply
    expect(answered).toBe(true)
  })

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

  it('are at most five hundred a batch', async () => {
    const sizes: number[] = []
    const batcher = batchOrders<HeldOrder, number>(
      ({ player }) => player,
      async (batch) => {
        sizes.push(batch.length)
        return batch.map(({ name }) => name)
      },
    )
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => batcher.submit(heldOrder(index))))
    expect(sizes).toEqual([500, 500, 200])
  })

  it('are refused when too many wait already, and are not sent', async () => {
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
