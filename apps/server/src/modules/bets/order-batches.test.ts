import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchOrders, Overloaded } from './order-batches.ts'

type Order = { player: number; name: number }

/** A batcher whose commits wait until the test releases them, one by one. */
function held(options: { waitMaxMs?: number } = {}) {
  const batches: Order[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const batcher = batchOrders<Order, string>(
    ({ player }) => player,
    async (batch) => {
      batches.push(batch)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return batch.map(({ name }) => `done ${name}`)
    },
    options,
  )
  return { batcher, batches, gates }
}

const order = (player: number, name = player): Order => ({ player, name })
/** Lets the batcher start: its first batch waits for the end of the turn. */
const turn = async () => {
  for (const _turn of [1, 2]) await new Promise((next) => setImmediate(next))
}
const names = (batches: Order[][]) => batches.map((batch) => batch.map(({ name }) => name))

describe('orders', () => {
  it('of the same moment form one batch, and those that arrive meanwhile the next', async () => {
    const { batcher, batches, gates } = held()
    const first = [batcher.submit(order(1)), batcher.submit(order(2))]
    await turn()
    const second = [batcher.submit(order(3)), batcher.submit(order(4)), batcher.submit(order(5))]
    await turn()
    expect(names(batches)).toEqual([[1, 2]])
    expect(batcher.waiting).toBe(3)
    gates[0]?.resolve()
    expect(await Promise.all(first)).toEqual(['done 1', 'done 2'])
    await turn()
    expect(names(batches)).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
    gates[1]?.resolve()
    expect(await Promise.all(second)).toEqual(['done 3', 'done 4', 'done 5'])
  })

  it('are answered only after the commit', async () => {
    const { batcher, gates } = held()
    let answered = false
    const reply = batcher.submit(order(1)).then(() => {
      answered = true
    })
    await turn()
    expect(answered).toBe(false)
    gates[0]?.resolve()
    await reply
    expect(answered).toBe(true)
  })

  it('fail with their batch, and with no other', async () => {
    const { batcher, gates } = held()
    const first = Promise.allSettled([batcher.submit(order(1)), batcher.submit(order(2))])
    await turn()
    const second = batcher.submit(order(3))
    gates[0]?.reject(new Error('away'))
    expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await turn()
    gates[1]?.resolve()
    expect(await second).toBe('done 3')
  })

  it('are at most five hundred a batch', async () => {
    const sizes: number[] = []
    const batcher = batchOrders<Order, number>(
      ({ player }) => player,
      async (batch) => {
        sizes.push(batch.length)
        return batch.map(({ name }) => name)
      },
    )
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => batcher.submit(order(index))))
    expect(sizes).toEqual([500, 500, 200])
  })

  it('are refused when too many wait already, and are not sent', async () => {
    const { batcher, batches } = held()
    for (let index = 0; index < 20_000; index += 1) void batcher.submit(order(index))
    await expect(batcher.submit(order(20_001))).rejects.toThrow(Overloaded)
    await turn()
    expect(batches[0]).toHaveLength(500)
    expect(batcher.waiting).toBe(19_500)
  })

  it('are refused when more players wait than fit into one batch and the wait would be too long', async () => {
    const { batcher, gates } = held({ waitMaxMs: 0 })
    const submitMany = (players: number[]) => {
      for (const player of players) void batcher.submit(order(player))
    }
    submitMany([1])
    await turn()
    gates[0]?.resolve()
    await turn()
    submitMany([1])
    await turn()
    // Orders of one player make nobody else wait longer.
    submitMany(Array.from({ length: 1_000 }, () => 2))
    submitMany(Array.from({ length: 499 }, (_, index) => 3 + index))
    await expect(batcher.submit(order(9_999))).rejects.toThrow(Overloaded)
    expect(batcher.waiting).toBe(1_499)
    gates[1]?.resolve()
    await turn()
    const taken = batcher.submit(order(9_999))
    expect(batcher.waiting).toBe(1_000)
    gates[2]?.resolve()
    await turn()
    gates[3]?.resolve()
    expect(await taken).toBe('done 9999')
  })

  it('each get their own answer, in order for each player, never two of one player in a batch', async () => {
    const arrivals = fc.array(
      fc.record({ player: fc.integer({ min: 1, max: 5 }), pause: fc.boolean() }),
      { minLength: 1, maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(arrivals, async (list) => {
        const committed: Order[] = []
        const batcher = batchOrders<Order, number>(
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
