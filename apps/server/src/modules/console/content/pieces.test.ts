/** Articles and announcements as an editor makes, publishes and withdraws them, and as players then see them. */
import { article, noticeList } from '@sum28/contract/index-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { expect, it } from 'vitest'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { timeOf } from '#testing/product/play-round.ts'
import { answerTo, expectSuccess, faultsOf, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

const editor = () => addStaff(test, 'editor')

type Session = { token: string }

/** A draft with an English text. */
async function draft(by: Session, { title = 'A title', kind = 'article' as wire.PieceKind } = {}) {
  const made = await test.call(wire.makePiece, { kind, category_id: 1, title }, by)
  const { id, version } = made.data
  const text = { text_lang: 'en', title, html: '<p>Words.</p>' } as const
  return (await test.call(wire.savePieceText, { kind, id, version, ...text }, by)).data
}

/** Publishes the version that a form was made from. */
function publish(
  { kind, id, version }: Pick<wire.WirePiece, 'kind' | 'id' | 'version'>,
  by: Session,
  times: { from?: number; until?: number } = {},
) {
  return test.call(wire.publishPiece, { kind, id, version, ...times }, by)
}

const read = (id: number, lang = 'en') => test.call(article, { id, lang } as never)

it('an article is written in two languages, published, seen in both, and withdrawn', async () => {
  const by = await editor()
  const article = { kind: 'article', category_id: 1, title: 'Hello' } as const
  const { data: made } = await test.call(wire.makePiece, article, by)
  expect(made).toMatchObject({ state: 'draft', version: 1, changed_by: by.login.name })
  const { kind, id } = made
  expect(await faultsOf(publish(made, by))).toEqual(['html'])

  const texts = [
    { text_lang: 'en', title: 'Hello', html: '<p onclick="x()">Hello.<script>x()</script></p>' },
    { text_lang: 'ja', title: 'こんにちは', html: '<p>こんにちは。</p>' },
  ] as const
  let { version } = made
  for (const text of texts) {
    const saved = await test.call(wire.savePieceText, { kind, id, version, ...text }, by)
    expect(saved.data.version).toBe(version + 1)
    version = saved.data.version
  }
  expect(await read(id)).toMatchObject({ http: 404 })

  const { data: published } = await publish({ kind, id, version }, by)
  expect(published).toMatchObject({ state: 'published', published_until: null })
  expect((await read(id)).data).toMatchObject({ title: 'Hello', content: '<p>Hello.</p>' })
  expect((await read(id, 'ja')).data).toMatchObject({ title: 'こんにちは' })
  expect((await read(id, 'ko')).data).toMatchObject({ title: 'Hello' })

  const japanese = { kind, id, version: published.version, text_lang: 'ja' } as const
  const { data: cut } = await test.call(wire.removePieceText, japanese, by)
  expect(cut.texts).toMatchObject([{ lang: 'en', title: 'Hello' }])
  const last = { kind, id, version: cut.version }
  expect((await test.call(wire.withdrawPiece, last, by)).data.state).toBe('withdrawn')
  const [, written] = texts
  const removed = { lang: 'ja', title: null, html: null }
  const kept = { lang: 'ja', title: written.title, html: written.html }
  const ask = { subject: `article:${id}`, limit: 4 }
  const { list } = (await test.call(listAuditRows, ask, await staffSession(test))).data
  expect(list).toMatchObject([
    { action: 'article_withdrawn', details: { after: { state: 'withdrawn' } } },
    { action: 'article_text_removed', details: { before: kept, after: removed } },
    {
      action: 'article_published',
      details: { before: { state: 'draft', from: null }, after: { state: 'published' } },
    },
    { action: 'article_text_saved', details: { before: removed, after: kept } },
  ])
  expect(await read(id)).toMatchObject({ http: 404 })
})

it('a piece is published from its time until its end', async () => {
  const by = await editor()
  const piece = await draft(by, { kind: 'announcement' })
  const { kind, id } = piece
  const stateAfter = async (change: string) => {
    await test.database.owner.query(`update content.announcement set ${change} where id = $1`, [id])
    return (await test.call(wire.showPiece, { kind, id }, by)).data.state
  }
  const now = Math.floor((await timeOf(test)) / 1000)
  const times = { from: now + 3_600, until: now + 7_200 }
  const { data: scheduled } = await publish(piece, by, times)
  expect(scheduled).toMatchObject({
    state: 'scheduled',
    published_at: times.from,
    published_until: times.until,
  })
  expect(await stateAfter(`published_at = app.now() - interval '1 hour'`)).toBe('published')
  expect(await stateAfter('published_until = app.now()')).toBe('withdrawn')
  for (const wrong of [{ until: now - 1 }, { from: now + 100, until: now + 100 }]) {
    expect(await faultsOf(publish(scheduled, by, wrong))).toEqual(['until'])
  }
})

it('an announcement is unread from when it was published, whatever time it shows, and no news after a change of that time', async () => {
  const by = await editor()
  const piece = await draft(by, { kind: 'announcement' })
  const reader = await addSeatedPlayer(test.database, { u: 0 })
  const { owner } = test.database
  const looked = () =>
    owner.query(
      `insert into content.announcement_reader values ($1, app.now() - interval '2 minutes')
       on conflict (player_id) do update set listed_at = excluded.listed_at`,
      [reader.id],
    )
  const isRead = async () =>
    (await test.call(noticeList, {}, reader)).data.pingtai.find((one) => one.id === piece.id)?.read
  await looked()
  const from = Math.floor((await timeOf(test)) / 1000) - 3_600
  const { data: published } = await publish(piece, by, { from })
  expect(published.published_at).toBe(from)
  expect(await isRead()).toBe(false)
  // Ten minutes later, of which he looked in the eighth.
  await owner.query(
    `update content.announcement set announced_at = app.now() - interval '10 minutes' where id = $1`,
    [piece.id],
  )
  await looked()
  await publish(published, by, { from: from + 60 })
  expect(await isRead()).toBe(true)
})

it('an article keeps English, and has an existing category', async () => {
  const by = await editor()
  const { kind, id, version } = await draft(by)
  const form = { kind, id, version }
  const save = (html: string) =>
    test.call(wire.savePieceText, { ...form, text_lang: 'en', title: 'x', html }, by)
  for (const [field, reply] of [
    ['text_lang', test.call(wire.removePieceText, { ...form, text_lang: 'en' }, by)],
    ['category_id', test.call(wire.setArticle, { id, version, category_id: 999 }, by)],
    ['category_id', test.call(wire.makePiece, { kind, title: 'x', category_id: 999 }, by)],
    ['html', save('<script>x()</script>')],
    ['html', save('x'.repeat(wire.HTML_CHARS_MAX + 1))],
  ] as const) {
    expect(await faultsOf(reply)).toEqual([field])
  }
  expectSuccess(await save(`<p>${'語'.repeat(wire.HTML_CHARS_MAX - 7)}</p>`))
  const nowhere = { kind, id: 2_000_000_000, version: 1 }
  for (const route of [wire.showPiece, wire.publishPiece, wire.withdrawPiece]) {
    expect(await answerTo(test.call(route, nowhere, by))).toBe('not_found')
  }
})

it('the list finds by title, state and category, shows missing languages, and has pages', async () => {
  const by = await editor()
  const made = [await draft(by, { title: '100%_A' }), await draft(by, { title: '100%_B' })]
  const list = async (more: object) =>
    (await test.call(wire.listPieces, { kind: 'article', ...more }, by)).data
  const page = await list({ q: '%_', state: 'draft', category_id: 1 })
  expect(page.list.map(({ title }) => title)).toEqual(['100%_B', '100%_A'])
  expect(page.list[0]?.missing).toEqual(['zh', 'zh-TW', 'ja', 'ko', 'vi', 'id'])
  expect((await list({ q: '%_', category_id: 2 })).list).toEqual([])
  const first = await list({ q: '%_', limit: 1 })
  const second = await list({ q: '%_', limit: 1, after: first.next })
  expect([...first.list, ...second.list].map(({ id }) => id)).toEqual(
    made.map(({ id }) => id).toReversed(),
  )
  expect(second.next).toBeNull()
})
