import { newPass } from '@sum28/contract/money-routes.ts'
import * as wire from '@sum28/contract/passkey-routes.ts'
import { login, refresh, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { deviceName } from '#src/http/serve-calls.ts'
import { totpCodeOf } from '#src/secrets/one-time-codes.ts'
import {
  answerTo,
  cookieOf,
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { hashSecret } from './session.ts'

const test = useWorkersApi()

const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

const trade = (cookie: string) => test.call(refresh, {}, { headers: { cookie } })

type Signed = { token: string; cookie: string }

const endOthers = ({ token, cookie }: Signed, key?: string) =>
  test.call(wire.endOtherDevices, {}, { token, headers: { cookie }, ...(key && { key }) })

/** Sets an authenticator app up; returns the call that switches the second factor on. */
async function setUpFactor({ token, cookie }: Signed) {
  await test.call(wire.prove, { password: TEST_PASSWORD }, { token })
  const { data } = await test.call(wire.authenticatorSetup, {}, { token })
  const now = await test.database.owner.value<number>('select app.now() as now')
  const app = { setup: data.setup, code: totpCodeOf(data.secret, now) }
  return () =>
    test.call(wire.switchFactorOn, app, { token, headers: { cookie }, key: 'switching-on' })
}

async function signIn({ username }: TestMember, { remember = false, agent = PHONE } = {}) {
  const headers = { 'user-agent': agent }
  const request = { account: username, password: TEST_PASSWORD, remember }
  const reply = await test.call(login, request, { headers })
  return { token: reply.data.userinfo.token, cookie: cookieOf(reply) }
}

const devicesOf = async (who: { token: string }) =>
  (await test.call(wire.devices, {}, who)).data.list

const works = async (who: { token: string }) => (await test.call(userInfo, {}, who)).code === 1

describe('the devices of a player', () => {
  it('are those with a session, the one that asks first, by browser and system', async () => {
    const member = await registerMember(test)
    const phone = await signIn(member)
    expect(await devicesOf(phone)).toMatchObject([
      { name: 'Chrome · Android', current: true },
      { name: '', current: false },
    ])
    expect(await devicesOf(await registerMember(test))).toHaveLength(1)
  })

  it('are no more when their session is over, except those that sign in by themselves', async () => {
    const member = await registerMember(test)
    await signIn(member)
    const remembered = await signIn(member, { remember: true, agent: 'Firefox/1 Windows' })
    await test.database.shiftClock(1_801_000)
    const again = await test.call(refresh, {}, { headers: { cookie: remembered.cookie } })
    expect(await devicesOf(again.data.userinfo)).toMatchObject([{ current: true }])
    await test.database.shiftClock(1_801_000)
    const [, other] = await devicesOf(await signIn(member))
    expect(other).toMatchObject({ name: '', current: false })
  })

  it('end one by one, not by another player: the session, and what would sign in by itself', async () => {
    const [member, thief] = [await registerMember(test), await registerMember(test)]
    const remembered = await signIn(member, { remember: true })
    const [, other] = await devicesOf(member)
    const endBy = (who: { token: string }) =>
      answerTo(test.call(wire.endDevice, { id: other?.id ?? '' }, who))
    expect(await endBy(thief)).toBe('not_found')
    await test.call(wire.endOtherDevices, {}, thief)
    expect(await works(remembered)).toBe(true)
    expect(await endBy(member)).toBe('done')
    expect(await works(remembered)).toBe(false)
    const back = await test.call(refresh, {}, { headers: { cookie: remembered.cookie } })
    expect(back).toMatchObject({ data: { reason: 'session_unknown' } })
    expect(await works(member)).toBe(true)
  })

  it.each([
    ['when all others end', async (own: Signed) => () => endOthers(own, 'ending')],
    ['when the second factor is switched on', setUpFactor],
    [
      'when the password is changed',
      async ({ token, cookie }: Signed) => {
        const change = { old_pass: TEST_PASSWORD, new_pass: 'another long passphrase' }
        return () => test.call(newPass, change, { token, headers: { cookie }, key: 'changing' })
      },
    ],
  ])('end, and the copies of the own one’s cookie, %s', async (_, prepare) => {
    const member = await registerMember(test)
    const own = await signIn(member, { remember: true })
    const other = await signIn(member, { remember: true })
    await test.database.owner.query(
      `insert into accounts.known_device (player_id, secret_hash) values ($1, 'its session is over')`,
      [member.id],
    )
    const copied = await trade(own.cookie)
    const copy = { token: copied.data.userinfo.token, cookie: cookieOf(copied) }
    const act = await prepare(own)
    const ended = await act()
    expect(await works(copy)).toBe(false)
    for (const { cookie } of [copy, other])
      expect(await trade(cookie)).toMatchObject({ data: { reason: 'session_unknown' } })
    expect(await works(own)).toBe(true)
    // A thief's device is known no more.
    const known = `select secret_hash = (select device_hash from accounts.session where token_hash = $2)
      from accounts.known_device where player_id = $1`
    const ofOwn = [member.id, hashSecret(own.token)]
    expect(await test.database.owner.column(known, ofOwn)).toEqual([true])
    // As after a lost reply.
    const again = await act()
    expect(cookieOf(again)).not.toBe(cookieOf(ended))
    expect(await trade(cookieOf(again))).toMatchObject({ code: 1 })
    expect(await devicesOf(own)).toHaveLength(1)
  })

  it.each([
    ['it was not remembered', false],
    ['its cookie is another player’s', true],
  ])('leave the own one as it was: %s', async (_, remember) => {
    const [member, other] = [await registerMember(test), await registerMember(test)]
    const own = await signIn(member, { remember })
    const { cookie } = await signIn(remember ? other : member, { remember: true })
    const ended = await endOthers({ token: own.token, cookie })
    expect(ended.headers.getSetCookie()).toEqual([])
  })
})

it.each([
  [PHONE, 'Chrome · Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari · iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0 Safari/537.36 Edg/142.0',
    'Edge · Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox · Linux'],
  ['<script>alert(1)</script>', ''],
])('the device of %s is %j', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
