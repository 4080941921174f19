/** Banners and the about page, as an editor changes them and players then see them. */
import { aboutUs, home } from '@sum28/contract/index-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { picture } from '#testing/requests/pictures.ts'

const app = useWorkersApp()

const IMAGE = '/banners/exact.svg'

it('banners are added, moved, hidden, and shown in their order', async () => {
  const test = app()
  const owner = await staffSession(test)
  const by = await addStaff(test, 'editor')
  const banners = async () => (await test.call(wire.listBanners, {}, by)).data
  const installed = (await banners()).map(({ id }) => id)
  await test.call(wire.addBanner, { image: IMAGE, link: '/rules', shown: true }, by)
  const added = (await banners()).at(-1)
  if (!added) return expect.fail('no banner was added')
  expect(added).toMatchObject({ image: IMAGE, link: '/rules', changed_by: by.login.name })

  const { id } = added
  for (const version of [1, 2]) {
    expect(await test.call(wire.raiseBanner, { id, version }, by)).toMatchObject({ code: 1 })
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
  expect(await test.call(wire.raiseBanner, { id, version: 3 }, by)).toMatchObject({
    data: { reason: 'content_changed' },
  })
  expect(await shown()).toEqual(installed)
  const { list } = (await test.call(listAuditRows, { limit: 2 }, owner)).data
  expect(list).toMatchObject([
    {
      ...{ action: 'banner_changed', subject: `banner:${id}` },
      details: { before: { shown: true }, after: { shown: false } },
    },
    { action: 'banner_raised', details: { before: { position: 3 }, after: { position: 2 } } },
  ])
})

it('the first banner stays the first, and none links out of the app', async () => {
  const test = app()
  const by = await addStaff(test, 'editor')
  const ids = async () => (await test.call(wire.listBanners, {}, by)).data.map(({ id }) => id)
  const before = await ids()
  const [first] = (await test.call(wire.listBanners, {}, by)).data
  if (!first) return expect.fail('no banner is installed')
  await test.call(wire.raiseBanner, { id: first.id, version: first.version }, by)
  expect(await ids()).toEqual(before)
  for (const wrong of [
    { image: 'https://x.example/a.png' },
    { image: IMAGE, link: '//x.example' },
    { image: IMAGE, link: 'javascript:x()' },
  ]) {
    expect(await test.call(wire.addBanner, wrong, by)).toMatchObject({ code: 400 })
  }
  expect(await test.call(wire.saveBanner, { id: 999, version: 1, image: IMAGE }, by)).toMatchObject(
    {
      http: 404,
    },
  )
  expect(await ids()).toEqual(before)
})

it('a picture of an editor becomes a wide one that is served', async () => {
  const test = app()
  const by = await addStaff(test, 'editor')
  const send = async (bytes: Uint8Array<ArrayBuffer>, token: string) => {
    const form = new FormData()
    form.set('file', new Blob([bytes]), 'banner.png')
    const init = { method: 'POST', headers: { Token: token }, body: form }
    return (await (await test.fetch(wire.uploadPicture.path, init)).json()) as {
      code: number
      data: { image: string; reason?: string }
    }
  }
  const { data } = await send(
    new Uint8Array(await picture('png', { width: 300, height: 100 })),
    by.token,
  )
  const served = await test.fetch(data.image)
  const { width, height } = await sharp(await served.arrayBuffer()).metadata()
  expect([width, height]).toEqual([1_440, 456])

  const noPicture = await send(new Uint8Array([1, 2, 3]), by.token)
  expect(noPicture).toMatchObject({ code: 0, data: { reason: 'upload_not_an_image' } })
  const { token } = await addStaff(test, 'auditor')
  expect(await send(new Uint8Array([1]), token)).toMatchObject({ code: 403 })
})

it('about is saved by language, made safe, shown at once, and never overwrites what another has saved', async () => {
  const test = app()
  const owner = await staffSession(test)
  const by = await addStaff(test, 'editor')
  const about = async (lang: string) =>
    (await test.call(aboutUs, { lang } as never)).data.about.content
  await test.database.owner.query(`delete from content.about where lang = 'ko'`)
  const texts = (await test.call(wire.showAbout, {}, by)).data
  expect(texts.map(({ lang, version }) => [lang, version])).toContainEqual(['ko', 0])
  const form = { text_lang: 'ko', html: '<p>소개<svg onload=x()></p>' } as const
  const { data: saved } = await test.call(wire.saveAbout, { ...form, version: 0 }, by)
  expect(saved.find(({ lang }) => lang === 'ko')).toMatchObject({ version: 1, html: '<p>소개</p>' })
  expect(await about('ko')).toBe('<p>소개</p>')
  for (const version of [0, 2]) {
    const stale = await test.call(wire.saveAbout, { ...form, version }, by)
    expect(stale).toMatchObject({ data: { reason: 'content_changed', by: by.login.name } })
  }
  await test.call(wire.saveAbout, { text_lang: 'ko', html: '<p>2</p>', version: 1 }, by)
  expect(await about('ko')).toBe('<p>2</p>')
  const empty = await test.call(
    wire.saveAbout,
    { ...form, html: '<script></script>', version: 2 },
    by,
  )
  expect(empty).toMatchObject({ code: 400, data: { fields: { html: expect.any(String) } } })
  const { list } = (await test.call(listAuditRows, { limit: 1 }, owner)).data
  expect(list).toMatchObject([
    {
      action: 'about_saved',
      subject: 'about:ko',
      details: { before: '<p>소개</p>', after: '<p>2</p>' },
    },
  ])
})
