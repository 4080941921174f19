import { noticeList } from '@sum28/contract/index-routes.ts'
import { newPass } from '@sum28/contract/money-routes.ts'
import { login, refresh, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { heldSince } from '#testing/people/seated-player.ts'
import {
  answerTo,
  cookieOf,
  expectSuccess,
  registerMember,
  TEST_PASSWORD,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { PASSWORD_CHANGES_A_DAY } from './change-password.ts'

const NEW_PASSWORD = 'another long passphrase'

const test = useWorkersApi()

describe('a new password', () => {
  it('needs the old one, ends every other session and remembered device, and is the one that signs in', async () => {
    const ann = await registerMember(test)
    const signIn = (password: string) =>
      test.call(login, { account: ann.username, password, remember: true })
    const remembered = await signIn(TEST_PASSWORD)
    const cookie = cookieOf(remembered)
    expect(cookie).toMatch(/^remember=/)
    const other = remembered.data.userinfo

    const wrong = { old_pass: 'not the old one', new_pass: NEW_PASSWORD }
    expect(await answerTo(test.call(newPass, wrong, ann))).toBe('old_password_wrong')
    expectSuccess(await test.call(userInfo, {}, other))

    const right = { old: TEST_PASSWORD, new: NEW_PASSWORD }
    expectSuccess(await test.call(newPass, right, ann))
    expectSuccess(await test.call(userInfo, {}, ann))
    expect((await test.call(userInfo, {}, other)).code).toBe(50012)
    expect((await test.call(refresh, {}, { headers: { cookie } })).code).toBe(50008)
    expect((await signIn(TEST_PASSWORD)).code).toBe(0)
    expectSuccess(await signIn(NEW_PASSWORD))
  })

  it('can be set a limited number of times a day, and a refused change changes nothing', async () => {
    const ann = await registerMember(test)
    const change = (old_pass: string, new_pass: string) =>
      answerTo(test.call(newPass, { old_pass, new_pass }, ann))
    expect(await change(TEST_PASSWORD, NEW_PASSWORD)).toBe('done')
    await test.database.owner.query(
      `update accounts.counter set tries = $1 where key = sha256(('passwords of ' || $2)::bytea)`,
      [PASSWORD_CHANGES_A_DAY - 1, String(ann.id)],
    )
    expect(await change(NEW_PASSWORD, 'the last of the day')).toBe('done')
    expect(await change('the last of the day', 'one more')).toBe('too_many_requests')
    const signIn = (password: string) =>
      answerTo(test.call(login, { account: ann.username, password }))
    expect(await signIn('one more')).toBe('account_or_password_wrong')
    expect(await signIn('the last of the day')).toBe('done')
    const told = `select from inbox.message where player_id = $1 and kind = 'password_changed'`
    expect(await test.database.owner.query(told, [ann.id])).toHaveLength(2)
  })

  it('that equals the old one is refused before anything ends or is held', async () => {
    const ann = await registerMember(test)
    const signIn = { account: ann.username, password: TEST_PASSWORD }
    const other = (await test.call(login, signIn)).data.userinfo
    const same = { old_pass: TEST_PASSWORD, new_pass: TEST_PASSWORD }
    expect(await answerTo(test.call(newPass, same, ann))).toBe('password_same')
    expectSuccess(await test.call(userInfo, {}, other))
    expect(await heldSince(test.database, ann.id)).toBeNull()
    expect((await test.call(noticeList, {}, ann)).data.zhannei).toMatchObject([
      { title: 'Login on a new device' },
    ])
    // Without the old password the caller does not learn whether the new one equals it.
    const guess = { old_pass: 'something else', new_pass: TEST_PASSWORD }
    expect(await answerTo(test.call(newPass, guess, ann))).toBe('old_password_wrong')
  })

  it('that is too short or common is refused', async () => {
    const ann = await registerMember(test)
    const change = (new_pass: string) =>
      answerTo(test.call(newPass, { old_pass: TEST_PASSWORD, new_pass }, ann))
    expect(await change('short')).toBe('invalid_input')
    expect(await change('password123')).toBe('password_common')
  })
})
