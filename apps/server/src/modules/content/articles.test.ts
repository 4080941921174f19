/** Articles, announcements, about and promo images: as installed, and as players read what editors have stored. */
import { existsSync } from 'node:fs'
import { TRIES_FOR_MS } from '@sum28/contract/client.ts'
import { aboutUs, article, articleList, noticeList, promos } from '@sum28/contract/index-routes.ts'
import { LANGUAGES } from '@sum28/i18n/languages.ts'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#src/config.ts'
import { inboxModule } from '#src/modules/inbox/module.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { shareTestDatabase, stopClock } from '#testing/database/test-database.ts'
import { serveForTest } from '#testing/product/served-routes.ts'
import { contentModule } from './module.ts'
import { safeHtml } from './safe-html.ts'

const database = shareTestDatabase()

/** The routes of a process that has read nothing before. */
async function served() {
  const { db } = database
  const content = contentModule({
    db,
    config: readConfig({}),
    build: 'test',
    catalog: () => Promise.reject(new Error('not asked for')),
  })
  const inbox = inboxModule({ db, readAnnouncements: content.readAnnouncements })
  const { call } = await serveForTest([...content.routes, ...inbox.routes])
  return {
    list: async (lang: string) => (await call(articleList, { lang } as never)).data,
    ofCategory: async (id: number) => (await call(articleList, { category_id: id })).data,
    read: (id: number, lang = 'en') => call(article, { id, lang } as never),
    about: async (lang: string) => (await call(aboutUs, { lang } as never)).data.about.content,
    promos: async (lang: string) => (await call(promos, { lang } as never)).data,
    announcements: async (player: number, lang = 'en') =>
      (await call(noticeList, { lang } as never, player)).data.pingtai,
  }
}

type Stored = {
  /** Its title in each language. */
  titles?: Record<string, string>
  /** From and until when it is shown, counted from now; a draft has no time. */
  from?: string | null
  until?: string | null
}

/** Stores a published piece, as the console does when its text was made safe. */
async function store(
  kind: 'article' | 'announcement',
  { titles = { en: 'A title' }, from = '0 s', until = null }: Stored = {},
): Promise<number> {
  const { owner } = database
  const id = await owner.value<number>(
    `insert into content.${kind} (published_at, published_until ${kind === 'article' ? ', category_id' : ''})
       values (app.now() + $1::interval, app.now() + $2::interval ${kind === 'article' ? ', 1' : ''})
       returning id`,
    [from, until],
  )
  await owner.query(
    `insert into content.${kind}_text (${kind}_id, lang, title, html)
     select $1, key, value, '<p>' || value || '</p>' from jsonb_each_text($2)`,
    [id, JSON.stringify(titles)],
  )
  return id
}

/** The file of the player's app that a path serves. */
const fileOf = (path: string) => new URL(`../../../../web/public${path}`, import.meta.url)

describe('the installed content', () => {
  it.each(LANGUAGES)('is complete in %s', async (lang) => {
    const { list, about, promos } = await served()
    const { tops, articleTabs } = await list(lang)
    expect(articleTabs.map(({ articles }) => articles.length)).toEqual([3, 1, 1])
    expect(tops).toHaveLength(3)
    const articles = articleTabs.flatMap((tab) => tab.articles)
    for (const { title, content } of articles) {
      expect(title).not.toBe('')
      expect(content.length).toBeGreaterThan(150)
      expect(safeHtml(content)).toBe(content)
    }
    const text = await about(lang)
    expect(safeHtml(text)).toBe(text)
    expect(text).toContain('Sum28')
    const shown = await promos(lang)
    expect(shown).toHaveLength(3)
    for (const { image } of [...shown, ...articles])
      if (image) expect(existsSync(fileOf(image)), image).toBe(true)
    const texts = [...tops, ...articles, ...shown]
    expect(new Set(texts.map((each) => each.lang))).toEqual(new Set([lang]))
  })

  it('differs between languages, links only to pages that are open to all, and has full-width punctuation in Chinese and Japanese', async () => {
    const texts = await database.owner.query<{ lang: string; words: string }>(
      `select lang, title || html as words from content.article_text
       union all select lang, title || html from content.announcement_text
       union all select lang, html from content.about union all select lang, title from content.promo_title
       union all select lang, name from content.category_name`,
    )
    expect(texts).toHaveLength(7 * (5 + 1 + 1 + 3 + 3))
    expect(new Set(texts.map(({ words }) => words)).size).toBe(texts.length)
    const links = texts.flatMap(({ words }) => [...words.matchAll(/href="([^"]*)"/g)])
    expect(new Set(links.map(([, href]) => href))).toEqual(new Set(['/fairness', '/rules']))
    for (const { words } of texts.filter(({ lang }) => ['zh', 'zh-TW', 'ja'].includes(lang))) {
      const text = words.replace(/<[^>]*>/g, ' ')
      expect(text).not.toMatch(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][,;:!?]/u)
    }
  })
})

describe('articles', () => {
  it('are read one by one, by id, and in English if there is no text in the language', async () => {
    const { read } = await served()
    const id = await store('article', { titles: { en: 'Hello', ja: 'こんにちは' } })
    expect((await read(id, 'ja')).data).toMatchObject({
      id,
      title: 'こんにちは',
      content: '<p>こんにちは</p>',
      lang: 'ja',
    })
    for (const lang of ['en', 'ko', 'fr'])
      expect((await read(id, lang)).data).toMatchObject({ title: 'Hello', lang: 'en' })
  })

  it('of one category are listed when it is requested; hot topics always', async () => {
    const { ofCategory } = await served()
    const { articleTabs, tops } = await ofCategory(2)
    expect(articleTabs.map(({ id }) => id)).toEqual([2])
    expect(tops.length).toBeGreaterThanOrEqual(3)
    expect((await ofCategory(999)).articleTabs).toEqual([])
  })

  it('are listed in the category, with the picture, and among the hot topics that an editor chose, newest first', async () => {
    const { list } = await served()
    const image = '/banners/exact.svg'
    const [newer, older] = [await store('article'), await store('article', { from: '-1 hour' })]
    await database.owner.query(
      `update content.article set category_id = 3, image = $2, top = id = $3 where id = any ($1)`,
      [[newer, older], image, newer],
    )
    const { articleTabs, tops } = await list('en')
    expect(articleTabs.find(({ id }) => id === 3)?.articles.slice(0, 2)).toMatchObject([
      { id: newer, image },
      { id: older, image },
    ])
    expect(tops[0]?.id).toBe(newer)
    expect(tops.map(({ id }) => id)).not.toContain(older)
  })

  it('are not shown before their time, after their end, withdrawn, or as drafts', async () => {
    const { list, read } = await served()
    const shown = await store('article', { from: '-1 hour', until: '1 hour' })
    const hidden = [
      await store('article', { from: '1 hour' }),
      await store('article', { from: '-1 hour', until: '0 s' }),
      await store('article', { from: null }),
    ]
    await database.owner.query('update content.article set top = true where id = any ($1)', [
      [shown, ...hidden],
    ])
    const { articleTabs, tops } = await list('en')
    for (const listed of [tops, articleTabs.flatMap(({ articles }) => articles)]) {
      const ids = listed.map(({ id }) => id)
      expect(ids).toContain(shown)
      for (const id of hidden) expect(ids).not.toContain(id)
    }
    expect((await read(shown)).http).toBe(200)
    for (const id of hidden) expect(await read(id)).toMatchObject({ http: 404, code: 404 })
  })
})

it('announcements appear among the notices, unread until a minute after they are requested', async () => {
  const { announcements } = await served()
  const { freezeClock, owner } = database
  const [reader, other] = [await addPlayer(database), await addPlayer(database)]
  await stopClock(database)
  const at = await owner.value<number>('select app.now()')
  const first = [{ title: '每一次开奖都可以验证', read: false }]
  expect(await announcements(reader, 'zh')).toMatchObject(first)
  await freezeClock(at + TRIES_FOR_MS)
  expect(await announcements(reader, 'zh')).toMatchObject(first)
  await freezeClock(at + TRIES_FOR_MS + 1)
  expect(await announcements(reader)).toMatchObject([
    { title: 'Every draw can be checked', read: true },
  ])
  await store('announcement', { titles: { en: 'News' } })
  await store('announcement', { from: '1 hour' })
  await store('announcement', { from: '-1 hour', until: '0 s' })
  await store('announcement', { from: null })
  for (const _ of ['a listing', 'its repeat']) {
    expect(await announcements(reader, 'vi')).toMatchObject([
      { title: 'News', content: '<p>News</p>', read: false },
      { read: true },
    ])
  }
  await freezeClock(at + 2 * TRIES_FOR_MS + 2)
  expect((await announcements(reader)).map(({ read }) => read)).toEqual([true, true])
  // For each player separately.
  expect((await announcements(other)).map(({ read }) => read)).toEqual([false, false])
})

it('about falls back to English', async () => {
  const { about } = await served()
  await database.owner.query(`delete from content.about where lang = 'id'`)
  expect(await about('id')).toBe(await about('en'))
})

it('the application’s database role writes no content directly, it only notes who has read the announcements', async () => {
  const { db } = database
  const writable = await db.query(
    `select relname as table from pg_class
     where relnamespace = 'content'::regnamespace and relkind in ('r', 'p')
       and (has_any_column_privilege(oid, 'insert, update') or has_table_privilege(oid, 'delete, truncate'))`,
  )
  expect(writable).toEqual([{ table: 'announcement_reader' }])
})
