/** Banners, promo pictures and the about page, as an editor changes them and players then see them. */
import { aboutUs, home, promos } from '@sum28/contract/index-routes.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { addStaff } from '#testing/people/staff.ts'
import { expectSuccess, faultsOf, useWorkersApp } from '#testing/product/test-app.ts'
import { picture } from '#testing/requests/pictures.ts'

const test = useWorkersApp()

const IMAGE = '/banners/exact.svg'
const PROMO = '/promos/check.svg'

it('banners are added, moved, hidden, and shown in their order', async () => {
  const by = await addStaff(test, 'editor')
  const banners = async () => (await test.call(wire.listBanners, {}, by)).data
  const installed = (await banners()).map(({ id }) => id)
  await test.call(wire.addBanner, { image: IMAGE, link: '/rules', shown: true }, by)
  const added = (await banners()).at(-1)
  if (!added) return expect.fail('no banner was added')
  expect(added).toMatchObject({ image: IMAGE, link: '/rules', changed_by: by.login.name })

  const { id } = added
  for (const version of [1, 2]) {
    expectSuccess(await test.call(wire.raiseBanner, { id, version }, by))
  }
  const [first, ...others] = installed
  const shown = async () => (await test.call(home, {})).data.banner.map((each) => each.id)
  expect(await shown()).toEqual([first, id, ...others])

  const hidden = { id, version: 3, image: IMAGE, link: '/rules' }
  await test.call(wire.saveBanner, hidden, by)
  expect(await shown()).toEqual(installed)
  expect(await test.call(wire.saveBanner, { ...hidden, shown: true }, by)).toMatchObject({
    code: 0,
    data: { reason: 'content_changed', by: by.login.name },
  })
  expect(await shown()).toEqual(installed)
  expect(await loggedActions(test.database.db, 2)).toMatchObject([
    {
      action: 'banner_changed',
      subject: `banner:${id}`,
      details: { before: { shown: true }, after: { shown: false } },
    },
    { action: 'banner_raised', details: { before: { position: 3 }, after: { position: 2 } } },
  ])
})

it('no banner or promo picture is of another place, links out of the app, or has no English title', async () => {
  const by = await addStaff(test, 'editor')
  const added = async () => [
    (await test.call(wire.listBanners, {}, by)).data,
    (await test.call(wire.listPromos, {}, by)).data,
  ]
  const banner = (wrong: object) => test.call(wire.addBanner, { image: IMAGE, ...wrong }, by)
  const promo = (title_en: string, image = PROMO) =>
    test.call(wire.addPromo, { image, title_en }, by)
  const before = await added()
  for (const [reply, field] of [
    [banner({ image: 'https://x.example/a.png' }), 'image'],
    [banner({ link: '//x.example' }), 'link'],
    [banner({ link: 'javascript:x()' }), 'link'],
    [promo('x', 'https://x.example/a.png'), 'image'],
    [promo(''), 'title_en'],
    [promo('x'.repeat(201)), 'title_en'],
  ] as const) {
    expect(await faultsOf(reply)).toEqual([field])
  }
  const nowhere = { id: 999_999, version: 1 }
  const saved = [
    await test.call(wire.saveBanner, { ...nowhere, image: IMAGE }, by),
    await test.call(wire.savePromo, { ...nowhere, image: PROMO, title_en: 'x' }, by),
  ]
  expect(saved.map(({ http }) => http)).toEqual([404, 404])
  expect(await added()).toEqual(before)
})

it('a picture of an editor becomes a wide one that is served', async () => {
  const by = await addStaff(test, 'editor')
  const send = async (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('file', new Blob([bytes]), 'banner.png')
    const init = { method: 'POST', headers: { Token: by.token }, body: form }
    return (await (await test.fetch(wire.uploadPicture.path, init)).json()) as {
      code: number
      data: { image: string; reason?: string }
    }
  }
  const { data } = await send(new Uint8Array(await picture('png', { width: 300, height: 100 })))
  const served = await test.fetch(data.image)
  const { width, height } = await sharp(await served.arrayBuffer()).metadata()
  expect([width, height]).toEqual([1_440, 456])

  const noPicture = await send(new Uint8Array([1, 2, 3]))
  expect(noPicture).toMatchObject({ code: 0, data: { reason: 'upload_not_an_image' } })
})

it('about is saved by language, made safe, shown at once, and never overwrites what another has saved', async () => {
  const by = await addStaff(test, 'editor')
  const shown = async () => (await test.call(aboutUs, { lang: 'ko' } as never)).data.about.content
  const save = (version: number, html: string) =>
    test.call(wire.saveAbout, { text_lang: 'ko', version, html }, by)
  await test.database.owner.query(`delete from content.about where lang = 'ko'`)
  const texts = (await test.call(wire.showAbout, {}, by)).data
  expect(texts.map(({ lang, version }) => [lang, version])).toContainEqual(['ko', 0])
  const { data: saved } = await save(0, '<p>소개<svg onload=x()></p>')
  expect(saved.find(({ lang }) => lang === 'ko')).toMatchObject({ version: 1, html: '<p>소개</p>' })
  expect(await shown()).toBe('<p>소개</p>')
  for (const stale of [0, 2]) {
    expect(await save(stale, '<p>x</p>')).toMatchObject({
      data: { reason: 'content_changed', by: by.login.name },
    })
  }
  await save(1, '<p>2</p>')
  expect(await shown()).toBe('<p>2</p>')
  expect(await faultsOf(save(2, '<script></script>'))).toEqual(['html'])
  expect(await loggedActions(test.database.db, 1)).toMatchObject([
    {
      action: 'about_saved',
      subject: 'about:ko',
      details: { before: '<p>소개</p>', after: '<p>2</p>' },
    },
  ])
})

it('a promo picture is added, titled in two languages, and hidden', async () => {
  const by = await addStaff(test, 'editor')
  const listed = async () => (await test.call(wire.listPromos, {}, by)).data
  const shown = async (lang: string) => (await test.call(promos, { lang } as never)).data
  const installed = await listed()
  const draft = { image: PROMO, shown: true, title_en: 'Play fair', title_ja: '公正に遊ぶ' }
  await test.call(wire.addPromo, draft, by)
  const added = (await listed()).at(-1)
  if (!added) return expect.fail('no promo picture was added')
  const { id } = added
  expect(added).toMatchObject({
    image: PROMO,
    version: 1,
    changed_by: by.login.name,
    titles: [
      { lang: 'en', title: 'Play fair' },
      { lang: 'ja', title: '公正に遊ぶ' },
    ],
    missing: ['zh', 'zh-TW', 'ko', 'vi', 'id'],
  })
  expect((await shown('ja')).at(-1)).toMatchObject({ id, title: '公正に遊ぶ' })
  expect((await shown('ko')).at(-1)).toMatchObject({ id, title: 'Play fair' })

  // A title that is left empty goes.
  const hidden = { id, version: 1, image: PROMO, title_en: 'Play fair' }
  await test.call(wire.savePromo, hidden, by)
  expect((await shown('en')).map((each) => each.id)).toEqual(installed.map((each) => each.id))
  const [changed, ...others] = (await listed()).toReversed()
  expect(changed?.titles).toEqual([{ lang: 'en', title: 'Play fair' }])
  expect(others.toReversed()).toEqual(installed)
  expect(await loggedActions(test.database.db, 1)).toMatchObject([
    {
      action: 'promo_changed',
      subject: `promo:${id}`,
      details: { before: { shown: true }, after: { shown: false } },
    },
  ])
})

it('two who add at once both add one, each noted as his own', async () => {
  const by = await addStaff(test, 'editor')
  const add = (title_en: string) => test.call(wire.addPromo, { image: PROMO, title_en }, by)
  const replies = await Promise.all([add('one'), add('another')])
  expect(replies.map(({ code }) => code)).toEqual([1, 1])
  const added = (await test.call(wire.listPromos, {}, by)).data.slice(-2)
  const logged = await loggedActions(test.database.db, 2)
  expect(logged.map(({ subject }) => subject).toSorted()).toEqual(
    added.map(({ id }) => `promo:${id}`).toSorted(),
  )
})
