/** Actions of staff on a player: who may do them, their result, and their record. */

import { noticeList } from '@sum28/contract/index-routes.ts'
import { protectionChanges } from '@sum28/contract/protection-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as wire from '@sum28/contract/staff-players-routes.ts'
import { login, userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import {
  answerTo,
  expectSuccess,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  useWorkersApp,
} from '#testing/product/test-app.ts'

const test = useWorkersApp()

const SIGNED_OUT = { http: 401, code: 50012, data: { reason: 'session_replaced' } }

it('a player whose sessions were ended is signed out, and may sign in again', async () => {
  const [owner, support] = [await staffSession(test), await addStaff(test, 'support')]
  const ann = await registerMember(test, 'ended_ann')
  const request = { user_id: ann.id, reason: 'a lost phone' }
  expectSuccess(await test.call(wire.endSessions, request, support))
  expect(await test.call(userInfo, {}, ann)).toMatchObject(SIGNED_OUT)
  const again = await test.call(login, { account: 'ended_ann', password: TEST_PASSWORD })
  const { list: log } = (await test.call(protectionChanges, {}, again.data.userinfo)).data
  expect(log).toMatchObject([{ what: 'signed_out' }])
  const { data: page } = await test.call(wire.onePlayer, { user_id: ann.id }, support)
  expect(page.sessions.map(({ ended_by: by }) => by)).toEqual([null, 'staff'])
  const { list } = (await test.call(wire.playerActions, { user_id: ann.id }, owner)).data
  expect(list).toMatchObject([
    {
      action: 'player_sessions_ended',
      staff: support.login.name,
      subject: `player:${ann.id}`,
      details: { reason: 'a lost phone' },
    },
  ])
})

it('a message is in the player’s inbox as it was written, and in a mail', async () => {
  const support = await addStaff(test, 'support')
  const cat = await registerMember(test, 'told_cat')
  const text = 'Your {card} <b>has</b> changed.'
  expectSuccess(await test.call(wire.sendMessage, { user_id: cat.id, text }, support))
  expect((await test.call(noticeList, {}, cat)).data.zhannei).toMatchObject([
    {
      title: 'A message from support',
      content: expect.stringMatching(
        /^<p>Your {card} &lt;b&gt;has&lt;\/b&gt; changed. \(Support never asks/,
      ),
      read: false,
    },
  ])
  const mail = await mailTo(test, cat.email, ({ subject }) => /support/.test(subject))
  expect(mail.text).toContain(text)
  // Support sees what was sent, and that it was read.
  const { list } = (await test.call(wire.playerMessages, { user_id: cat.id }, support)).data
  expect(list).toMatchObject([
    { title: 'A message from support', text: expect.stringContaining(text), read: true },
  ])
  const other = await addPlayer(test.database, { u: 0 })
  expect((await test.call(wire.playerMessages, { user_id: other }, support)).data.list).toEqual([])
  const robot = await addPlayer(test.database, { u: 0, robot: true })
  expect(await test.call(wire.sendMessage, { user_id: robot, text }, support)).toMatchObject({
    http: 404,
    data: { reason: 'not_found', field: 'user_id' },
  })
})

it('during a break a message needs a purpose, which the audit log has', async () => {
  const support = await addStaff(test, 'support')
  const player = await registerMember(test)
  const message = { user_id: player.id, text: 'We miss you.' }
  const stopped = async () =>
    (await test.call(wire.onePlayer, { user_id: player.id }, support)).data.no_advertising
  expect(await stopped()).toBe(false)
  expectSuccess(await test.call(wire.sendMessage, message, support))
  await exclude(test.database.db, { playerId: player.id, kind: 'time_out', lasting: '24 hours' })
  expect(await stopped()).toBe(true)
  expect(await answerTo(test.call(wire.sendMessage, message, support))).toBe('excluded')
  const answer = { ...message, text: 'Your withdrawal is paid.', purpose: 'account' as const }
  expectSuccess(await test.call(wire.sendMessage, answer, support))
  const about = { what: 'player_told', subject: `player:${player.id}` }
  const { list } = (await test.call(listAuditRows, about, await staffSession(test))).data
  expect(list[0]?.details).toEqual({ text: answer.text, purpose: 'account' })
})

it('a template has a text in each language, is changed by one person at a time, removed, and in the audit log', async () => {
  const [owner, support] = [await staffSession(test), await addStaff(test, 'support')]
  const finance = await addStaff(test, 'finance')
  const listed = async () => (await test.call(wire.listTemplates, {}, finance)).data
  const form = {
    name: 'Card',
    text_en: 'Your <b>{card}</b> is held.',
    text_ja: 'カードを確認中です。',
  }
  expectSuccess(await test.call(wire.saveTemplate, form, support))
  const [made] = await listed()
  if (!made) return expect.fail('no template was made')
  const { id, changed_by: by, missing, texts } = made
  expect([by, missing]).toEqual([support.login.name, ['zh', 'zh-TW', 'ko', 'vi', 'id']])
  expect(texts).toEqual([
    { lang: 'en', text: form.text_en },
    { lang: 'ja', text: form.text_ja },
  ])

  // A language that is left empty goes; one who began from the version before changes nothing.
  const shorter = { id, version: 1, name: 'Card', text_en: 'Your card is held.', text_ja: ' ' }
  const both = await Promise.all([
    test.call(wire.saveTemplate, shorter, owner),
    test.call(wire.saveTemplate, shorter, support),
  ])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(both.find(({ code }) => code === 0)?.data).toMatchObject({ reason: 'content_changed' })
  expect(await listed()).toMatchObject([{ version: 2, texts: [{ lang: 'en' }] }])
  for (const route of [wire.saveTemplate, wire.removeTemplate]) {
    const stale = await test.call(route, { ...shorter, version: 1 }, owner)
    expect(stale).toMatchObject({ code: 0, data: { reason: 'content_changed' } })
    const unknown = await test.call(route, { ...shorter, id: 999, version: 1 }, owner)
    expect(unknown).toMatchObject({ http: 404, data: { field: 'id' } })
  }
  expectSuccess(await test.call(wire.removeTemplate, { id, version: 2 }, owner))
  expect(await listed()).toEqual([])
  const { list } = (await test.call(listAuditRows, { subject: `template:${id}` }, owner)).data
  expect(list).toMatchObject([
    { action: 'template_removed', details: { before: { name: 'Card' }, after: null } },
    { action: 'template_saved', details: { after: { en: 'Your card is held.' } } },
    { action: 'template_saved', details: { before: null, after: { ja: 'カードを確認中です。' } } },
  ])

  await test.database.owner.query(
    `with made as (
       insert into console_players.template (name, changed_by, changed_at)
       select 'No ' || number, 1, app.now() from generate_series(1, 100) number returning id)
     insert into console_players.template_text select id, 'en', 'Hello' from made`,
  )
  expect(await test.call(wire.saveTemplate, form, owner)).toMatchObject({
    code: 400,
    data: { fields: { name: expect.stringContaining('more than there may be') } },
  })
})
