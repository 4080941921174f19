/** Limits of calls of strangers and players, over the API of one product that has them. */
import { newPass, setSafety } from '@sum28/contract/money-routes.ts'
import { login, register, resetPassword, sendCode, upload } from '@sum28/contract/user-routes.ts'
import { beforeEach, expect, it } from 'vitest'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { stopClock } from '#testing/database/test-database.ts'
import { Authenticator } from '#testing/people/authenticator.ts'
import {
  API_ALONE,
  codesTo,
  mailedCode,
  mailsOf,
  registerMember,
  shareTestApp,
  TEST_PASSWORD,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { picture } from '#testing/requests/pictures.ts'
import { ALL_CODES_A_DAY, CROWDED_CODES_A_DAY, NETWORK_CODES_A_DAY } from './email-code.ts'
import { PICTURES_A_DAY } from './pictures.ts'
import { VISITS_A_DAY } from './register.ts'
import { CODE_CHANGES_A_DAY } from './security-code.ts'
import { NAME_FREE, NETWORK_MINUTE_MAX } from './sign-in-guard.ts'

const test = shareTestApp({ ...API_ALONE, RATE_LIMITS: 'on' })

const NEW_PASSWORD = 'another long passphrase'

/** A call from a network address, as the proxy in front of the server passes it on. */
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

/** The n-th address of a stranger's many. */
const stranger = (n: number) => from(`203.0.113.${n}`)

/** As if all counts had come so far. */
const counted = (tries: number) =>
  test.database.owner.query('update accounts.counter set tries = $1 where tries > 0', [tries])

beforeEach(async () => {
  await test.database.owner.query('delete from accounts.counter')
})

it('a visitor is one of so many new ones and sign-ins a day of a network, and of four times as many of the /56 around it', async () => {
  const visit = (address: string, password = 'qwzxvk') =>
    test.call(register, { username: undefined, password, group_id: 2 }, from(address))
  expect(await visit('2001:db8:1:1::1')).toMatchObject({ code: 1 })
  await counted(VISITS_A_DAY - 1)
  // A refused one is not counted.
  expect(await visit('2001:db8:1:1::1', 'q')).toMatchObject({ code: 400 })
  const last = await visit('2001:db8:1:1::2')
  expect(last).toMatchObject({ code: 1 })
  const again = { account: last.data.userinfo.username, password: 'qwzxvk' }
  expect(await test.call(login, again, from('2001:db8:1:1::1'))).toMatchObject({ http: 429 })
  expect(await visit('2001:db8:1:1::3')).toMatchObject({
    http: 429,
    data: { reason: 'too_many_requests', retry_after: expect.any(Number) },
  })
  expect(await test.call(login, again)).toMatchObject({ code: 1 })
  await counted(4 * VISITS_A_DAY)
  expect(await visit('2001:db8:1:2::1')).toMatchObject({ http: 429 })
  expect(await visit('2001:db8:1:ff02::1')).toMatchObject({ code: 1 })
  expect(await visit('203.0.113.7')).toMatchObject({ code: 1 })
})

it('a network that tries unknown passkeys is stopped, as for passwords', async () => {
  const key = new Authenticator(new URL(test.app.url).origin)
  const answer = key.answer({ challenge: 'AAAA', rp_id: 'localhost' }, { userHandle: 'AA' })
  const tried = async () => (await test.post('/api/user/passkeyLogin', answer)).code
  expect(await tried()).toBe(0)
  await counted(NETWORK_MINUTE_MAX - 1)
  expect([await tried(), await tried()]).toEqual([0, 429])
})

it('a new password cannot be set by guessing the old one with a stolen session', async () => {
  const ann = await registerMember(test)
  const change = (old_pass: string, where = {}) =>
    test.call(newPass, { old_pass, new_pass: NEW_PASSWORD }, { ...ann, ...where })
  // However long the machine takes, the clock does not reach the second in which one more try is checked.
  await stopClock(test.database)
  expect(await change('a guess', stranger(1))).toMatchObject({ http: 200 })
  await counted(NAME_FREE - 1)
  expect(await change('a guess', stranger(2))).toMatchObject({ http: 200 })
  expect(await change(TEST_PASSWORD, stranger(3))).toMatchObject({ http: 429 })
  // She is not blocked on a network from which she has signed in.
  expect(await change(TEST_PASSWORD)).toMatchObject({ code: 1 })
})

it('a security code can be changed a limited number of times a day', async () => {
  const ann = await registerMember(test)
  await stopClock(test.database)
  const set = (new_code: string, old_code?: string) =>
    test.call(setSafety, { new_code, ...(old_code && { old_code }) }, ann)
  expect(await set('326400')).toMatchObject({ code: 1 })
  await counted(CODE_CHANGES_A_DAY - 1)
  expect(await set('326401', '326400')).toMatchObject({ code: 1 })
  const refused = await set('326402', '326401')
  expect(refused).toMatchObject({ http: 429, data: { reason: 'too_many_requests' } })
  expect(Number(refused.headers.get('retry-after'))).toBe(86_400)
})

it('one player may upload a limited number of pictures a day, including refused ones', async () => {
  const [owner, other] = [await registerMember(test), await registerMember(test)]
  const send = async ({ token }: { token: string }, bytes: Buffer = Buffer.from('x')) => {
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(bytes)]), 'a.png')
    return test.fetch(upload.path, { method: 'POST', headers: { Token: token }, body })
  }
  expect((await send(owner)).status).toBe(200)
  await counted(PICTURES_A_DAY - 1)
  expect((await send(owner)).status).toBe(200)
  const refused = await send(owner)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  const reply = await send(other, await picture('png'))
  expect(await reply.json()).toMatchObject({ code: 1 })
})

const ask = (name: string, address: string) =>
  test.call(sendCode, { email: `${name}@example.org`, event: 'register' }, from(address))

it('codes to many addresses are limited by network and in all; staff see it, and an owner gets his on his own network', async () => {
  const { email } = await registerMember(test, 'owner_at_home')
  const { owner, db } = test.database
  const shown = async () => (await readNeeds(db)).some(({ need }) => need === 'codes_used_up')
  await owner.query('delete from accounts.counter')
  expect(await ask('many_1', '203.0.113.1')).toMatchObject({ code: 1 })
  await counted(NETWORK_CODES_A_DAY - 1)
  expect(await ask('many_2', '203.0.113.1')).toMatchObject({ code: 1 })
  const refused = await ask('many_3', '203.0.113.1')
  expect(refused).toMatchObject({ http: 429, data: { hours: 24 } })
  // Nobody has requested one for this address.
  expect(refused.msg).toMatch(/^Too many codes were requested\./)
  expect(refused.msg).toContain('on a network where you have logged in before')
  expect(await ask('many_4', '203.0.113.2')).toMatchObject({ code: 1 })
  expect(await shown()).toBe(false)

  const tries = (which = 'true') =>
    owner.value<number>(`select sum(tries)::integer from accounts.counter where ${which}`)
  const toAccounts = () => tries(`key = sha256('codes to accounts')`)
  const reset = (address: string) =>
    test.call(sendCode, { email: address, event: 'resetpwd' }, from('203.0.113.4'))
  expect(await reset('nobody@example.org')).toMatchObject({ code: 1 })
  expect(await toAccounts()).toBe(0)
  expect(await reset(email)).toMatchObject({ code: 1 })
  expect(await toAccounts()).toBe(1)

  await counted(ALL_CODES_A_DAY)
  const triesBefore = await tries()
  expect(await ask('many_5', '203.0.113.3')).toMatchObject({ http: 429 })
  // A refused one is not its network's.
  expect(await tries()).toBe(triesBefore)
  expect(await shown()).toBe(true)
  await owner.query(`update accounts.email_code set created_at = created_at - interval '2 days'`)
  const before = (await mailsOf(test)).length
  // The reply is that of a stranger, and the code is sent.
  const request = { email, event: 'resetpwd' } as const
  expect(await test.call(sendCode, request)).toMatchObject({ http: 429 })
  await eventually(async () => (await mailsOf(test)).length > before)
  await test.database.shiftClock(86_400_000)
  expect(await ask('many_6', '203.0.113.3')).toMatchObject({ code: 1 })
})

it('a network gets ten codes a day once half of all are sent, and another its own', async () => {
  expect(await ask('half_1', '203.0.113.11')).toMatchObject({ code: 1 })
  await test.database.owner.query(
    `update accounts.counter
     set tries = case when key = sha256('codes to addresses') then $1::integer else $2 end`,
    [ALL_CODES_A_DAY / 2, CROWDED_CODES_A_DAY - 1],
  )
  expect(await ask('half_2', '203.0.113.11')).toMatchObject({ code: 1 })
  expect(await ask('half_3', '203.0.113.11')).toMatchObject({ http: 429, data: { hours: 24 } })
  expect(await ask('half_4', '203.0.113.12')).toMatchObject({ code: 1 })
})

it('strangers who guess a password are blocked, and its owner can sign in where he registered or proves himself by mail', async () => {
  const [home, abroad] = [from('198.51.100.7'), from('192.0.2.1')]
  const [username, email] = ['wanted_by_many', 'wanted@example.org']
  const signIn = (where: ReturnType<typeof from>, password = 'a wrong one', account = username) =>
    test.call(login, { account, password }, where)
  await test.call(sendCode, { email, event: 'register' }, home)
  const code = await mailedCode(test, email)
  const person = { username, email, code, password: TEST_PASSWORD, adult: true }
  expect(await test.call(register, person, home)).toMatchObject({ code: 1 })

  await stopClock(test.database)
  expect(await signIn(stranger(1))).toMatchObject({ http: 200 })
  await counted(NAME_FREE - 1)
  expect(await signIn(stranger(2))).toMatchObject({ http: 200 })
  const held = await signIn(stranger(3))
  expect(held).toMatchObject({ http: 429, data: { reason: 'too_many_requests' } })
  expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0)
  // Even the right password is not checked on a network from which he has never signed in.
  expect(await signIn(abroad, TEST_PASSWORD)).toMatchObject({ http: 429 })
  for (const account of [username, email]) {
    expect(await signIn(home, TEST_PASSWORD, account)).toMatchObject({ code: 1 })
  }

  // Mails leave while the clock runs.
  await test.database.owner.query('update app.test_clock set frozen_at = null')
  await test.database.owner.query(
    `update accounts.email_code set created_at = created_at - interval '61 seconds'`,
  )
  await test.call(sendCode, { email, event: 'resetpwd' }, abroad)
  await eventually(async () => (await codesTo(test, email)).length > 1)
  const captcha = await mailedCode(test, email)
  const reset = { email, captcha, newpassword: NEW_PASSWORD }
  expect(await test.call(resetPassword, reset, abroad)).toMatchObject({ code: 1 })
  expect(await signIn(abroad, NEW_PASSWORD)).toMatchObject({ code: 1 })
})
