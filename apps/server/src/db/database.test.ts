import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '#testing/test-database.ts'
import { brokenConstraint, isDatabaseAway, only } from './database.ts'

/** What rejects a promise. */
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('a transaction', () => {
  it('keeps all of its work or none', async () => {
    const { db } = await createTestDatabase()
    const add = (name: string) =>
      `insert into accounts.player (username, group_id) values ('${name}', 2)`
    const failed = failureOf(
      db.transaction(async (tx) => {
        await tx.query(add('first'))
        await tx.query(add('FIRST'))
      }),
    )
    expect(brokenConstraint(await failed)).toBe('username_taken')
    expect(await db.query('select from accounts.player')).toEqual([])
    await db.transaction((tx) => tx.query(add('first')))
    expect(await db.query('select from accounts.player')).toHaveLength(1)
  })

  it('fails, and nothing else does, when its connection breaks between two statements', async () => {
    const { db, owner } = await createTestDatabase()
    const failed = failureOf(
      db.transaction(async (tx) => {
        const { pid } = only(await tx.query<{ pid: number }>('select pg_backend_pid() as pid'))
        await owner.query('select pg_terminate_backend($1, 5000)', [pid])
        await new Promise((noticed) => setTimeout(noticed, 50))
        await tx.query('select 1')
      }),
    )
    expect(isDatabaseAway(await failed)).toBe(true)
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('values from the database', () => {
  it('are bigint, milliseconds and days as text', async () => {
    const { db } = await createTestDatabase()
    const rows = await db.query(
      `select 9007199254740993::bigint as large, '2026-11-20 10:00:00+08'::timestamptz as instant,
         '2026-11-20'::date as day, array[1, 9007199254740993]::bigint[] as list, '{}'::bigint[] as none`,
    )
    expect(rows).toEqual([
      {
        large: 9_007_199_254_740_993n,
        instant: Date.UTC(2026, 10, 20, 2),
        day: '2026-11-20',
        list: [1n, 9_007_199_254_740_993n],
        none: [],
      },
    ])
  })

  it('come as one row or not at all where one was expected', () => {
    expect(only([{ a: 1 }])).toEqual({ a: 1 })
    expect(() => only([])).toThrow('one row was expected, 0 came')
    expect(() => only([1, 2])).toThrow('one row was expected, 2 came')
  })
})

describe('a database that is away', () => {
  it('is told from a statement that was wrong', async () => {
    const { db, takeAway, giveBack } = await createTestDatabase()
    expect(isDatabaseAway(await failureOf(db.query('select nonsense')))).toBe(false)
    expect(isDatabaseAway(await failureOf(db.query('select 1 / 0')))).toBe(false)
    expect(isDatabaseAway(new Error('anything'))).toBe(false)
    await takeAway()
    for (const _again of [1, 2, 3]) {
      expect(isDatabaseAway(await failureOf(db.query('select 1')))).toBe(true)
    }
    await giveBack()
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})
