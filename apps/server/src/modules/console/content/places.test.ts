/** The order of banners and of promo pictures: each has its own place, also when two people act at once. */
import { describe, expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import {
  answerAfter,
  beginWithoutRetry,
  somebodyWaits,
  withoutRetry,
} from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'

const IMAGE = '/uploads/exact.svg'

describe.each(['banner', 'promo'] as const)('of a %s', (kind) => {
  /** Three of the kind, with the numbers 1 to 3 in this order. */
  async function three() {
    const database = await createTestDatabase()
    const { db, owner } = database
    const session = await staffToken(database, { role: 'editor' })
    await owner.query(`truncate content.${kind} restart identity cascade`)
    const set = (id: number | null, by: Queryable) =>
      kind === 'banner'
        ? callFunction<string>(by, 'console_content.set_banner', id, 1, IMAGE, '', true, session)
        : callFunction<string>(
            by,
            'console_content.set_promo',
            ...[id, 1, IMAGE, true, ['en'], ['A'], session],
          )
    for (let count = 0; count < 3; count += 1) await set(null, db)
    return {
      ...{ database, db, owner },
      add: (by: Queryable = db) => set(null, by),
      change: (id: number, by: Queryable = db) => set(id, by),
      raise: (id: number, version = 1, by: Queryable = db) =>
        callFunction<string>(by, 'console_content.raise_one', kind, id, version, session),
      /** Each as `number at place`. */
      positions: async () => {
        const rows = await owner.query<{ text: string }>(
          `select id || ' at ' || position as text from content.${kind} order by position, id`,
        )
        return rows.map(({ text }) => text)
      },
    }
  }

  it('the place is the one after the others', async () => {
    const { add, owner, positions } = await three()
    expect(await positions()).toEqual(['1 at 1', '2 at 2', '3 at 3'])
    await owner.query(`delete from content.${kind} where id = 2`)
    await add()
    expect(await positions()).toEqual(['1 at 1', '3 at 3', '4 at 4'])
  })

  it('the place becomes that of its predecessor, which gets its place', async () => {
    const { raise, owner, positions } = await three()
    expect(await raise(3)).toBe('saved')
    expect(await positions()).toEqual(['1 at 1', '3 at 2', '2 at 3'])
    expect(await raise(3, 2)).toBe('saved')
    expect(await positions()).toEqual(['3 at 1', '1 at 2', '2 at 3'])
    expect(await raise(3, 3)).toBe('saved')
    expect(await positions()).toEqual(['3 at 1', '1 at 2', '2 at 3'])
    await owner.query(`delete from content.${kind} where id = 1`)
    expect(await raise(2)).toBe('saved')
    expect(await positions()).toEqual(['2 at 1', '3 at 2'])
  })

  it('two that are added at once have different positions', async () => {
    const { database, add, positions } = await three()
    expect(await answerAfter(database, { first: add, second: () => add() })).toBe('saved')
    expect(await positions()).toEqual(['1 at 1', '2 at 2', '3 at 3', '4 at 4', '5 at 5'])
  })

  it('one is raised while another is changed and raised, and neither blocks the other', async () => {
    const { database, change, raise, positions } = await three()
    const first = await beginWithoutRetry(database.db)
    await change(3, first)
    const second = raise(2, 1, withoutRetry(database.db)).catch((error: Error) => error.message)
    await somebodyWaits(database)
    expect(await raise(3, 2, first)).toBe('saved')
    await first.commit()
    expect(await second).toBe('saved')
    expect(await positions()).toEqual(['1 at 1', '2 at 2', '3 at 3'])
  })
})

it('only banners and promo pictures have positions', async () => {
  const database = await createTestDatabase()
  const session = await staffToken(database, { role: 'editor' })
  await expect(
    database.db.query(`select console_content.raise_one('article', 1, 1, $1)`, [session]),
  ).rejects.toThrow('has no position among others')
})
