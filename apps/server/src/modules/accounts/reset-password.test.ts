/** Setting a new password by a mailed code, over the API of the whole product. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { withdrawInfo } from '@sum28/contract/money-routes.ts'
import { login, refresh, resetPassword, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { timeOf } from '#testing/product/play-round.ts'
import {
  codesTo,
  eventually,
  mailedCode,
  mailsOf,
  mailTo,
  type Reply,
  registerMember,
  shareTestApp,
  TEST_PASSWORD,
  type TestApp,
  type TestMember,
} from '#testing/product/test-app.ts'

const NEW_PASSWORD = 'another long passphrase'

const app = shareTestApp({ WITHDRAWAL_HOLD_HOURS: '24' })

const comparableReply = ({ http, code, msg, data, headers }: Reply<unknown>) => ({
  http,
  code,
  msg,
  data,
  names: [...headers.keys()].sort(),
})

const signIn = (account: string, password: string, remember = false) =>
  app().call(login, { account, password, remember })

const reset = (email: string, captcha: string, newpassword = NEW_PASSWORD) =>
  app().call(resetPassword, { email, captcha, newpassword })

const REFUSED = (reason: string) => ({ http: 200, code: 0, data: { reason } })

const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')

/** Ages the codes of an address by this many seconds. */
async function ageCodes(test: TestApp, email: string, seconds: number) {
  await test.database.owner.query(
    `update accounts.email_code set created_at = created_at - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2) where email_key = $1`,
    [email, seconds],
  )
}

/** Requests a code, a minute after the last, and reads it in the mail. */
async function codeFor({ email }: TestMember, lang = 'en'): Promise<string> {
  await ageCodes(app(), email, 61)
  const mails = async () => (await codesTo(app(), email)).length
  const before = await mails()
  await app().call(sendCode, { email, event: 'resetpwd', lang } as never)
  await eventually(async () => (await mails()) > before || undefined)
  return mailedCode(app(), email)
}

describe('a mailed code', () => {
  it('sets a new password; every session and every remembered device ends', async () => {
    const member = await registerMember(app(), 'forgetful')
    const remembered = await signIn(member.username, TEST_PASSWORD, true)
    const cookie = (remembered.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    const reply = await reset(member.email.toUpperCase(), await codeFor(member))
    expect(reply).toMatchObject({ http: 200, code: 1, data: null })
    expect(reply.msg).toBe('Your new password is set. Please log in with it')

    for (const { token } of [member, remembered.data.userinfo]) {
      expect(await app().call(userInfo, {}, { token })).toMatchObject({ http: 401, code: 50012 })
    }
    expect(await app().call(refresh, {}, { headers: { Cookie: cookie } })).toMatchObject({
      http: 401,
    })
    expect(await signIn(member.username, TEST_PASSWORD)).toMatchObject(
      REFUSED('account_or_password_wrong'),
    )
    expect(await signIn(member.email, NEW_PASSWORD)).toMatchObject({ code: 1 })
  })

  it('is reported by mail and in the app, and holds withdrawals', async () => {
    const member = await registerMember(app(), 'told_of_it')
    await reset(member.email, await codeFor(member))
    const { token } = (await signIn(member.username, NEW_PASSWORD)).data.userinfo
    const { zhannei } = (await app().call(noticeList, {}, { token })).data
    expect(zhannei.map(({ title }) => title)).toContain('Your password was changed')
    const mail = await mailTo(app(), member.email, ({ subject }) => /was changed/.test(subject))
    expect(mail.text).not.toContain(NEW_PASSWORD)
    const { hold_until } = (await app().call(withdrawInfo, {}, { token })).data
    expect(hold_until).toBeGreaterThan((await timeOf(app())) / 1000 + 23 * 3_600)
  })

  it('stays valid when the password is a common one, or too short', async () => {
    const member = await registerMember(app(), 'common_choice')
    const code = await codeFor(member)
    expect(await reset(member.email, code, 'Password1')).toMatchObject(REFUSED('password_common'))
    expect(await reset(member.email, code, 'seven77')).toMatchObject({
      http: 400,
      data: { fields: { newpassword: 'This must have at least 8 characters' } },
    })
    expect(await reset(member.email, code)).toMatchObject({ code: 1 })
  })

  it('is refused for the present password, before anything ends or is held', async () => {
    const member = await registerMember(app(), 'same_again')
    const code = await codeFor(member)
    expect(await reset(member.email, code, TEST_PASSWORD)).toMatchObject(REFUSED('password_same'))
    expect(await app().call(userInfo, {}, member)).toMatchObject({ code: 1 })
    expect((await app().call(withdrawInfo, {}, member)).data.hold_until).toBeNull()
    expect(await reset(member.email, code)).toMatchObject({ code: 1 })
  })

  it('may be sent as a number', async () => {
    const member = await registerMember(app(), 'number_code')
    const captcha = Number(await codeFor(member))
    const body = { email: member.email, captcha, newpassword: NEW_PASSWORD }
    expect(await app().post('/api/user/resetpwd', body)).toMatchObject({ code: 1 })
  })
})

describe('a person without an account', () => {
  it('gets the same answers as one with an account: to requesting a code, and to guessing it', async () => {
    const member = await registerMember(app(), 'has_account')
    await ageCodes(app(), member.email, 61)
    const nobody = 'has_no_account@example.org'
    const both = async (call: (email: string) => Promise<Reply<unknown>>) => {
      const [known, unknown] = [
        comparableReply(await call(member.email)),
        comparableReply(await call(nobody)),
      ]
      expect(unknown).toEqual(known)
      return known
    }
    await both((email) => reset(email, '123456'))
    await both((email) => app().call(sendCode, { email, event: 'resetpwd' }))
    const right = await mailedCode(app(), member.email)
    expect((await mailsOf(app())).find(({ to }) => to === nobody)).toBeUndefined()
    for (let tries = 0; tries < 7; tries += 1) {
      await both((email) => reset(email, otherThan(right)))
    }
    await both((email) => reset(email, right, 'password'))
    await both((email) => reset(email, 'letter'))
  })
})
