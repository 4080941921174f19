import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { readByName, readFresh, readOneByOne, readTogether, staleIfDown } from './shared-reads.ts'

/** A reader that squares, and the keys of its reads. */
function squares() {
  const statements: number[][] = []
  const read = readTogether<number, number>(async (keys) => {
    statements.push(keys)
    return new Map(keys.filter((key) => key >= 0).map((key) => [key, key * key]))
  })
  return { statements, read }
}

describe('reads together', () => {
  it('that start together share one statement, and one answer for each key', async () => {
    const { statements, read } = squares()
    expect(await Promise.all([read(2), read(3), read(2)])).toEqual([4, 9, 4])
    expect(statements).toEqual([[2, 3]])
  })

  it('leave a key without an answer undefined', async () => {
    const { read } = squares()
    expect(await Promise.all([read(-1), read(5)])).toEqual([undefined, 25])
  })

  it('read again after the statement was sent: no answer is older than its request', async () => {
    const keyCounts: number[] = []
    let state = 'before'
    const go = Promise.withResolvers<void>()
    const read = readTogether<string, string>(async (keys) => {
      keyCounts.push(keys.length)
      const seen = state
      if (keyCounts.length === 1) await go.promise
      return new Map(keys.map((key) => [key, seen]))
    })
    const first = read('a')
    for (const _tick of [1, 2]) await new Promise((sent) => setImmediate(sent))
    state = 'after'
    const second = read('a')
    expect(await second).toBe('after')
    go.resolve()
    expect(await first).toBe('before')
  })

  it('run two at a time: requests meanwhile share the next', async () => {
    const gates: PromiseWithResolvers<void>[] = []
    const statements: number[][] = []
    const read = readTogether<number, number>(async (keys) => {
      statements.push(keys)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return new Map(keys.map((key) => [key, key * key]))
    })
    const tick = () => new Promise((next) => setImmediate(next))
    const answers: Promise<number | undefined>[] = []
    for (const key of [1, 2, 3, 4]) {
      answers.push(read(key))
      for (const _tick of [1, 2]) await tick()
    }
    expect(statements).toEqual([[1], [2]])
    gates[0]?.resolve()
    expect(await answers[0]).toBe(1)
    for (const _tick of [1, 2]) await tick()
    expect(statements).toEqual([[1], [2], [3, 4]])
    for (const gate of gates) gate.resolve()
    expect(await Promise.all(answers)).toEqual([1, 4, 9, 16])
  })

  it('fail for all who shared the statement, and not for the next', async () => {
    let failing = true
    const read = readTogether<number, number>(async (keys) => {
      if (failing) throw new Error('away')
      return new Map(keys.map((key) => [key, key]))
    })
    const both = await Promise.allSettled([read(1), read(2)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    failing = false
    expect(await read(1)).toBe(1)
  })
})

describe('reads in turn', () => {
  it('run one at a time, and requests meanwhile share the next', async () => {
    const gates: PromiseWithResolvers<number>[] = []
    const read = readOneByOne(() => {
      const gate = Promise.withResolvers<number>()
      gates.push(gate)
      return gate.promise
    })
    const tick = () => new Promise((next) => setImmediate(next))
    const first = read()
    await tick()
    const [second, third] = [read(), read()]
    await tick()
    expect(gates.length).toBe(1)
    gates[0]?.reject(new Error('away'))
    await expect(first).rejects.toThrow('away')
    await tick()
    expect(gates.length).toBe(2)
    gates[1]?.resolve(2)
    expect(await Promise.all([second, third])).toEqual([2, 2])
  })
})

describe('reads by name', () => {
  it('run one at a time for each name, and none is older than its request', async () => {
    const gates: PromiseWithResolvers<string>[] = []
    const read = readByName()
    const ask = (name: string) =>
      read(name, () => {
        const gate = Promise.withResolvers<string>()
        gates.push(gate)
        return gate.promise
      })
    const tick = () => new Promise((next) => setImmediate(next))
    const [first, same, other] = [ask('a'), ask('a'), ask('b')]
    await tick()
    const later = ask('a')
    await tick()
    expect(gates.length).toBe(2)
    gates[0]?.resolve('before')
    gates[1]?.resolve('other')
    expect(await Promise.all([first, same, other])).toEqual(['before', 'before', 'other'])
    await tick()
    gates[2]?.resolve('after')
    expect(await later).toBe('after')
    const again = ask('a')
    await tick()
    expect(gates.length).toBe(4)
    gates[3]?.reject(new Error('away'))
    await expect(again).rejects.toThrow('away')
  })
})

describe('fresh reads', () => {
  it('are made at most once in their time, and again after a change, a failure or a clock that was set back', async () => {
    let at = 1_000
    let reads = 0
    let failing = false
    const fresh = readFresh(
      async () => {
        reads += 1
        if (failing) throw new Error('away')
        return reads
      },
      { freshMs: 200, now: () => at },
    )
    expect(await Promise.all([fresh.value(), fresh.value()])).toEqual([1, 1])
    at += 199
    expect(await fresh.value()).toBe(1)
    at += 1
    expect(await fresh.value()).toBe(2)
    fresh.forget()
    expect(await fresh.value()).toBe(3)
    at -= 1
    expect(await fresh.value()).toBe(4)
    failing = true
    fresh.forget()
    await expect(fresh.value()).rejects.toThrow('away')
    failing = false
    expect(await fresh.value()).toBe(6)
  })
})

it('staleIfDown returns the last value while the database is down, and fails on errors of our own', async () => {
  const database = await createTestDatabase()
  let sql = 'select 1 as value'
  const reading = staleIfDown<object[]>(() => database.db.query(sql), [])
  await database.takeAway()
  expect(await reading()).toEqual([])
  await database.giveBack()
  expect(await reading()).toEqual([{ value: 1 }])
  sql = 'select 2 as value'
  await database.takeAway()
  expect(await reading()).toEqual([{ value: 1 }])
  await database.giveBack()
  expect(await reading()).toEqual([{ value: 2 }])
  sql = 'select no_such_column'
  await expect(reading()).rejects.toThrow('no_such_column')
})
