/** Setting a new password by a mailed code, over the API of the whole product. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { login, refresh, resetPassword, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { closeAccount } from '#src/modules/own-account/close-account.ts'
import { heldSince } from '#testing/people/seated-player.ts'
import {
  answerTo,
  cookieOf,
  mailedCode,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const NEW_PASSWORD = 'another long passphrase'

const test = useWorkersApi()

const signIn = (account: string, password: string, remember = false) =>
  test.call(login, { account, password, remember })

const reset = (email: string, captcha: string, newpassword = NEW_PASSWORD) =>
  test.call(resetPassword, { email, captcha, newpassword })

const REFUSED = (reason: string) => ({ http: 200, code: 0, data: { reason } })

/** Requests a code, and reads it in the mail. */
async function codeFor({ email }: TestMember): Promise<string> {
  await test.call(sendCode, { email, event: 'resetpwd' })
  return mailedCode(test, email)
}

describe('a mailed code', () => {
  it('sets a new password; every session and every remembered device ends; mail and app tell of it, and withdrawals are held', async () => {
    const member = await registerMember(test, 'forgetful')
    const remembered = await signIn(member.username, TEST_PASSWORD, true)
    const cookie = cookieOf(remembered)
    const reply = await reset(member.email.toUpperCase(), await codeFor(member))
    expect(reply).toMatchObject({ http: 200, code: 1, data: null })
    expect(reply.msg).toBe('Your new password is set. Please log in with it')

    for (const { token } of [member, remembered.data.userinfo]) {
      expect(await test.call(userInfo, {}, { token })).toMatchObject({ http: 401, code: 50012 })
    }
    expect(await test.call(refresh, {}, { headers: { Cookie: cookie } })).toMatchObject({
      http: 401,
    })
    expect(await answerTo(signIn(member.username, TEST_PASSWORD))).toBe('account_or_password_wrong')
    const again = await signIn(member.email, NEW_PASSWORD)
    const { zhannei } = (await test.call(noticeList, {}, again.data.userinfo)).data
    expect(zhannei.map(({ title }) => title)).toContain('Your password was changed')
    const mail = await mailTo(test, member.email, ({ subject }) => /was changed/.test(subject))
    expect(mail.text).not.toContain(NEW_PASSWORD)
    expect(await heldSince(test.database, member.id)).not.toBeNull()
  })

  it('sets none for a closed account', async () => {
    const member = await registerMember(test, 'closed_since')
    const code = await codeFor(member)
    await closeAccount(test.database.db, { playerId: member.id, session: null })
    expect(await reset(member.email, code)).toMatchObject(REFUSED('account_closed'))
  })

  it('is refused for a common or the present password, before anything ends or is held, and stays valid', async () => {
    const member = await registerMember(test, 'same_again')
    const code = await codeFor(member)
    expect(await reset(member.email, code, 'Password1')).toMatchObject(REFUSED('password_common'))
    expect(await reset(member.email, code, TEST_PASSWORD)).toMatchObject(REFUSED('password_same'))
    expect(await test.call(userInfo, {}, member)).toMatchObject({ code: 1 })
    expect(await heldSince(test.database, member.id)).toBeNull()
    expect(await reset(member.email, code)).toMatchObject({ code: 1 })
  })
})
