/** The security code through the API: set, changed, tried wrongly, locked. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { safetyInfo, setSafety, withdrawAction } from '@sum28/contract/money-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { setCode, TEST_CODE } from '#testing/cashier.ts'
import { createTestApp, eventually, registerMember } from '#testing/test-app.ts'

const OTHER_CODE = '314159'
const WRONG_CODE = '000000'
const DAY_MS = 86_400_000

describe('a security code', () => {
  it('is not set at first, then set once, and shown in the profile and the inbox', async () => {
    const test = await createTestApp()
    const ann = await registerMember(test, 'ann_lee')
    expect((await test.call(safetyInfo, {}, ann)).data).toEqual({ isTrue: false })
    expect((await test.call(userInfo, {}, ann)).data.is_safety).toBe(false)
    await setCode(test, ann)
    expect((await test.call(safetyInfo, {}, ann)).data).toEqual({ isTrue: true })
    expect((await test.call(userInfo, {}, ann)).data.is_safety).toBe(true)
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei).toMatchObject([{ title: 'Your security code was changed', read: false }])
    expect((await test.call(noticeList, {}, ann)).data.zhannei).toMatchObject([{ read: true }])
    await eventually(() => test.app.mails?.find(({ subject }) => /security code/.test(subject)))
  })

  it('is changed by who knows the old one, under either name, and by nobody else', async () => {
    const test = await createTestApp()
    const ann = await registerMember(test, 'ann_lee')
    await setCode(test, ann)
    const without = await test.call(setSafety, { new_code: OTHER_CODE }, ann)
    expect(without).toMatchObject({ code: 400, data: { fields: { old_code: 'is required' } } })
    const wrong = await test.call(setSafety, { new_code: OTHER_CODE, old_code: WRONG_CODE }, ann)
    expect(wrong).toMatchObject({ code: 0, data: { reason: 'security_code_wrong', tries_left: 4 } })
    const changed = await test.call(setSafety, { new_code: OTHER_CODE, old_code: TEST_CODE }, ann)
    expect(changed.code).toBe(1)
    const back = await test.call(setSafety, { new_code: TEST_CODE, after_code: OTHER_CODE }, ann)
    expect(back.code).toBe(1)
  })

  it('must be six digits and not the password', async () => {
    const test = await createTestApp()
    const ann = await registerMember(test, 'ann_lee')
    for (const new_code of ['12345', '1234567', '12345a', '１２３４５６', '']) {
      expect((await test.call(setSafety, { new_code }, ann)).code).toBe(400)
    }
    const visitor = await test.post('/api/user/register', {
      username: 'guest17',
      password: '271828',
      group_id: 2,
    })
    const { token } = (visitor.data as { userinfo: { token: string } }).userinfo
    const same = await test.call(setSafety, { new_code: '271828' }, { token })
    expect(same).toMatchObject({ code: 0, data: { reason: 'security_code_is_password' } })
  })

  it('is locked for 24 hours by the fifth wrong try in a row, many at once included', async () => {
    const test = await createTestApp()
    const ann = await registerMember(test, 'ann_lee')
    await setCode(test, ann)
    const guess = () => test.call(setSafety, { new_code: OTHER_CODE, old_code: WRONG_CODE }, ann)
    const replies = await Promise.all(Array.from({ length: 12 }, guess))
    const reasons = replies.map(({ data }) => (data as unknown as { reason: string }).reason)
    expect(reasons.filter((reason) => reason === 'security_code_wrong')).toHaveLength(4)
    expect(reasons.filter((reason) => reason === 'security_code_locked')).toHaveLength(8)
    const right = () => test.call(setSafety, { new_code: OTHER_CODE, old_code: TEST_CODE }, ann)
    expect(await right()).toMatchObject({ code: 0, data: { reason: 'security_code_locked' } })
    await test.database.shiftClock(DAY_MS - 60_000)
    const again = await test.call(
      setSafety,
      { new_code: OTHER_CODE, old_code: TEST_CODE },
      { token: await freshToken(test, ann.username) },
    )
    expect(again).toMatchObject({ code: 0, data: { reason: 'security_code_locked' } })
    await test.database.shiftClock(2 * 60_000)
    const unlocked = await test.call(
      setSafety,
      { new_code: OTHER_CODE, old_code: TEST_CODE },
      { token: await freshToken(test, ann.username) },
    )
    expect(unlocked.code).toBe(1)
  })

  it('counts wrong tries in a row only', async () => {
    const test = await createTestApp()
    const ann = await registerMember(test, 'ann_lee')
    await setCode(test, ann)
    for (let round = 0; round < 3; round++) {
      for (let wrong = 0; wrong < 4; wrong++) {
        await test.call(setSafety, { new_code: TEST_CODE, old_code: WRONG_CODE }, ann)
      }
      const right = await test.call(setSafety, { new_code: TEST_CODE, old_code: TEST_CODE }, ann)
      expect(right.code).toBe(1)
    }
  })

  it('is asked for before a withdrawal is looked at, and its absence is said', async () => {
    const test = await createTestApp()
    const ann = await registerMember(test, 'ann_lee')
    const asked = { type: 1, money: '100', security_code: TEST_CODE }
    expect(await test.call(withdrawAction, asked, ann)).toMatchObject({
      data: { reason: 'pay_method_missing' },
    })
  })
})

async function freshToken(
  test: Awaited<ReturnType<typeof createTestApp>>,
  account: string,
): Promise<string> {
  const reply = await test.post('/api/user/login', {
    account,
    password: 'a long enough passphrase',
  })
  return (reply.data as { userinfo: { token: string } }).userinfo.token
}
