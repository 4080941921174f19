/** Closing an account by the player's calls: he proves who he is, and can sign in nowhere afterwards. */
import { closeAccount, closing } from '@sum28/contract/own-routes.ts'
import { login, refresh, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { memberWithMoney, TEST_CODE } from '#testing/people/cashier.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import {
  answerTo,
  cookieOf,
  expectSuccess,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const password = TEST_PASSWORD

const test = useWorkersApi()

describe('a player who closes his account', () => {
  it('proves his password, is notified by mail, and can sign in nowhere again', async () => {
    const member = await registerMember(test)
    const { username: account } = member
    const remembered = await test.call(login, { account, password, remember: true })
    const cookie = cookieOf(remembered)
    const { userinfo: other } = remembered.data

    const { data } = await test.call(closing, {}, member)
    const { closedKeptDays: kept_days } = test.config
    expect(data).toMatchObject({ may_close: true, balance: '0.00', kept_days })
    const close = (given: string) => test.call(closeAccount, { password: given }, member)
    expect(await answerTo(close('not the password'))).toBe('password_wrong')
    expectSuccess(await test.call(userInfo, {}, other))

    expectSuccess(await close(password))
    for (const reply of [
      await test.call(userInfo, {}, member),
      await test.call(userInfo, {}, other),
      // So who closes it again, because the reply was lost, learns that it is closed.
      await close(password),
    ]) {
      expect(reply).toMatchObject({ code: 50012, data: { cause: 'account_closed' } })
    }
    expect((await test.call(refresh, {}, { headers: { cookie } })).code).toBe(50008)
    expect(await answerTo(test.call(login, { account, password }))).toBe('account_closed')
    // Without the password the caller learns nothing.
    const guess = { account, password: 'a guess of mine' }
    expect(await answerTo(test.call(login, guess))).toBe('account_or_password_wrong')
    await mailTo(test, member.email, ({ subject }) => /account is closed/i.test(subject))
    const logged = 'select what from protection.change where player_id = $1'
    expect(await test.database.owner.column(logged, [member.id])).toEqual(['account_closed'])
  })

  it('proves his security code if the rest is paid out, and cannot close the account without it', async () => {
    const member = await memberWithMoney(test, 'closing_with_rest', 5)
    await changePlayer(test.database, member.id, 'sensitive_changed_at = null')
    const close = (security_code?: string) =>
      test.call(closeAccount, { password, pay_id: member.payId, security_code }, member)
    expect(await close()).toMatchObject({ code: 400 })
    expect(await answerTo(close('314159'))).toBe('security_code_wrong')
    expectSuccess(await test.call(userInfo, {}, member))
    expect(await answerTo(close(TEST_CODE))).toBe('done')
    expect((await test.call(userInfo, {}, member)).code).toBe(50012)
    const requested = 'select amount, state from withdrawals.withdrawal where player_id = $1'
    expect(await test.database.owner.query(requested, [member.id])).toEqual([
      { amount: 5_000_000n, state: 'waiting' },
    ])
  })
})
