/** The notices of each change of a player's protection, in the app and by mail. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import * as wire from '@sum28/contract/protection-routes.ts'
import { expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { queuedMails } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer, changePlayer } from '#testing/people/seated-player.ts'
import { expectSuccess, mailTo, useWorkersApp } from '#testing/product/test-app.ts'
import { notifyOfPossibleRaises } from './notify-of-limits.ts'
import { setLimit } from './protection-store.ts'

const test = useWorkersApp()

const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 20, 4)

it('each change is reported in the app and by mail, and is in the player’s own log', async () => {
  const player = await addSeatedPlayer(test.database, { name: 'protected' })
  const limit = { kind: 'deposit', period: 'day' } as const
  await test.call(wire.setLimit, { ...limit, money: '100' }, player)
  await test.call(wire.setLimit, { ...limit, money: '200' }, player)
  // As if he had made the request a day ago.
  await test.database.owner.query(
    `update protection.player_limit set raise_asked_at = raise_asked_at - interval '24 hours'
     where player_id = $1`,
    [player.id],
  )
  expectSuccess(await test.call(wire.confirmLimit, limit, player))
  await test.call(wire.setRealityCheck, { minutes: 30 }, player)
  await test.call(wire.takeBreak, { hours: 24 }, player)

  const expected = [
    'Your break has begun',
    'Your daily deposit limit was raised or removed',
    'You asked to raise or remove your daily deposit limit',
    'You have set your daily deposit limit to 100.00 u',
  ]
  const { data } = await test.call(noticeList, {}, player)
  const titles = data.zhannei.map(({ title }) => title)
  expect(titles.filter((title) => expected.includes(title))).toEqual(expected)
  const mailed = (title?: string) =>
    mailTo(test, 'protected@example.org', ({ subject }) => subject === title)
  const [ofBreak] = await Promise.all(expected.map(mailed))
  expect(ofBreak?.text).toContain('GMT+8')

  const { data: log } = await test.call(wire.protectionChanges, { page: 1, limit: 20 }, player)
  expect(log.list).toMatchObject([
    { what: 'time_out', kind: null },
    { what: 'check_set', before: null, after: '30' },
    { what: 'limit_raised', ...limit, before: '100.00', after: '200.00' },
    { what: 'limit_raise_asked', ...limit, before: '100.00', after: '200.00' },
    { what: 'limit_lowered', ...limit, before: null, after: '100.00' },
  ])
  expect(log.total).toBe(5)
  const second = await test.call(wire.protectionChanges, { page: 2, limit: 4 }, player)
  expect(second.data.list).toMatchObject([{ what: 'limit_lowered' }])
  const other = await addSeatedPlayer(test.database)
  expect((await test.call(wire.protectionChanges, {}, other)).data.total).toBe(0)
})

// When it is due: limit-raises.test.ts.
it('a higher limit that may be confirmed is announced once, in words of the player’s language', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const players = {
    english: ['en', 'monthly stake limit', 'Nov 28, 2026, 12:00 GMT+8'],
    chinese: ['zh-TW', '每月投注限額', '2026年11月28日 12:00 [GMT+8]'],
    vietnamese: ['vi', 'hạn mức cược theo tháng', '12:00 GMT+8 28 thg 11, 2026'],
  }
  await database.freezeClock(START)
  for (const [name, [lang]] of Object.entries(players)) {
    const playerId = await addPlayer(database, { name })
    await changePlayer(database, playerId, `lang = '${lang}'`)
    const limit = { playerId, kind: 'stake', period: 'month' } as const
    await setLimit(db, { ...limit, amount: 100_000_000n })
    await setLimit(db, { ...limit, amount: null })
  }
  await database.freezeClock(START + 30 * HOUR)
  for (const _twice of [1, 2]) await notifyOfPossibleRaises({ db, timeZone: 'Asia/Singapore' })
  // 24 hours and seven days after he asked, however late the notice is.
  const until = '2026-11-28T04:00:00.000Z'
  expect(
    await owner.column(`select facts from inbox.message where kind = 'limit_raise_possible'`),
  ).toEqual(
    Object.keys(players).map(() => ({ limit: 'stake.month', until, zone: 'Asia/Singapore' })),
  )
  const mails = await queuedMails({ owner })
  for (const [name, [, limit, end]] of Object.entries(players)) {
    const mail = mails.find((each) => each?.to === `${name}@example.org`)
    expect(mail?.subject).toContain(limit)
    expect(mail?.text).toContain(limit)
    expect(mail?.text).toContain(end)
  }
})
