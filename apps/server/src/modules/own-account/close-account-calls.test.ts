/** Closing an account by the player's calls: he proves who he is, and can sign in nowhere afterwards. */
import { setSafety } from '@sum28/contract/money-routes.ts'
import { closeAccount as closeRoute, closing } from '@sum28/contract/own-routes.ts'
import { prove } from '@sum28/contract/passkey-routes.ts'
import { login, refresh, userInfo } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '#src/modules/accounts/password.ts'
import { addMemberWithData } from '#testing/people/member-with-data.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import {
  expectSuccess,
  mailTo,
  TEST_PASSWORD,
  type TestApp,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const U = MICRO
const password = TEST_PASSWORD

/** A member who can sign in. */
async function memberWith({ database }: TestApp, { u = 0 } = {}): Promise<number> {
  return addMemberWithData(database, { u, passwordHash: await hashPassword(password) })
}

const test = useWorkersApi()

describe('a player who closes his account', () => {
  it('proves his password, is notified by mail, and can sign in nowhere again', async () => {
    const id = await memberWith(test)
    const account = 'mai_tran_0'
    const loginReply = await test.call(login, { account, password, remember: true })
    const { token } = loginReply.data.userinfo
    const cookie = loginReply.headers.get('set-cookie')?.split(';')[0] ?? ''
    const other = (await test.call(login, { account, password })).data.userinfo

    const { data } = await test.call(closing, {}, { token })
    expect(data).toMatchObject({
      may_close: true,
      balance: '0.00',
      kept_days: test.config.closedKeptDays,
    })
    const wrong = await test.call(closeRoute, { password: 'not the password' }, { token })
    expect(wrong.data).toMatchObject({ reason: 'password_wrong' })
    expectSuccess(await test.call(userInfo, {}, other))

    expectSuccess(await test.call(closeRoute, { password }, { token }))
    for (const each of [{ token }, other]) {
      expect(await test.call(userInfo, {}, each)).toMatchObject({
        code: 50012,
        data: { cause: 'account_closed' },
      })
    }
    // So who closes it again, because the reply was lost, learns that it is closed.
    expect(await test.call(closeRoute, { password }, { token })).toMatchObject({
      code: 50012,
      data: { cause: 'account_closed' },
    })
    expect((await test.call(refresh, {}, { headers: { cookie } })).code).toBe(50008)
    expect((await test.call(login, { account, password })).data).toMatchObject({
      reason: 'account_closed',
    })
    // Without the password the caller learns nothing.
    expect((await test.call(login, { account, password: 'a guess of mine' })).data).toMatchObject({
      reason: 'account_or_password_wrong',
    })
    await mailTo(test, `${account}@example.org`, ({ text }) => /đóng tài khoản/.test(text))
    const [change] = await test.database.owner.query(
      'select what from protection.change where player_id = $1',
      [id],
    )
    expect(change).toEqual({ what: 'account_closed' })
  })

  it('proves his security code if the rest is paid out, and cannot close the account without it', async () => {
    const id = await memberWith(test, { u: 5 })
    const { token } = (await test.call(login, { account: 'mai_tran_5', password })).data.userinfo
    const { owner } = test.database
    await owner.query('delete from accounts.security_code where player_id = $1', [id])
    const caller = { token }
    await test.call(prove, { password }, caller)
    expectSuccess(await test.call(setSafety, { new_code: '271828' }, caller))
    await changePlayer({ owner }, id, 'sensitive_changed_at = null')
    const method = await owner.value<number>(
      'select id from withdrawals.pay_method where player_id = $1',
      [id],
    )
    const request = { password, pay_id: method }
    expect(await test.call(closeRoute, request, caller)).toMatchObject({ code: 400 })
    expect(
      (await test.call(closeRoute, { ...request, security_code: '314159' }, caller)).data,
    ).toMatchObject({ reason: 'security_code_wrong' })
    expectSuccess(await test.call(userInfo, {}, caller))
    expect(
      (await test.call(closeRoute, { ...request, security_code: '271828' }, caller)).code,
    ).toBe(1)
    expect((await test.call(userInfo, {}, caller)).code).toBe(50012)
    expect(
      await owner.query('select amount, state from withdrawals.withdrawal where player_id = $1', [
        id,
      ]),
    ).toEqual([{ amount: 5n * U, state: 'waiting' }])
  })
})
