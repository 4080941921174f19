import type { RequestOf } from '@sum28/contract/route.ts'
import { listPieces } from '@sum28/contract/staff-content-routes.ts'
import { csvOf } from '@sum28/contract/staff-list.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  endOwnSession,
  ownSession,
  ownSessions,
  renewRecoveryCodes,
} from '@sum28/contract/staff-own-routes.ts'
import { staffLogin, staffLogout } from '@sum28/contract/staff-routes.ts'
import { describe, expect, it } from 'vitest'
import {
  addStaff,
  codeOfTimeStep,
  currentStep,
  inviteMember,
  signInStaff,
} from '#testing/people/staff.ts'
import { answerTo, useWorkersApi } from '#testing/product/test-app.ts'

const test = useWorkersApi()

const WRONG = { http: 200, code: 0, data: { reason: 'account_or_password_wrong' } }
const OWN_PASSWORD = 'a passphrase of one’s own'

const begin = ({ account, password }: { account: string; password: string }) =>
  test.call(beginEnrolment, { account, password })

const codeOf = async (secret: string, later = 0) =>
  codeOfTimeStep(secret, (await currentStep(test)) + later)

async function confirm(
  { account, password }: { account: string; password: string },
  secret: string,
  other: Partial<RequestOf<typeof confirmEnrolment>> = {},
) {
  const totp = await codeOf(secret)
  return test.call(confirmEnrolment, {
    account,
    password,
    totp,
    new_password: OWN_PASSWORD,
    ...other,
  })
}

/** A member who has enrolled just now. */
async function enrolled() {
  const member = await inviteMember(test)
  const { data } = await begin(member)
  const reply = await confirm(member, data.secret)
  if (reply.code !== 1) throw new Error(JSON.stringify(reply))
  return { account: member.account, secret: data.secret, ...reply.data }
}

describe('the first sign-in', () => {
  it('returns a secret for the first password, and a session and recovery codes for its code', async () => {
    const member = await inviteMember(test)
    const begun = await begin(member)
    expect(begun).toMatchObject({ code: 1, data: { otpauth: expect.stringMatching(/^otpauth:/) } })
    // Strangers are answered as at the sign-in.
    expect(await begin({ account: 'nobody', password: 'x' })).toMatchObject(WRONG)
    expect(await begin({ ...member, password: 'x' })).toMatchObject(WRONG)
    for (const [new_password, reason] of [
      [member.password, 'password_same'],
      ['password123', 'password_common'],
    ] as const) {
      expect(await answerTo(confirm(member, begun.data.secret, { new_password }))).toBe(reason)
    }
    const reply = await confirm(member, begun.data.secret)
    expect(reply).toMatchObject({ code: 1, data: { name: member.account, role: 'support' } })
    expect(new Set(reply.data.recovery_codes).size).toBe(10)
    for (const code of reply.data.recovery_codes) expect(code).toMatch(/^(\w{4}-){3}\w{4}$/)
    expect(await test.call(ownSession, {}, { token: reply.data.token })).toMatchObject({
      code: 1,
      data: { name: member.account, recovery_codes_left: 10 },
    })
    const actions = await test.database.owner.column<string>(
      `select action from staff.audit join staff.member on subject = 'staff:' || member.id
       where name = $1 order by audit.id`,
      [member.account],
    )
    expect(actions).toEqual([
      ...['staff_made', 'enrolment_begun', 'sign_in_failed', 'enrolled', 'signed_in'],
    ])
  })

  it('is required, makes the first password void, and happens once', async () => {
    const member = await inviteMember(test)
    const { secret } = (await begin(member)).data
    const sign = async (password: string, later = 0) =>
      test.call(staffLogin, {
        account: member.account,
        password,
        totp: await codeOf(secret, later),
      })
    expect(await sign(member.password)).toMatchObject(WRONG)
    // Fewer than the five tries after which a code would have to wait.
    const atOnce = await Promise.all([1, 2, 3].map(() => confirm(member, secret)))
    expect(atOnce.map(({ code }) => code).toSorted()).toEqual([0, 0, 1])
    expect(await begin({ ...member, password: OWN_PASSWORD })).toMatchObject(WRONG)
    expect(await sign(member.password, 1)).toMatchObject(WRONG)
    expect(await sign(OWN_PASSWORD, 1)).toMatchObject({ code: 1 })
  })
})

describe('a recovery code', () => {
  it('signs in once in place of a TOTP code, however it is typed, and is stored only as a hash', async () => {
    const { account, recovery_codes: codes } = await enrolled()
    const stored = 'select recovery_code::text as row from staff.recovery_code'
    const rows = (await test.database.owner.column<string>(stored)).join()
    for (const code of codes) expect(rows).not.toContain(code)
    const [first = '', second = ''] = codes
    const sign = (recovery_code: string, password = OWN_PASSWORD) =>
      test.call(staffLogin, { account, password, recovery_code })
    expect(await sign(first, 'another password')).toMatchObject(WRONG)
    const reply = await sign(` ${first.toUpperCase().replaceAll('-', ' ')} `)
    expect(reply).toMatchObject({ code: 1 })
    expect(await sign(first)).toMatchObject(WRONG)
    const left = await test.call(ownSession, {}, { token: reply.data.token })
    expect(left.data.recovery_codes_left).toBe(9)
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => sign(second)))
    expect(atOnce.filter(({ code }) => code === 1)).toHaveLength(1)
    const used = { address: expect.any(String) }
    const logged = await test.database.owner.column(
      `select details from staff.audit join staff.member on subject = 'staff:' || member.id and staff_id = member.id
       where name = $1 and action = 'recovery_code_used'`,
      [account],
    )
    expect(logged).toEqual([used, used])
  })

  it('is void once others were made, which needs the password and a code', async () => {
    const { account, secret, token, recovery_codes: before } = await enrolled()
    const wrong = { password: 'not it', totp: await codeOf(secret, 1) }
    expect(await test.call(renewRecoveryCodes, wrong, { token })).toMatchObject(WRONG)
    const right = { password: OWN_PASSWORD, totp: await codeOf(secret, 1) }
    const reply = await test.call(renewRecoveryCodes, right, { token })
    expect(reply).toMatchObject({ code: 1 })
    const sign = (recovery_code = '') =>
      test.call(staffLogin, { account, password: OWN_PASSWORD, recovery_code })
    expect(await sign(before[0])).toMatchObject(WRONG)
    expect(await sign(reply.data.recovery_codes[0])).toMatchObject({ code: 1 })
  })
})

it('one’s own sessions are listed and ended, and nobody else’s', async () => {
  const first = await addStaff(test, 'editor')
  const second = await signInStaff(test, first.login)
  const stranger = await addStaff(test, 'editor')
  const list = (await test.call(ownSessions, {}, second)).data
  expect(list.map(({ current }) => current).sort()).toEqual([false, true])
  const other = list.find(({ current }) => !current)?.id ?? 0
  expect(await answerTo(test.call(endOwnSession, { id: other }, stranger))).toBe('not_found')
  expect(await test.call(endOwnSession, { id: other }, second)).toMatchObject({ code: 1 })
  expect(await answerTo(test.call(endOwnSession, { id: other }, second))).toBe('not_found')
  expect(await answerTo(test.call(ownSession, {}, first))).toBe('session_unknown')
  expect(await test.call(ownSession, {}, second)).toMatchObject({ code: 1 })
  const logged = 'select action, details from staff.audit order by id desc limit 1'
  expect(await test.database.owner.one(logged)).toEqual({
    action: 'session_ended',
    details: { session: other },
  })
})

describe('the session in the console’s cookie', () => {
  const fromConsole = { 'Sec-Fetch-Site': 'same-origin' }

  async function signIn() {
    const { login } = await addStaff(test, 'editor')
    await test.database.owner.query('update staff.member set totp_time_step = 0 where name = $1', [
      login.name,
    ])
    const reply = await test.call(
      staffLogin,
      {
        account: login.name,
        password: login.password,
        in_cookie: true,
        totp: await codeOf(login.totpSecret),
      },
      { headers: fromConsole },
    )
    return { login, reply, set: reply.headers.get('set-cookie') ?? '' }
  }

  it('is seen by no script, sent to the calls of staff alone, and ends with the session', async () => {
    const { reply, set } = await signIn()
    expect(reply.data.token).toBe('')
    expect(set).toMatch(/^staff=[\w-]{43};/)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/api/staff']) {
      expect(set).toContain(part)
    }
    const headers = { Cookie: set.split(';', 1)[0] ?? '', ...fromConsole }
    const left = await test.call(staffLogout, {}, { headers })
    expect(left.headers.get('set-cookie')).toMatch(/^staff=;/)
    expect(await test.call(ownSession, {}, { headers })).toMatchObject({ http: 401 })
  })

  it('counts for the console’s page and for no other', async () => {
    const { set } = await signIn()
    const Cookie = set.split(';', 1)[0] ?? ''
    const ask = (headers: Record<string, string>) =>
      test.call(ownSession, {}, { headers: { Cookie, ...headers } })
    expect(await ask(fromConsole)).toMatchObject({ code: 1 })
    expect(await ask({ 'Sec-Fetch-Site': 'cross-site' })).toMatchObject({ http: 403 })
    expect(await ask({ 'Sec-Fetch-Site': 'same-site' })).toMatchObject({ http: 403 })
    expect(await ask({ Origin: 'https://elsewhere.example' })).toMatchObject({ http: 403 })
  })

  it('makes a file for the member whom the page shows, and none for a picture or a link in it', async () => {
    const { login, set } = await signIn()
    const Cookie = set.split(';', 1)[0] ?? ''
    const ask = async (headers: Record<string, string>) => {
      const reply = await test.fetch(`${csvOf(listPieces).path}?kind=article`, {
        headers: { Cookie, ...fromConsole, ...headers },
      })
      await reply.text()
      return reply.status
    }
    const exported = () =>
      test.database.owner.exists(
        `select from staff.audit join staff.member on member.id = staff_id
         where action = 'list_exported' and name = $1`,
        [login.name],
      )
    expect(await ask({ 'Sec-Fetch-Dest': 'image' })).toBe(403)
    expect(await ask({ 'X-Shown-Member': 'another' })).toBe(401)
    expect(await exported()).toBe(false)
    expect(await ask({ 'X-Shown-Member': login.name })).toBe(200)
    expect(await exported()).toBe(true)
  })

  it('is not prolonged by calls that are made while nobody is at the screen', async () => {
    const { token } = await addStaff(test, 'editor')
    const { owner } = test.database
    await owner.query(`update staff.session set seen_at = seen_at - interval '10 minutes'`)
    const left = async (headers: Record<string, string>) =>
      (await test.call(ownSession, {}, { token, headers })).data.idle_seconds_left
    expect(await left({ 'X-Unattended': '1' })).toBeLessThanOrEqual(300)
    expect(await left({})).toBe(900)
  })
})
