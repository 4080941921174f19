import { describe, expect, it } from 'vitest'
import { isRefusal } from '#src/refusal/refusal.ts'
import { boundedWork } from './hashing.ts'

const HOME = '198.51.100.7'

/** Work that runs until the test ends it, and how much of it is running. */
function work() {
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  return {
    begin: async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((end) => ends.push(end))
      running -= 1
      return 'done'
    },
    endOne: async () => {
      ends.shift()?.()
      // The ended work and its successor each need a turn of the event loop.
      await new Promise((next) => setImmediate(next))
    },
    running: () => running,
    most: () => most,
  }
}

describe('bounded work', () => {
  it('runs a limited number at once, lets a limited number wait, and refuses the rest at once', async () => {
    const bounded = boundedWork({ atOnce: 2, waitingMax: 3, ofNetwork: 1 })
    const { begin, endOne, running, most } = work()
    const all = Array.from({ length: 10 }, (_, n) => bounded(`192.0.2.${n}`, begin))
    expect(running()).toBe(2)
    const refused = await Promise.all(all.slice(5))
    for (const each of refused) {
      expect(each).toEqual({ refused: 'too_many_requests', details: { retry_after: 2 } })
    }
    for (let n = 0; n < 5; n += 1) await endOne()
    expect(await Promise.all(all.slice(0, 5))).toEqual(Array(5).fill('done'))
    expect(most()).toBe(2)
    const again = bounded(HOME, begin)
    await endOne()
    expect(await again).toBe('done')
  })

  it('leaves places for others, however much comes from one network or from one /48', async () => {
    const { begin, endOne } = work()
    for (const [network, places] of [
      [() => HOME, 3],
      [(n: number) => `2001:db8:1:${n.toString(16)}::/64`, 10],
    ] as const) {
      const bounded = boundedWork({ atOnce: 2, waitingMax: 18, ofNetwork: 3 })
      const all = Array.from({ length: 40 }, (_, n) => bounded(network(n * 7), begin))
      const other = bounded('192.0.2.9', begin)
      for (let n = 0; n < places + 1; n += 1) await endOne()
      expect((await Promise.all(all)).filter((each) => each === 'done')).toHaveLength(places)
      expect(await other).toBe('done')
    }
  })

  it('runs in the order of arrival', async () => {
    const bounded = boundedWork({ atOnce: 1, waitingMax: 10, ofNetwork: 4 })
    const order: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map((n) =>
        bounded(HOME, async () => {
          order.push(n)
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('releases its place even if it fails', async () => {
    const bounded = boundedWork({ atOnce: 1, waitingMax: 1, ofNetwork: 2 })
    const failing = bounded(HOME, async () => {
      throw new Error('broken')
    })
    const next = bounded(HOME, async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
    expect(isRefusal(await bounded(HOME, async () => 'done'))).toBe(false)
  })
})
