/** Unused pictures of the house are deleted after a while, and used ones never. */
import { expect, it } from 'vitest'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { forgetUnusedPictures } from './piece-store.ts'

const { database, db, owner } = eachTestDatabase()

const DAY_MS = 86_400_000
const AT = Date.parse('2026-11-20T12:00:00Z')
const DAYS = 30

/** The name of the picture with a number. */
const nameOf = (position: number) => `${String(position).padStart(32, '0')}.webp`

async function addPictures(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_each, position) => nameOf(position))
  await owner.query(
    `insert into accounts.house_picture (name, content) select unnest($1::text[]), 'a picture'`,
    [names],
  )
  return names
}

const left = () => owner.column<string>('select name from accounts.house_picture order by name')

/** The statement that lets each place of the content use a picture, by its path. */
const USES = [
  `insert into content.banner (position, image, shown) values (99, $1, false)`,
  `update content.article set image = $1 where id = (select min(id) from content.article)`,
  `update content.article_text set html = '<p><img src="' || $1 || '"></p>'
   where (article_id, lang) = (select article_id, lang from content.article_text order by 1, 2 limit 1)`,
  `insert into content.announcement_text (announcement_id, lang, title, html)
   select id, 'xx', 'x', '<img src="' || $1 || '">' from content.announcement limit 1`,
  `update content.about set html = '<img src="' || $1 || '">'
   where lang = (select lang from content.about limit 1)`,
  `insert into content.promo (position, image, shown) values (99, $1, false)`,
  `insert into content.text (key, lang, content) values ('a_test', 'en', $1)`,
]

it('no place of the content that can name a picture is missing', async () => {
  await database.freezeClock(AT)
  const names = await addPictures(USES.length + 1)
  for (const [position, use] of USES.entries()) {
    await database.owner.query(use, [`/uploads/${nameOf(position)}`])
  }
  expect(await forgetUnusedPictures(database.db)).toBe(0)
  await database.freezeClock(AT + (DAYS + 1) * DAY_MS)
  expect(await forgetUnusedPictures(database.db)).toBe(1)
  expect(await left()).toEqual(names.slice(0, USES.length))

  // Each column of text in the schema is one of those places, or is known to contain no picture.
  const columns =
    await database.owner.column<string>(`select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'content' and data_type = 'text' order by 1`)
  const noPictures = /\.(lang|title|name|key|link)$/
  expect(columns.filter((name) => !noPictures.test(name))).toEqual([
    'about.html',
    'announcement_text.html',
    'article.image',
    'article_text.html',
    'banner.image',
    'promo.image',
    'text.content',
  ])
})

it('a picture is deleted only if it was unused the whole time', async () => {
  const [name = ''] = await addPictures(1)
  /** How many are deleted, so many days after the beginning. */
  const look = async (days: number) => {
    await database.freezeClock(AT + Math.round(days * DAY_MS))
    return forgetUnusedPictures(db)
  }
  const use = () => owner.query(USES[0] ?? '', [`/uploads/${name}`])
  const unuse = () => owner.query('delete from content.banner where position = 99')
  await use()
  expect(await look(0)).toBe(0)
  await unuse()
  // The time in which it was used does not count, however long after it the next look is.
  expect(await look(DAYS)).toBe(0)
  expect(await look(2 * DAYS - 1)).toBe(0)
  // It is used for a day, and its age counts from the end of that.
  await use()
  expect(await look(2 * DAYS)).toBe(0)
  await unuse()
  expect(await look(2 * DAYS)).toBe(0)
  expect(await look(3 * DAYS - 1 / DAY_MS)).toBe(0)
  expect(await look(3 * DAYS)).toBe(1)
  expect(await left()).toEqual([])
})

it('less than a day counts as a day', async () => {
  const forgottenAfter = async (ms: number) => {
    await database.freezeClock(AT + ms)
    return owner.value<number>('select console_content.forget_unused_pictures(0)')
  }
  await addPictures(1)
  expect(await forgottenAfter(0)).toBe(0)
  expect([await forgottenAfter(DAY_MS - 1), await forgottenAfter(DAY_MS)]).toEqual([0, 1])
})

it('a picture stays if content that is being changed at that moment uses it', async () => {
  await database.freezeClock(AT)
  const [name = ''] = await addPictures(1)
  expect(await forgetUnusedPictures(db)).toBe(0)
  await database.freezeClock(AT + DAYS * DAY_MS)
  const deleted = await answerAfter(database, {
    first: (tx) => tx.query(USES[0] ?? '', [`/uploads/${name}`]),
    second: () => forgetUnusedPictures(db),
  })
  expect(deleted).toBe(0)
  expect(await left()).toEqual([name])
})
