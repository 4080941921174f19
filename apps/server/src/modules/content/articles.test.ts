/** Articles, announcements, about and promo images: as installed, and as players read an editor's changes. */
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { aboutUs, article, articleList, noticeList, promos } from '@sum28/contract/index-routes.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { LANGUAGES, type Language } from '@sum28/i18n/languages.ts'
import { describe, expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addStaff } from '#testing/people/staff.ts'
import { timeOf } from '#testing/product/play-round.ts'
import { registerMember, shareTestApp } from '#testing/product/test-app.ts'
import { LIST_FRESH } from './module.ts'
import { safeHtml } from './safe-html.ts'

const app = shareTestApp()

const HOUR_S = 3_600

const listNow = (lang: string) =>
  app()
    .call(articleList, { lang } as never)
    .then(({ data }) => data)

/** The list, read after this moment. */
async function list(lang: string) {
  await pause(LIST_FRESH.freshMs)
  return listNow(lang)
}

const read = (id: number, lang = 'en') => app().call(article, { id, lang } as never)

type Editor = { token: string }
type Texts = Partial<Record<Language, { title: string; html: string }>>

const TEXTS: Texts = { en: { title: 'A title', html: '<p>Words.</p>' } }

/** A draft with its texts, as an editor makes it in the console. */
async function draft(by: Editor, kind: wire.PieceKind, texts = TEXTS): Promise<wire.WirePiece> {
  const made = await app().call(wire.makePiece, { kind, category_id: 1, title: 'A title' }, by)
  let piece = made.data
  for (const lang of LANGUAGES) {
    const text = texts[lang]
    if (!text) continue
    const { id, version } = piece
    const form = { kind, id, version, text_lang: lang, ...text }
    const saved = await app().call(wire.savePieceText, form, by)
    expect(saved).toMatchObject({ code: 1 })
    piece = saved.data
  }
  return piece
}

/** Publishes a piece: at once, or from and until a time in unix seconds. */
async function publish(
  by: Editor,
  { kind, id, version }: wire.WirePiece,
  times: { from?: number; until?: number } = {},
): Promise<wire.WirePiece> {
  const published = await app().call(wire.publishPiece, { kind, id, version, ...times }, by)
  expect(published).toMatchObject({ code: 1 })
  return published.data
}

const nowInSeconds = async () => Math.floor((await timeOf(app())) / 1000)

/** The file of the player's app that a path serves. */
const fileOf = (path: string) => new URL(`../../../../web/public${path}`, import.meta.url)

describe('the installed content', () => {
  it.each(LANGUAGES)('is complete in %s', async (lang) => {
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

  it('differs between languages', async () => {
    const texts = await app().database.owner.query<{ words: string }>(
      `select title || html as words from content.article_text union all select title || html
       from content.announcement_text union all select html from content.about
       union all select title from content.promo_title union all select name from content.category_name`,
    )
    expect(texts).toHaveLength(7 * (5 + 1 + 1 + 3 + 3))
    expect(new Set(texts.map(({ words }) => words)).size).toBe(texts.length)
  })

  it('links only to pages that are open to all', async () => {
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
  it('are read one by one, by id, and in English if there is no text in the language', async () => {
    const by = await addStaff(app(), 'editor')
    const { id } = await publish(
      by,
      await draft(by, 'article', {
        en: { title: 'Hello', html: '<p>Hello.</p>' },
        ja: { title: 'こんにちは', html: '<p>こんにちは。</p>' },
      }),
    )
    expect((await read(id, 'ja')).data).toMatchObject({
      id,
      title: 'こんにちは',
      content: '<p>こんにちは。</p>',
    })
    for (const lang of ['en', 'ko', 'fr'])
      expect((await read(id, lang)).data).toMatchObject({ title: 'Hello' })
  })

  it('are made into a list once for all who ask within half a second', async () => {
    const { owner } = app().database
    const rename = (name: string) =>
      owner.query(
        `update content.category_name set name = $1 where category_id = 1 and lang = 'vi'`,
        [name],
      )
    const shown = ({ articleTabs }: Awaited<ReturnType<typeof list>>) =>
      articleTabs.find(({ id }) => id === 1)?.name
    await rename('before')
    const lists = await Promise.all([list('vi'), list('vi'), list('vi')])
    expect(lists.map(shown)).toEqual(['before', 'before', 'before'])
    await rename('after')
    expect(shown(await listNow('vi'))).toBe('before')
    expect(shown(await list('vi'))).toBe('after')
  })

  it('of one category are listed when it is requested; hot topics always', async () => {
    const { articleTabs, tops } = (await app().call(articleList, { category_id: 2 })).data
    expect(articleTabs.map(({ id }) => id)).toEqual([2])
    expect(tops.length).toBeGreaterThanOrEqual(3)
    expect((await app().call(articleList, { category_id: 999 })).data.articleTabs).toEqual([])
  })

  it('are listed in the category, with the picture, and among the hot topics that an editor chose', async () => {
    const by = await addStaff(app(), 'editor')
    const { id, version } = await publish(by, await draft(by, 'article'))
    const image = '/banners/exact.svg'
    const terms = { id, version, category_id: 3, image, top: true }
    expect(await app().call(wire.setArticle, terms, by)).toMatchObject({ code: 1 })
    const { articleTabs, tops } = await list('en')
    const images = articleTabs.flatMap((tab) =>
      tab.articles.filter((one) => one.id === id).map((one) => [tab.id, one.image]),
    )
    expect(images).toEqual([[3, image]])
    expect(tops.map((one) => one.id)).toContain(id)
  })

  it('are newest first', async () => {
    const by = await addStaff(app(), 'editor')
    const older = await publish(by, await draft(by, 'article'), {
      from: (await nowInSeconds()) - HOUR_S,
    })
    const newer = await publish(by, await draft(by, 'article'))
    const { articleTabs } = await list('en')
    for (const { articles } of articleTabs) {
      const times = articles.map(({ createtime }) => createtime)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
    }
    const ids = articleTabs.flatMap(({ articles }) => articles.map((one) => one.id))
    expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id))
    expect(ids).toContain(newer.id)
  })

  it('are not shown before their time, after their end, withdrawn, or as drafts', async () => {
    const by = await addStaff(app(), 'editor')
    const hot = async () => {
      const { id, version } = await draft(by, 'article')
      const made = await app().call(
        wire.setArticle,
        { id, version, category_id: 1, image: '', top: true },
        by,
      )
      return made.data
    }
    const now = await nowInSeconds()
    const scheduled = await publish(by, await hot(), { from: now + HOUR_S })
    const ended = await publish(by, await hot(), { from: now - HOUR_S, until: now + HOUR_S })
    expect((await read(ended.id)).http).toBe(200)
    await app().database.owner.query(
      `update content.article set published_until = app.now() where id = $1`,
      [ended.id],
    )
    const { kind, id, version } = await publish(by, await hot())
    await app().call(wire.withdrawPiece, { kind, id, version }, by)

    const { articleTabs, tops } = await list('en')
    const listed = [...tops, ...articleTabs.flatMap(({ articles }) => articles)]
    for (const hidden of [scheduled.id, ended.id, id, (await hot()).id]) {
      expect(listed.map((one) => one.id)).not.toContain(hidden)
      expect(await read(hidden)).toMatchObject({ http: 404, code: 404 })
    }
  })

  it('that do not exist are not found, and an invalid id is malformed', async () => {
    expect(await app().call(article, { id: 2_000_000_000 })).toMatchObject({ http: 404 })
    expect(await app().call(article, { id: 'x' })).toMatchObject({ http: 400 })
  })

  it('are made safe when they are saved', async () => {
    const by = await addStaff(app(), 'editor')
    const html = '<p onclick="x()">Hi<script>x()</script></p>'
    const { id } = await publish(
      by,
      await draft(by, 'article', { en: { title: ' <b>A</b> title ', html } }),
    )
    expect((await read(id)).data).toMatchObject({
      // A title is shown as plain text.
      title: '<b>A</b> title',
      content: '<p>Hi</p>',
    })
  })
})

describe('announcements', () => {
  const readAll = async (token: string, lang = 'en') =>
    (await app().call(noticeList, { lang } as never, { token })).data.pingtai

  it('appear among the notices, unread until they are requested', async () => {
    const { token } = await registerMember(app(), 'reader')
    expect(await readAll(token, 'zh')).toMatchObject([
      { title: '每一次开奖都可以核对', read: false },
    ])
    expect(await readAll(token)).toMatchObject([{ title: 'Every draw can be checked', read: true }])

    const by = await addStaff(app(), 'editor')
    const texts = { en: { title: 'BusEvent', html: '<p>BusEvent<img src=x onerror=x()></p>' } }
    await publish(by, await draft(by, 'announcement', texts))
    await publish(by, await draft(by, 'announcement', texts), {
      from: (await nowInSeconds()) + HOUR_S,
    })
    await draft(by, 'announcement', texts)
    expect(await readAll(token, 'vi')).toMatchObject([
      { title: 'BusEvent', content: '<p>BusEvent</p>', read: false },
      { read: true },
    ])
    expect((await readAll(token)).map((each) => each.read)).toEqual([true, true])
  })

  it('are marked as read for each player separately', async () => {
    const { token } = await registerMember(app(), 'other_reader')
    expect((await readAll(token)).every((each) => !each.read)).toBe(true)
  })

  it('need English, too', async () => {
    const by = await addStaff(app(), 'editor')
    const texts = { ja: { title: 'お知らせ', html: '<p>。</p>' } }
    const { kind, id, version } = await draft(by, 'announcement', texts)
    expect(await app().call(wire.publishPiece, { kind, id, version }, by)).toMatchObject({
      code: 400,
      data: { fields: { html: 'This needs an English text first' } },
    })
  })
})

describe('about', () => {
  const about = async (lang: string) =>
    (await app().call(aboutUs, { lang } as never)).data.about.content

  it('is changed by language, and made safe', async () => {
    const by = await addStaff(app(), 'editor')
    const english = await about('en')
    const texts = (await app().call(wire.showAbout, {}, by)).data
    const version = texts.find(({ lang }) => lang === 'ko')?.version
    const form = { text_lang: 'ko', version, html: '<p>소개<svg onload=x()></p>' }
    expect(await app().call(wire.saveAbout, form as never, by)).toMatchObject({ code: 1 })
    expect(await about('ko')).toBe('<p>소개</p>')
    expect(await about('en')).toBe(english)
  })

  it('falls back to English', async () => {
    const { owner } = app().database
    await owner.query(`delete from content.about where lang = 'id'`)
    const { html } = only(
      await owner.query<{ html: string }>(`select html from content.about where lang = 'en'`),
    )
    expect(await about('id')).toBe(html)
  })
})

describe('the application’s database role', () => {
  it('cannot write content directly, only note who has read the announcements', async () => {
    const { db } = app().database
    const writable = await db.query(
      `select relname as table from pg_class
       where relnamespace = 'content'::regnamespace and relkind in ('r', 'p')
         and (has_any_column_privilege(oid, 'insert, update') or has_table_privilege(oid, 'delete, truncate'))`,
    )
    expect(writable).toEqual([{ table: 'announcement_reader' }])
    for (const statement of [
      `insert into content.article (category_id) values (1)`,
      `update content.article_text set html = '<script>x()</script>'`,
      `update content.announcement set published_at = app.now()`,
      `delete from content.about`,
      `truncate content.promo`,
    ]) {
      await expect(db.query(statement), statement).rejects.toThrow(/permission denied/)
    }
  })
})
