/** Changes of content: each is based on a version, and banners and promo pictures have places, also if two act at once. */
import type { ReplyOf, Route } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { describe, expect, it } from 'vitest'
import { callFunction, type Database, type Queryable, queryable } from '#src/db/database.ts'
import type { Saved } from '#src/modules/console/change-row.ts'
import type { Resources } from '#src/resources.ts'
import {
  answerAfter,
  beginWithoutRetry,
  somebodyWaits,
  withoutRetry,
} from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, shareTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { contentRoutes } from './routes.ts'

const AT = Date.UTC(2026, 10, 20)
const IMAGE = '/uploads/exact.svg'

/** Two editors, and the numbers that they are noted by. */
async function editors() {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  const { db, owner } = database
  const [ann, ben] = [
    await staffToken(database, { role: 'editor' }),
    await staffToken(database, { role: 'editor' }),
  ]
  const members = 'select id from staff.member order by id desc'
  const [benId = 0, annId = 0] = await owner.column<number>(members)
  const call = (text: string, values: unknown[], by: Queryable = db) =>
    by.value<Saved>(`select console_content.${text}`, values)
  return { database, db, owner, ann, ben, annId, benId, call }
}

const SHOWN = { published_at: AT + 1_000, published_until: AT + 2_000 }
const SHOWN_VALUES = [new Date(SHOWN.published_at), new Date(SHOWN.published_until)]
const CHANGED_TEXT = ['en', 'Anew', '<p>New.</p>']

/** Each change of a table's first row: its function, the values after id and version, and what the row has then. */
const CHANGES: [string, string, string, unknown[], object][] = [
  ['text', 'article', `set_text('article', $1, $2, $3, $4, $5, $6)`, CHANGED_TEXT, {}],
  ['time', 'article', `set_shown('article', $1, $2, $3, $4, $5)`, SHOWN_VALUES, SHOWN],
  ['time', 'announcement', `set_shown('announcement', $1, $2, $3, $4, $5)`, SHOWN_VALUES, SHOWN],
  [
    'category',
    'article',
    'set_article($1, $2, $3, $4, $5, $6)',
    [2, IMAGE, true],
    { category_id: 2, image: IMAGE, top: true },
  ],
  [
    'link',
    'banner',
    'set_banner($1, $2, $3, $4, $5, $6)',
    [IMAGE, '/rules', false],
    { image: IMAGE, link: '/rules', shown: false },
  ],
  [
    'title',
    'promo',
    'set_promo($1, $2, $3, $4, $5, $6, $7)',
    [IMAGE, false, ['en', 'ja'], ['Anew', '新しい']],
    { image: IMAGE, shown: false },
  ],
  ['position', 'banner', `raise_one('banner', $1, $2, $3)`, [], {}],
  ['position', 'promo', `raise_one('promo', $1, $2, $3)`, [], {}],
]

it.each(CHANGES)(
  'the %s of the %s is changed by the one whose form is of the present version, also if two do it at once',
  async (_what, table, text, values, expected) => {
    const { database, db, owner, call, ann, ben, annId, benId } = await editors()
    const id = await owner.value<number>(`select min(id) from content.${table}`)
    const row = () => owner.one<object>(`select * from content.${table} where id = $1`, [id])
    const before = await row()
    const set = (version: number, session: string, { of = id, by = db as Queryable } = {}) =>
      call(text, [of, version, ...values, session], by)
    expect(await set(1, ann, { of: 999_999 })).toBe('not_found')
    for (const wrong of [0, 2]) expect(await set(wrong, ann)).toBe('content_changed')
    expect(await row()).toEqual(before)
    expect(await set(1, ann)).toBe('saved')
    const after = await row()
    expect(after).toEqual({ ...before, ...expected, version: 2, changed_by: annId, changed_at: AT })
    expect(await set(1, ben)).toBe('content_changed')
    expect(await row()).toEqual(after)

    const second = await answerAfter(database, {
      first: async (tx) => expect(await set(2, ben, { by: tx })).toBe('saved'),
      second: () => set(2, ann),
    })
    expect(second).toBe('content_changed')
    expect(await row()).toMatchObject({ version: 3, changed_by: benId })
  },
)

/** A database that cannot be reached once a transaction is committed. */
function goneAfterCommit(db: Database): Database {
  let isGone = false
  return {
    ...db,
    ...queryable((text, values) =>
      isGone ? Promise.reject(new Error('the database is gone')) : db.query(text, values),
    ),
    async transaction(work) {
      const result = await db.transaction(work)
      isGone = true
      return result
    },
  }
}

it('a save is answered by what it saved, read before its commit: nothing can come between', async () => {
  const { db, ann } = await editors()
  const call = async <R extends Route>(route: R, input: object) => {
    const resources = { db: goneAfterCommit(db), now: () => AT }
    const routes = contentRoutes(resources as Resources)
    const binding = routes.find((each) => each.route.path === route.path)
    return (await binding?.handle({ input, caller: { token: ann } } as never)) as ReplyOf<R>
  }
  const draft = { kind: 'article', category_id: 1, title: 'A title' }
  const { kind, id, version } = await call(wire.makePiece, draft)
  const english = { text_lang: 'en', title: 'Anew', html: '<p>New.</p>' }
  expect(await call(wire.savePieceText, { kind, id, version, ...english })).toMatchObject({
    version: 2,
    texts: [{ lang: 'en', title: 'Anew' }],
  })
  const published = await call(wire.publishPiece, { kind, id, version: 2 })
  expect(published).toMatchObject({ version: 3, state: 'published' })
  const [about] = await call(wire.showAbout, {})
  const text = { text_lang: about?.lang, version: about?.version, html: '<p>Us.</p>' }
  expect((await call(wire.saveAbout, text))[0]).toMatchObject({
    version: (about?.version ?? 0) + 1,
    html: '<p>Us.</p>',
    changed_at: AT / 1_000,
  })
})

it('a picture that is kept again is not unused any more', async () => {
  const { owner, call, ann } = await editors()
  const [name, content] = [`${'0'.repeat(32)}.webp`, Buffer.from('a picture')]
  expect(await call('keep_picture($1, $2, $3)', [name, content, ann])).toBe('saved')
  await owner.query('update accounts.house_picture set unused_since = app.now()')
  expect(await call('keep_picture($1, $2, $3)', [name, content, ann])).toBe('saved')
  expect(
    await owner.query('select name, content, unused_since from accounts.house_picture'),
  ).toEqual([{ name, content, unused_since: null }])
})

describe.each(['banner', 'promo'] as const)('of a %s', (kind) => {
  const database = shareTestDatabase()

  /** Three of the kind, with the numbers 1 to 3 in this order. */
  async function three() {
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
      owner,
      add: (by: Queryable = db) => set(null, by),
      change: (id: number, by: Queryable = db) => set(id, by),
      raise: (id: number, version = 1, by: Queryable = db) =>
        callFunction<string>(by, 'console_content.raise_one', kind, id, version, session),
      /** Each as `number at place`. */
      positions: () =>
        owner.column<string>(
          `select id || ' at ' || position from content.${kind} order by position, id`,
        ),
    }
  }

  it('the place is the one after the others, also if two are added at once', async () => {
    const { add, owner, positions } = await three()
    expect(await positions()).toEqual(['1 at 1', '2 at 2', '3 at 3'])
    await owner.query(`delete from content.${kind} where id = 2`)
    await add()
    expect(await positions()).toEqual(['1 at 1', '3 at 3', '4 at 4'])
    expect(await answerAfter(database, { first: add, second: () => add() })).toBe('saved')
    expect(await positions()).toEqual(['1 at 1', '3 at 3', '4 at 4', '5 at 5', '6 at 6'])
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

  it('one is raised while another is changed and raised, and neither blocks the other', async () => {
    const { change, raise, positions } = await three()
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
