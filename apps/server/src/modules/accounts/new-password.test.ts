/** A new password, for a player who knows the old one or has a mailed code: what it ends, and when it is refused. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { newPass } from '@sum28/contract/money-routes.ts'
import { login, refresh, resetPassword, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { closeAccount } from '#src/modules/own-account/close-account.ts'
import { heldSince, setTimesToday } from '#testing/people/seated-player.ts'
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
import { PASSWORD_CHANGES_A_DAY } from './change-password.ts'

const NEW_PASSWORD = 'another long passphrase'

const test = useWorkersApi()

const signIn = (account: string, password: string) =>
  test.call(login, { account, password, remember: true })

const signInAnswer = (account: string, password: string) => answerTo(signIn(account, password))

/** A member, and another device of his that is remembered. */
async function withOtherDevice() {
  const member = await registerMember(test)
  const remembered = await signIn(member.username, TEST_PASSWORD)
  const cookie = cookieOf(remembered)
  expect(cookie).toMatch(/^remember=/)
  const recall = async () => (await test.call(refresh, {}, { headers: { cookie } })).code
  return { member, other: remembered.data.userinfo, recall }
}

/** 1, or the code by which a session is refused. */
const sessionOf = async (who: { token: string }) => (await test.call(userInfo, {}, who)).code

describe('a new password', () => {
  /** The answer to a change. */
  const changeOf = (member: TestMember) => (old_pass: string, new_pass: string) =>
    answerTo(test.call(newPass, { old_pass, new_pass }, member))

  it('needs the old one, ends every other session and remembered device, and is the one that signs in', async () => {
    const { member, other, recall } = await withOtherDevice()
    expect(await changeOf(member)('not the old one', NEW_PASSWORD)).toBe('old_password_wrong')
    expect(await sessionOf(other)).toBe(1)

    const right = { old: TEST_PASSWORD, new: NEW_PASSWORD }
    expect(await answerTo(test.call(newPass, right, member))).toBe('done')
    expect([await sessionOf(member), await sessionOf(other)]).toEqual([1, 50012])
    expect(await recall()).toBe(50008)
    expect(await signInAnswer(member.username, TEST_PASSWORD)).toBe('account_or_password_wrong')
    expect(await signInAnswer(member.username, NEW_PASSWORD)).toBe('done')
  })

  it('can be set a limited number of times a day, and a refused change changes nothing', async () => {
    const ann = await registerMember(test)
    const change = changeOf(ann)
    expect(await change(TEST_PASSWORD, NEW_PASSWORD)).toBe('done')
    const times = PASSWORD_CHANGES_A_DAY - 1
    await setTimesToday(test.database, { playerId: ann.id, event: 'passwords', times })
    expect(await change(NEW_PASSWORD, 'the last of the day')).toBe('done')
    expect(await change('the last of the day', 'one more')).toBe('too_many_requests')
    expect(await signInAnswer(ann.username, 'one more')).toBe('account_or_password_wrong')
    expect(await signInAnswer(ann.username, 'the last of the day')).toBe('done')
    const told = `select from inbox.message where player_id = $1 and kind = 'password_changed'`
    expect(await test.database.owner.query(told, [ann.id])).toHaveLength(2)
  })

  it('that equals the old one, is too short or common is refused, before anything ends or is held', async () => {
    const { member, other } = await withOtherDevice()
    const change = changeOf(member)
    expect(await change(TEST_PASSWORD, TEST_PASSWORD)).toBe('password_same')
    expect(await change(TEST_PASSWORD, 'short')).toBe('invalid_input')
    expect(await change(TEST_PASSWORD, 'password123')).toBe('password_common')
    // Without the old password the caller does not learn whether the new one equals it.
    expect(await change('something else', TEST_PASSWORD)).toBe('old_password_wrong')
    expect(await sessionOf(other)).toBe(1)
    expect(await heldSince(test.database, member.id)).toBeNull()
    const { zhannei } = (await test.call(noticeList, {}, member)).data
    expect(zhannei).toMatchObject([{ title: 'Login on a new device' }])
  })
})

describe('a mailed code', () => {
  const reset = (email: string, captcha: string, newpassword = NEW_PASSWORD) =>
    test.call(resetPassword, { email, captcha, newpassword })

  /** Requests a code, and reads it in the mail. */
  async function codeFor({ email }: TestMember): Promise<string> {
    await test.call(sendCode, { email, event: 'resetpwd' })
    return mailedCode(test, email)
  }

  it('sets a new password; every session and every remembered device ends; mail and app tell of it, and withdrawals are held', async () => {
    const { member, other, recall } = await withOtherDevice()
    const reply = await reset(member.email.toUpperCase(), await codeFor(member))
    expect(reply).toMatchObject({ http: 200, code: 1, data: null })
    expect(reply.msg).toBe('Your new password is set. Please log in with it')
    expect([await sessionOf(member), await sessionOf(other)]).toEqual([50012, 50012])
    expect(await recall()).toBe(50008)
    expect(await signInAnswer(member.username, TEST_PASSWORD)).toBe('account_or_password_wrong')
    const again = await signIn(member.email, NEW_PASSWORD)
    const { zhannei } = (await test.call(noticeList, {}, again.data.userinfo)).data
    expect(zhannei.map(({ title }) => title)).toContain('Your password was changed')
    const mail = await mailTo(test, member.email, ({ subject }) => /was changed/.test(subject))
    expect(mail.text).not.toContain(NEW_PASSWORD)
    expect(await heldSince(test.database, member.id)).not.toBeNull()
  })

  it('sets none for a closed account', async () => {
    const member = await registerMember(test)
    const code = await codeFor(member)
    await closeAccount(test.database.db, { playerId: member.id, session: null })
    expect(await answerTo(reset(member.email, code))).toBe('account_closed')
  })

  it('is refused for a common or the present password, before anything ends or is held, and stays valid', async () => {
    const member = await registerMember(test)
    const code = await codeFor(member)
    expect(await answerTo(reset(member.email, code, 'Password1'))).toBe('password_common')
    expect(await answerTo(reset(member.email, code, TEST_PASSWORD))).toBe('password_same')
    expect(await sessionOf(member)).toBe(1)
    expect(await heldSince(test.database, member.id)).toBeNull()
    expect(await answerTo(reset(member.email, code))).toBe('done')
  })
})
