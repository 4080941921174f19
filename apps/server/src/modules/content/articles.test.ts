/** Articles, announcements, about and promo images: as they are installed, and as an editor changes them. */
import { existsSync } from 'node:fs'
import { aboutUs, article, articleList, noticeList, promos } from '@sum28/contract/index-routes.ts'
import { LANGUAGES } from '@sum28/i18n/languages.ts'
import { describe, expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { registerMember, shareTestApp } from '#testing/test-app.ts'
import { safeHtml } from './safe-html.ts'
import { saveAbout } from './save-about.ts'
import { saveAnnouncement } from './save-announcement.ts'
import { type ArticleDraft, saveArticle } from './save-article.ts'

const app = shareTestApp()
const db = () => app().database.db

const list = (lang: string) =>
  app()
    .call(articleList, { lang } as never)
    .then(({ data }) => data)

function draftOf(draft: Partial<ArticleDraft>): ArticleDraft {
  return {
    id: null,
    categoryId: 1,
    image: '',
    top: false,
    publishedAt: Date.now() - 1_000,
    pages: { en: { title: 'A title', html: '<p>Words.</p>' } },
    ...draft,
  }
}

/** The file of the player's app that is served under a path. */
const fileOf = (path: string) => new URL(`../../../../web/public${path}`, import.meta.url)

describe('what is installed', () => {
  it.each(LANGUAGES)('stands whole in %s', async (lang) => {
    const { tops, articleTabs } = await list(lang)
    expect(articleTabs.map(({ articles }) => articles.length)).toEqual([3, 1, 1])
    expect(tops).toHaveLength(3)
    const articles = articleTabs.flatMap((tab) => tab.articles)
    for (const { title, content } of articles) {
      expect(title).not.toBe('')
      expect(content.length).toBeGreaterThan(150)
      expect(safeHtml(content)).toBe(content)
    }
    const { about } = (await app().call(aboutUs, { lang } as never)).data
    expect(safeHtml(about.content)).toBe(about.content)
    expect(about.content).toContain('Sum28')
    const shown = (await app().call(promos, { lang } as never)).data
    expect(shown).toHaveLength(3)
    for (const { image } of shown) expect(existsSync(fileOf(image)), image).toBe(true)
    for (const { image } of articles) if (image) expect(existsSync(fileOf(image)), image).toBe(true)
  })

  it('is in each language something else', async () => {
    const texts = await app().database.owner.query<{ words: string }>(
      `select title || html as words from content.article_text union all select title || html
       from content.announcement_text union all select html from content.about
       union all select title from content.promo_title union all select name from content.category_name`,
    )
    expect(texts).toHaveLength(7 * (5 + 1 + 1 + 3 + 3))
    expect(new Set(texts.map(({ words }) => words)).size).toBe(texts.length)
  })

  it('leads only to pages that are open to all', async () => {
    const texts = await app().database.owner.query<{ html: string }>(
      `select html from content.article_text union all select html from content.announcement_text
       union all select html from content.about`,
    )
    const links = texts.flatMap(({ html }) => [...html.matchAll(/href="([^"]*)"/g)])
    expect(new Set(links.map(([, href]) => href))).toEqual(new Set(['/fairness', '/rules']))
  })

  it('has full-width punctuation in Chinese and Japanese', async () => {
    const texts = await app().database.owner.query<{ words: string }>(
      `select title || ' ' || html as words from content.article_text where lang in ('zh', 'zh-TW', 'ja')
       union all select title || html from content.announcement_text where lang in ('zh', 'zh-TW', 'ja')
       union all select html from content.about where lang in ('zh', 'zh-TW', 'ja')`,
    )
    for (const { words } of texts) {
      const text = words.replace(/<[^>]*>/g, ' ')
      expect(text).not.toMatch(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][,;:!?]/u)
    }
  })
})

describe('articles', () => {
  it('are read one by one, by id, and in English where they are not in the language', async () => {
    const saved = await saveArticle(
      { db: db() },
      draftOf({
        pages: {
          en: { title: 'Hello', html: '<p>Hello.</p>' },
          ja: { title: 'こんにちは', html: '<p>こんにちは。</p>' },
        },
      }),
    )
    const { id } = saved as { id: number }
    const read = async (lang: string) => (await app().call(article, { id, lang } as never)).data
    expect(await read('ja')).toMatchObject({
      id,
      title: 'こんにちは',
      content: '<p>こんにちは。</p>',
    })
    for (const lang of ['en', 'ko', 'fr'])
      expect(await read(lang)).toMatchObject({ title: 'Hello' })
  })

  it('of one category are listed when it is asked for; hot topics always', async () => {
    const { articleTabs, tops } = (await app().call(articleList, { category_id: 2 })).data
    expect(articleTabs.map(({ id }) => id)).toEqual([2])
    expect(tops.length).toBeGreaterThanOrEqual(3)
    expect((await app().call(articleList, { category_id: 999 })).data.articleTabs).toEqual([])
  })

  it('are newest first, and none before its time', async () => {
    const later = await saveArticle({ db: db() }, draftOf({ publishedAt: Date.now() + 3_600_000 }))
    const draft = await saveArticle({ db: db() }, draftOf({ publishedAt: null, top: true }))
    const { articleTabs, tops } = await list('en')
    const times = articleTabs.map(({ articles }) => articles.map(({ createtime }) => createtime))
    for (const each of times) expect(each).toEqual([...each].sort((a, b) => b - a))
    for (const saved of [later, draft]) {
      const { id } = saved as { id: number }
      expect(articleTabs.flatMap(({ articles }) => articles.map((one) => one.id))).not.toContain(id)
      expect(tops.map((one) => one.id)).not.toContain(id)
      expect(await app().call(article, { id })).toMatchObject({ http: 404, code: 404 })
    }
  })

  it('that do not exist are not found, and an id that is none is malformed', async () => {
    expect(await app().call(article, { id: 2_000_000_000 })).toMatchObject({ http: 404 })
    expect(await app().call(article, { id: 'x' })).toMatchObject({ http: 400 })
  })

  it('are made safe when they are saved', async () => {
    const pages = {
      en: { title: ' <b>A</b> title ', html: '<p onclick="x()">Hi<script>x()</script></p>' },
    }
    const { id } = (await saveArticle({ db: db() }, draftOf({ pages }))) as { id: number }
    expect((await app().call(article, { id })).data).toMatchObject({
      // A title is shown as text, whatever it looks like.
      title: '<b>A</b> title',
      content: '<p>Hi</p>',
    })
  })

  it('are changed as a whole, and refused where something is missing', async () => {
    const { id } = (await saveArticle({ db: db() }, draftOf({}))) as { id: number }
    const changed = draftOf({ id, categoryId: 3, pages: { en: { title: 'B', html: '<p>B</p>' } } })
    expect(await saveArticle({ db: db() }, changed)).toEqual({ id })
    expect((await app().call(article, { id })).data.title).toBe('B')

    const refusal = async (draft: Partial<ArticleDraft>) =>
      saveArticle({ db: db() }, draftOf(draft))
    expect(await refusal({ pages: {} })).toMatchObject({ faults: { 'en.title': 'required' } })
    const onlyScript = { en: { title: 'A', html: '<script>x()</script>' } }
    expect(await refusal({ pages: onlyScript })).toMatchObject({
      faults: { 'en.html': 'required' },
    })
    expect(await refusal({ image: 'https://x.example/a.png' })).toMatchObject({
      faults: { image: 'invalid' },
    })
    expect(await refusal({ categoryId: 999 })).toMatchObject({ faults: { category_id: 'choice' } })
    expect(await refusal({ id: 999_999 })).toMatchObject({ refused: 'not_found' })
    const long = { en: { title: 'x'.repeat(201), html: `<p>${'x'.repeat(100_000)}</p>` } }
    expect(await refusal({ pages: long })).toMatchObject({
      faults: { 'en.title': 'too_long', 'en.html': 'too_long' },
    })
  })
})

describe('announcements', () => {
  const read = async (token: string, lang = 'en') =>
    (await app().call(noticeList, { lang } as never, { token })).data.pingtai

  it('stand among the notices, unread until they have been asked for', async () => {
    const { token } = await registerMember(app(), 'reader')
    expect(await read(token, 'zh')).toMatchObject([{ title: '每一次开奖都可以核对', read: false }])
    expect(await read(token)).toMatchObject([{ title: 'Every draw can be checked', read: true }])

    const pages = { en: { title: 'News', html: '<p>News<img src=x onerror=x()></p>' } }
    await saveAnnouncement({ db: db() }, { id: null, publishedAt: Date.now() - 1, pages })
    await saveAnnouncement({ db: db() }, { id: null, publishedAt: Date.now() + 60_000, pages })
    expect(await read(token, 'vi')).toMatchObject([
      { title: 'News', content: '<p>News</p>', read: false },
      { read: true },
    ])
    expect((await read(token)).map((each) => each.read)).toEqual([true, true])
  })

  it('are unread for each player by himself', async () => {
    const { token } = await registerMember(app(), 'other_reader')
    expect((await read(token)).every((each) => !each.read)).toBe(true)
  })

  it('need English, too', async () => {
    const saved = await saveAnnouncement(
      { db: db() },
      { id: null, publishedAt: null, pages: { ja: { title: 'お知らせ', html: '<p>。</p>' } } },
    )
    expect(saved).toMatchObject({ faults: { 'en.title': 'required' } })
  })
})

describe('about', () => {
  it('is changed by language, and made safe', async () => {
    expect(await saveAbout({ db: db() }, { ko: '<p>소개<svg onload=x()></p>' })).toBeNull()
    expect((await app().call(aboutUs, { lang: 'ko' } as never)).data.about.content).toBe(
      '<p>소개</p>',
    )
    expect((await app().call(aboutUs, {})).data.about.content).toContain('Sum28')
    expect(await saveAbout({ db: db() }, { en: '<script></script>' })).toMatchObject({
      faults: { en: 'required' },
    })
  })

  it('falls back to English', async () => {
    const { owner } = app().database
    await owner.query(`delete from content.about where lang = 'id'`)
    const { html } = only(
      await owner.query<{ html: string }>(`select html from content.about where lang = 'en'`),
    )
    expect((await app().call(aboutUs, { lang: 'id' } as never)).data.about.content).toBe(html)
  })
})
