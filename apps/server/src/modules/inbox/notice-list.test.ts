import { TRIES_FOR_MS } from '@sum28/contract/client.ts'
import { noticeList } from '@sum28/contract/index-routes.ts'
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { beginWithoutRetry } from '#testing/database/simultaneous-calls.ts'
import { shareTestDatabase, stopClock } from '#testing/database/test-database.ts'
import { serveForTest } from '#testing/product/served-routes.ts'
import { inboxModule } from './module.ts'
import { notify, unreadOf } from './notify.ts'

const database = shareTestDatabase()

it('messages beyond the first hundred stay unread until they are asked for by the last one before them', async () => {
  const { db, owner } = database
  const { call } = await serveForTest(inboxModule({ db, readAnnouncements: async () => [] }).routes)
  const player = await addPlayer(database, { name: 'reader' })
  const other = await addPlayer(database, { name: 'other' })
  for (const each of [player, other]) {
    await owner.query(
      `insert into inbox.message (player_id, kind, facts)
       select $1, 'withdrawal_requested', '{}' from generate_series(1, 130)`,
      [each],
    )
  }
  const page = async (before_id?: number) =>
    (await call(noticeList, before_id === undefined ? {} : { before_id }, player)).data.zhannei
  const first = await page()
  expect(first).toHaveLength(100)
  expect(await unreadOf(db, player)).toBe(30)
  const older = await page(first.at(-1)?.id)
  expect(older).toHaveLength(30)
  expect(older.every(({ read }) => !read)).toBe(true)
  const ids = [...first, ...older].map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
  expect(await page(older.at(-1)?.id)).toEqual([])
  expect(await unreadOf(db, player)).toBe(0)
  expect(await unreadOf(db, other)).toBe(99)
})

it('a message that comes while older and newer ones are listed stays unread', async () => {
  const { db, owner } = database
  const player = await addPlayer(database)
  const add = (to: Queryable) =>
    to.query(`insert into inbox.message (player_id, kind) values ($1, 'new_device')`, [player])
  await add(owner)
  const late = await beginWithoutRetry(owner)
  await add(late)
  await add(owner)
  const afterListing: typeof db = {
    ...db,
    async query(...statement: Parameters<typeof db.query>) {
      if (statement[0].includes('update inbox.message')) await late.commit()
      return (await db.query(...statement)) as never
    },
  }
  const { call } = await serveForTest(
    inboxModule({ db: afterListing, readAnnouncements: async () => [] }).routes,
  )
  expect((await call(noticeList, {}, player)).data.zhannei).toHaveLength(2)
  expect(await unreadOf(db, player)).toBe(1)
})

it('a listing that is repeated while its client goes on trying shows the same messages as unread', async () => {
  const { db, freezeClock } = database
  const { call } = await serveForTest(inboxModule({ db, readAnnouncements: async () => [] }).routes)
  const player = await addPlayer(database)
  const add = () => db.transaction((tx) => notify(tx, { playerId: player, kind: 'new_device' }))
  const read = async () =>
    (await call(noticeList, {}, player)).data.zhannei.map(({ read: isRead }) => isRead)
  await stopClock(database)
  const at = Date.UTC(2026, 10, 20)
  await freezeClock(at)
  await add()
  expect(await read()).toEqual([false])
  expect(await unreadOf(db, player)).toBe(0)
  await freezeClock(at + TRIES_FOR_MS)
  await add()
  expect(await read()).toEqual([false, false])
  await freezeClock(at + TRIES_FOR_MS + 1)
  expect(await read()).toEqual([false, true])
  await freezeClock(at + 2 * TRIES_FOR_MS + 1)
  expect(await read()).toEqual([true, true])
})
