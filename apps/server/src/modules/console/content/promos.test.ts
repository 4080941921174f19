/** Promo pictures, as an editor changes them and players then see them. */
import { promos } from '@sum28/contract/index-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { expect, it } from 'vitest'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'

const app = useWorkersApp()

const IMAGE = '/promos/check.svg'

it('a promo picture is added, titled in two languages, moved and hidden', async () => {
  const test = app()
  const owner = await staffSession(test)
  const by = await addStaff(test, 'editor')
  const listed = async () => (await test.call(wire.listPromos, {}, by)).data
  const shown = async (lang: string) => {
    const reply = await test.fetch(`${promos.path}?lang=${lang}`)
    const { data } = (await reply.json()) as { data: { id: number; title: string }[] }
    return data
  }
  const installed = (await listed()).map(({ id }) => id)
  const draft = { image: IMAGE, shown: true, title_en: 'Play fair', title_ja: '公正に遊ぶ' }
  await test.call(wire.addPromo, draft, by)
  const added = (await listed()).at(-1)
  if (!added) return expect.fail('no promo picture was added')
  const { id } = added
  expect(added).toMatchObject({
    ...{ image: IMAGE, version: 1, changed_by: by.login.name },
    titles: [
      { lang: 'en', title: 'Play fair' },
      { lang: 'ja', title: '公正に遊ぶ' },
    ],
    missing: ['zh', 'zh-TW', 'ko', 'vi', 'id'],
  })
  expect((await shown('ja')).at(-1)).toMatchObject({ id, title: '公正に遊ぶ' })
  expect((await shown('ko')).at(-1)).toMatchObject({ id, title: 'Play fair' })

  expect(await test.call(wire.raisePromo, { id, version: 1 }, by)).toMatchObject({ code: 1 })

  // A title that is left empty goes.
  const hidden = { id, version: 2, image: IMAGE, title_en: 'Play fair' }
  await test.call(wire.savePromo, hidden, by)
  expect((await shown('en')).map((each) => each.id)).toEqual(installed)
  expect((await listed()).find((each) => each.id === id)?.titles).toHaveLength(1)
  expect(await test.call(wire.savePromo, { ...hidden, shown: true }, by)).toMatchObject({
    code: 0,
    data: { reason: 'content_changed', by: by.login.name },
  })
  const { list } = (await test.call(listAuditRows, { limit: 2 }, owner)).data
  expect(list).toMatchObject([
    {
      ...{ action: 'promo_changed', subject: `promo:${id}` },
      details: { before: { shown: true }, after: { shown: false } },
    },
    { action: 'promo_raised', details: { before: { position: 4 }, after: { position: 3 } } },
  ])
})

it('a promo picture of another place, or without an English title, is refused', async () => {
  const test = app()
  const by = await addStaff(test, 'editor')
  const before = (await test.call(wire.listPromos, {}, by)).data
  for (const [wrong, field] of [
    [{ image: 'https://x.example/a.png', title_en: 'x' }, 'image'],
    [{ image: IMAGE, title_en: '' }, 'title_en'],
    [{ image: IMAGE, title_en: 'x'.repeat(201) }, 'title_en'],
  ] as const) {
    const reply = await test.call(wire.addPromo, wrong, by)
    expect(reply).toMatchObject({ http: 400, data: { reason: 'invalid_input' } })
    expect(reply.data).toHaveProperty(`fields.${field}`)
  }
  const nowhere = { id: 999_999, version: 1, image: IMAGE, title_en: 'x' }
  expect(await test.call(wire.savePromo, nowhere, by)).toMatchObject({ http: 404 })
  expect((await test.call(wire.listPromos, {}, by)).data).toEqual(before)
})

it('two who add at once both add one, each noted as his own', async () => {
  const test = app()
  const owner = await staffSession(test)
  const by = await addStaff(test, 'editor')
  await Promise.all(
    ['one', 'another'].map((title_en) => test.call(wire.addPromo, { image: IMAGE, title_en }, by)),
  )
  const rows = (await test.call(wire.listPromos, {}, by)).data.slice(-2)
  const { list } = (await test.call(listAuditRows, { limit: 2 }, owner)).data
  const noted = list.map(({ subject, details }) => [
    subject,
    (details.after as { titles: { title: string }[] }).titles[0]?.title,
  ])
  expect(noted.toSorted()).toEqual(
    rows.map(({ id, titles }) => [`promo:${id}`, titles[0]?.title]).toSorted(),
  )
})
