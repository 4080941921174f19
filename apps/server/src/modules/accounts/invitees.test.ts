import { invitees, register } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { timeOf } from '#testing/product/play-round.ts'
import { registerMember, useWorkersApi } from '#testing/product/test-app.ts'

const test = useWorkersApi()

async function visitor(username: string, inviterId?: number) {
  const { data } = await test.call(register, {
    username,
    password: 'qwzxvk',
    group_id: 2,
    ...(inviterId ? { inviter_id: inviterId } : {}),
  })
  return data.userinfo
}

it('the list of invited players is shown only to the inviter, newest first, without names, page by page', async () => {
  const inviter = await registerMember(test, 'inviting')
  const other = await registerMember(test, 'not_inviting')
  const before = Math.floor((await timeOf(test)) / 1000)
  for (let n = 10; n < 15; n += 1) {
    await visitor(`brought_${n}`, inviter.id)
    await test.database.shiftClock(60_000)
  }
  await visitor('came_alone')

  const { data } = await test.call(invitees, {}, inviter)
  expect(data).toMatchObject({ total: 5, page: 1 })
  // The link leads to the registration, under the address that players open.
  expect(data.link).toMatch(new RegExp(`^http://[^/]+/register\\?inviter_id=${inviter.id}$`))
  // A room's feed has the masked names of the players: by one of them he could read a friend's bets.
  for (const row of data.list) expect(Object.keys(row)).toEqual(['createtime'])
  const times = data.list.map(({ createtime }) => createtime)
  expect(new Set(times).size).toBe(5)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(times[4]).toBeGreaterThanOrEqual(before)
  expect((await test.call(invitees, {}, other)).data).toMatchObject({ total: 0, list: [] })

  const page = async (number: number) =>
    (await test.call(invitees, { page: number, limit: 2 }, inviter)).data
  expect(await page(1)).toMatchObject({ total: 5, page: 1, list: data.list.slice(0, 2) })
  expect(await page(3)).toMatchObject({ total: 5, page: 3, list: data.list.slice(4) })
  expect(await page(4)).toMatchObject({ total: 5, page: 4, list: [] })
})
