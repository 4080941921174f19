/** The times of batches, by a clock that the test moves: what their watch is told, and who waits too long. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { batchTick, heldBatches, heldOrder } from '#testing/database/held-batches.ts'
import { type BatchWatch, Overloaded } from './order-batches.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)

/** Numbers from the first on, so many. */
const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index)

describe('the watch of batches', () => {
  it('is told their sizes, the longest wait in each, and how long each took, also if it failed', async () => {
    const told: unknown[] = []
    const watch: BatchWatch = {
      begun: (batch) => told.push(batch),
      ended: (ms) => told.push(ms),
    }
    const { batcher, gates } = heldBatches({ watch })
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
async function afterBatchOf(ms: number, waitMaxMs?: number) {
  const held = heldBatches(waitMaxMs === undefined ? {} : { waitMaxMs })
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
      const enough = await afterBatchOf(tookMs, 2_000)
      enough.submit(numbers(2, wait))
      void enough.batcher.submit(heldOrder(9_999))
      expect(enough.batcher.waiting).toBe(wait + 1)
      const slower = await afterBatchOf(tookMs + 1, 2_000)
      slower.submit(numbers(2, wait))
      await expect(slower.batcher.submit(heldOrder(9_999))).rejects.toThrow(Overloaded)
      expect(slower.batcher.waiting).toBe(wait)
    },
  )

  it('does not wait longer for the many orders of one other player', async () => {
    const { batcher, gates, submit } = await afterBatchOf(2_001, 2_000)
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
    const { batcher, gates, submit } = await afterBatchOf(1_000, 2_000)
    submit(numbers(2, 1_000))
    pass(2_001)
    gates[1]?.resolve()
    await batchTick()
    expect(batcher.waiting).toBe(500)
    await expect(batcher.submit(heldOrder(9_999))).rejects.toThrow(Overloaded)
  })

  it('is not refused for a long wait without a limit', async () => {
    const { batcher, submit } = await afterBatchOf(3_600_000)
    submit(numbers(2, 3_000))
    expect(batcher.waiting).toBe(3_000)
  })
})
