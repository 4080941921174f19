import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { readByName, readFresh, readOneByOne, readTogether, staleIfDown } from './shared-reads.ts'

/** Loads that the test ends, each by its number from 0. */
function gatedLoads() {
  const gates: PromiseWithResolvers<string>[] = []
  function load(): Promise<string> {
    const gate = Promise.withResolvers<string>()
    gates.push(gate)
    return gate.promise
  }
  return { gates, load }
}

async function tick(): Promise<void> {
  for (const _turn of [1, 2]) await new Promise((next) => setImmediate(next))
}

describe('reads together', () => {
  it('that start together share one statement, and one answer for each key or failure', async () => {
    const statements: number[][] = []
    let failing = false
    const read = readTogether<number, number>(async (keys) => {
      statements.push(keys)
      if (failing) throw new Error('away')
      return new Map(keys.filter((key) => key >= 0).map((key) => [key, key * key]))
    })
    expect(await Promise.all([2, 3, 2, -1].map(read))).toEqual([4, 9, 4, undefined])
    expect(statements).toEqual([[2, 3, -1]])
    failing = true
    const both = await Promise.allSettled([read(1), read(2)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    failing = false
    expect(await read(1)).toBe(1)
  })

  it('run two at a time: requests meanwhile share the next, and no answer is older than its request', async () => {
    const { gates, load } = gatedLoads()
    const statements: string[][] = []
    const read = readTogether<string, string>(async (keys) => {
      statements.push(keys)
      const answer = await load()
      return new Map(keys.map((key) => [key, answer]))
    })
    const answers: Promise<string | undefined>[] = []
    for (const key of ['a', 'a', 'b', 'a']) {
      answers.push(read(key))
      await tick()
    }
    expect(statements).toEqual([['a'], ['a']])
    gates[1]?.resolve('later')
    expect(await answers[1]).toBe('later')
    await tick()
    expect(statements).toEqual([['a'], ['a'], ['b', 'a']])
    gates[0]?.resolve('first')
    gates[2]?.resolve('last')
    expect(await Promise.all(answers)).toEqual(['first', 'later', 'last', 'last'])
  })
})

it('reads in turn run one at a time, and requests meanwhile share the next', async () => {
  const { gates, load } = gatedLoads()
  const read = readOneByOne(load)
  const first = read()
  await tick()
  const [second, third] = [read(), read()]
  await tick()
  expect(gates.length).toBe(1)
  gates[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await tick()
  expect(gates.length).toBe(2)
  gates[1]?.resolve('shared')
  expect(await Promise.all([second, third])).toEqual(['shared', 'shared'])
})

it('reads by name run one at a time for each name, and none is older than its request', async () => {
  const { gates, load } = gatedLoads()
  const read = readByName()
  const ask = (name: string) => read(name, load)
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

it('fresh reads are made at most once in their time, and again after a change, a failure or a clock that was set back', async () => {
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

it('staleIfDown returns the last value while the database is down, and fails on errors of our own', async () => {
  const database = await createTestDatabase()
  let sql = ''
  const reading = staleIfDown<object[]>(() => database.db.query(sql), [])
  for (const [value, before] of [
    [1, []],
    [2, [{ value: 1 }]],
  ]) {
    sql = `select ${value} as value`
    await database.takeAway()
    expect(await reading()).toEqual(before)
    await database.giveBack()
    expect(await reading()).toEqual([{ value }])
  }
  sql = 'select no_such_column'
  await expect(reading()).rejects.toThrow('no_such_column')
})
