import { describe, expect, it } from 'vitest'
import { coalesceReads } from './coalesce.ts'

/** A reader that squares, and what it was asked. */
function squares(options?: { gatherMs?: number }) {
  const asked: number[][] = []
  const read = coalesceReads<number, number>(async (keys) => {
    asked.push(keys)
    return new Map(keys.filter((key) => key >= 0).map((key) => [key, key * key]))
  }, options)
  return { asked, read }
}

describe('coalesced reads', () => {
  it('of one moment share one statement, and one answer for one key', async () => {
    const { asked, read } = squares()
    expect(await Promise.all([read(2), read(3), read(2)])).toEqual([4, 9, 4])
    expect(asked).toEqual([[2, 3]])
  })

  it('leave a key without an answer undefined', async () => {
    const { read } = squares()
    expect(await Promise.all([read(-1), read(5)])).toEqual([undefined, 25])
  })

  it('ask anew once the statement has been sent: nobody gets an answer older than his question', async () => {
    const asked: number[] = []
    let state = 'before'
    const go = Promise.withResolvers<void>()
    const read = coalesceReads<string, string>(async (keys) => {
      asked.push(keys.length)
      const seen = state
      if (asked.length === 1) await go.promise
      return new Map(keys.map((key) => [key, seen]))
    })
    const first = read('a')
    for (const _turn of [1, 2]) await new Promise((sent) => setImmediate(sent))
    state = 'after'
    const second = read('a')
    expect(await second).toBe('after')
    go.resolve()
    expect(await first).toBe('before')
  })

  it('fail all who shared the statement, and not who comes next', async () => {
    let failing = true
    const read = coalesceReads<number, number>(async (keys) => {
      if (failing) throw new Error('away')
      return new Map(keys.map((key) => [key, key]))
    })
    const both = await Promise.allSettled([read(1), read(2)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    failing = false
    expect(await read(1)).toBe(1)
  })

  it('wait for others for as long as they are told', async () => {
    const { asked, read } = squares({ gatherMs: 100 })
    const first = read(1)
    for (const _turn of [1, 2]) await new Promise((later) => setImmediate(later))
    expect(await Promise.all([first, read(2)])).toEqual([1, 4])
    expect(asked).toEqual([[1, 2]])
  })
})
