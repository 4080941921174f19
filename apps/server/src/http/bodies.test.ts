import { setPayInfo } from '@sum28/contract/money-routes.ts'
import { HTML_CHARS_MAX, saveAbout, savePieceText } from '@sum28/contract/staff-content-routes.ts'
import { stopBetting } from '@sum28/contract/staff-house-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login, upload, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { registerMember, useWorkersApi } from '#testing/product/test-app.ts'
import { BODY_MAX_BYTES } from './request-parts.ts'

const test = useWorkersApi()

const send = async (
  path: string,
  body: string,
  { type = 'application/json', method = 'POST', token = '' } = {},
) => {
  const headers = { 'Content-Type': type, ...(token && { Token: token }) }
  const response = await test.fetch(path, { method, headers, body })
  return { http: response.status, ...((await response.json()) as { code: number; msg: string }) }
}

const TOO_LARGE = { http: 413, code: 413, data: { reason: 'too_large' } }
const MALFORMED = { http: 400, code: 400, data: { reason: 'invalid_input' } }

/** JSON of this many bytes in total: an object with one text. */
const jsonOf = (bytes: number) => JSON.stringify({ account: 'x'.repeat(bytes - 14) })

describe('a body', () => {
  it.each([
    ['JSON', jsonOf(BODY_MAX_BYTES), jsonOf(BODY_MAX_BYTES + 1), 'application/json'],
    [
      'a form',
      `account=${'x'.repeat(BODY_MAX_BYTES - 8)}`,
      `account=${'x'.repeat(BODY_MAX_BYTES - 7)}`,
      'application/x-www-form-urlencoded',
    ],
  ])('of %s has a greatest size', async (_name, largest, larger, type) => {
    expect(await send(login.path, largest, { type })).toMatchObject(MALFORMED)
    expect(await send(login.path, larger, { type })).toMatchObject(TOO_LARGE)
    expect(await send(upload.path, larger, { type })).toMatchObject(TOO_LARGE)
  })

  it('of a player has room for the longest texts of a call in a form', async () => {
    const lengths = { acc: 100, acc_bank: 100, mark: 200, sub: 40, sub_name: 100 }
    const form = new URLSearchParams({ type: '0', acc_name: '1'.repeat(40) })
    for (const [name, max] of Object.entries(lengths)) form.set(name, '銀'.repeat(max))
    const type = 'application/x-www-form-urlencoded'
    // Read, and then the caller is asked for.
    expect(await send(setPayInfo.path, String(form), { type })).toMatchObject({ http: 401 })
  })

  it('of staff may be larger, for they write reasons and pages, and has its greatest size too', async () => {
    const { token } = await staffSession(test)
    const reason = 16 * 1024
    const page = reason + 9 * HTML_CHARS_MAX
    for (const [{ path }, most] of [
      [stopBetting, reason],
      [savePieceText, page],
      [saveAbout, page],
    ] as const) {
      expect(await send(path, jsonOf(most), { token }), path).toMatchObject(MALFORMED)
      expect(await send(path, jsonOf(most + 1), { token }), path).toMatchObject(TOO_LARGE)
    }
    // A stranger who signs in as staff has no reason to send long texts.
    expect(await send(staffLogin.path, jsonOf(BODY_MAX_BYTES + 1))).toMatchObject(TOO_LARGE)
  })

  it('for a call of staff is read only from staff with the role of the call', async () => {
    const member = await registerMember(test, 'no_editor')
    const auditor = await addStaff(test, 'auditor')
    // A body that were read would be malformed.
    const broken = `{${'x'.repeat(1_000)}`
    for (const { path } of [stopBetting, savePieceText, saveAbout]) {
      expect(await send(path, broken)).toMatchObject({ http: 401 })
      expect(await send(path, broken, { token: 'x'.repeat(43) })).toMatchObject({ http: 401 })
      expect(await send(path, broken, { token: member.token })).toMatchObject({ http: 401 })
      expect(await send(path, broken, { token: auditor.token })).toMatchObject({ http: 403 })
    }
  })

  it.each([
    ['a text', JSON.stringify('x'.repeat(2_000))],
    ['a list', JSON.stringify(Array(500).fill({}))],
    ['a deep list', '['.repeat(2_000) + ']'.repeat(2_000)],
    ['a number', '1'],
    ['nothing', 'null'],
    ['missing', ''],
  ])('that is %s has no fields', async (_name, body) => {
    expect(await send(login.path, body)).toMatchObject({
      ...MALFORMED,
      data: { fields: { account: 'This is required', password: 'This is required' } },
    })
  })

  it('that is broken off, or sets a prototype, is malformed as a whole', async () => {
    for (const body of [
      '{"account":"x"',
      '{"__proto__":{"account":"x"}}',
      '{"constructor":{"prototype":{"account":"x"}}}',
    ]) {
      const faults = { data: { fields: { body: expect.any(String) } } }
      expect(await send(login.path, body), body).toMatchObject({ ...MALFORMED, ...faults })
    }
  })

  it('may be missing where the call has no field that it needs, whatever its type says', async () => {
    const { token } = await registerMember(test, 'no_body')
    expect(await send(userInfo.path, '', { token })).toMatchObject({ http: 200, code: 1 })
  })

  it('gives a repeated name in JSON its last value, and in a form a list', async () => {
    const times = (name: string) => Array(200).fill(`"${name}":"x"`).join(',')
    expect(await send(login.path, `{${times('account')}}`)).toMatchObject({
      data: { fields: { password: 'This is required' } },
    })
    const form = await send(login.path, 'account=a&account=b&password=x', {
      type: 'application/x-www-form-urlencoded',
    })
    expect(form).toMatchObject(MALFORMED)
  })

  it('as a form has at most 64 fields: further ones are ignored', async () => {
    const form = (others: number) => `${'a=1&'.repeat(others)}account=none&password=none`
    const type = 'application/x-www-form-urlencoded'
    expect(await send(login.path, form(62), { type })).toMatchObject({ http: 200, code: 0 })
    expect(await send(login.path, form(63), { type })).toMatchObject(MALFORMED)
  })

  it('of another type is not read', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/octet-stream', 'x']) {
      const sent = await send(login.path, '{"account":"a","password":"b"}', { type })
      expect(sent, type).toMatchObject(MALFORMED)
    }
  })

  it('is small also if there is no such call', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await send('/api/none', '{}', { method })).toMatchObject({ http: 404 })
      const large = jsonOf(BODY_MAX_BYTES + 1)
      expect(await send('/api/none', large, { method })).toMatchObject(TOO_LARGE)
    }
  })
})

describe('a head', () => {
  it('may have nine kilobytes of cookies of other programs', async () => {
    const cookie = Array.from({ length: 90 }, (_, n) => `other_${n}=${'x'.repeat(90)}`).join('; ')
    expect(cookie.length).toBeGreaterThan(9_000)
    const response = await test.fetch(userInfo.path, { method: 'POST', headers: { cookie } })
    expect(response.status).toBe(401)
  })
})

describe('a query', () => {
  it('has at most 64 fields', async () => {
    const ask = async (others: number) => {
      const query = `${'a=1&'.repeat(others)}lang=zh`
      const response = await test.fetch(`/api/index/article?${query}`)
      return ((await response.json()) as { msg: string }).msg
    }
    expect(await ask(63)).toMatch(/\p{Script=Han}/u)
    expect(await ask(64)).not.toMatch(/\p{Script=Han}/u)
  })

  it('that is longer than any of ours is not read', async () => {
    const ask = async (path: string) => {
      const response = await test.fetch(`${path}?lang=zh&a=${'x'.repeat(2_048)}`)
      return { http: response.status, msg: ((await response.json()) as { msg: string }).msg }
    }
    expect(await ask('/api/index/config')).toMatchObject({ http: 200, msg: 'Done' })
    expect(await ask('/api/none')).toMatchObject({ http: 404, msg: 'There is nothing here' })
  })
})

describe('the language of an answer', () => {
  it('is the browser’s if the body was not read', async () => {
    const ask = async (lang: string, init: RequestInit) => {
      const headers = { 'Accept-Language': lang, 'Content-Type': 'application/json' }
      const response = await test.fetch(login.path, { method: 'POST', headers, ...init })
      return ((await response.json()) as { msg: string }).msg
    }
    const large = jsonOf(BODY_MAX_BYTES + 1)
    expect(await ask('zh-TW,zh;q=0.9', { body: large })).toMatch(/\p{Script=Han}/u)
    expect(await ask('zh-TW', { body: '{}' })).not.toMatch(/\p{Script=Han}/u)
    // Without a preferred language the answer is in English.
    expect(await ask('zh-TW', {})).not.toMatch(/\p{Script=Han}/u)
  })
})
