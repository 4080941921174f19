/** Every row of the wire's table of situations, over real requests; bodies.test.ts has those of a body. */
import { config, home } from '@sum28/contract/index-routes.ts'
import { lobby } from '@sum28/contract/lottery-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { LANGUAGES } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { describe, expect, it } from 'vitest'
import { timeOf } from '#testing/product/play-round.ts'
import { registerMember, useWorkersApi } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const test = useWorkersApi()

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const WRONG = { account: 'nobody_here', password: 'wrong' }

/** Sends anything and reads the envelope that must be returned. */
async function send(path: string, init: RequestInit = {}) {
  const response = await test.fetch(path, init)
  const envelope = (await response.json()) as Record<string, unknown>
  expect(Object.keys(envelope).sort()).toEqual(['code', 'data', 'msg', 'time'])
  return { http: response.status, headers: response.headers, ...envelope }
}

const postJson = (path: string, body: string) =>
  send(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

describe('the envelope', () => {
  it('of a success has code 1, a text, unix seconds as a string, and the data', async () => {
    expect(await test.call(config, {})).toMatchObject({
      http: 200,
      code: 1,
      msg: 'Done',
      time: expect.stringMatching(/^\d{10}$/),
      data: { round_seconds: 210 },
    })
  })

  it('shows the product’s time, whatever the machine’s clock says', async () => {
    await test.database.shiftClock(3_600_000)
    const hour = Math.floor((await timeOf(test)) / 1000)
    for (const ask of [
      () => test.call(config, {}),
      () => test.post('/api/user/login', WRONG),
      () => test.post('/api/nowhere', {}),
    ]) {
      const time = await eventually(async () => {
        const shown = Number((await ask()).time)
        return shown >= hour ? shown : undefined
      })
      expect(time).toBeLessThan(hour + 1_800)
    }
  })

  it('of a business refusal is HTTP 200 with code 0 and the reason', async () => {
    expect(await test.post('/api/user/login', WRONG)).toMatchObject({
      http: 200,
      code: 0,
      msg: 'The account or the password is wrong',
      data: { reason: 'account_or_password_wrong' },
    })
  })

  it('of malformed input names the fields', async () => {
    expect(await test.post('/api/user/login', {})).toMatchObject({
      http: 400,
      code: 400,
      data: { reason: 'invalid_input', fields: { account: 'This is required' } },
    })
  })

  it('of a call without a token, or with an unknown one, is 401', async () => {
    expect(await test.call(userInfo, {})).toMatchObject({
      http: 401,
      code: 401,
      msg: 'Please log in',
      data: { reason: 'token_missing' },
    })
    expect(await test.call(userInfo, {}, { token: 'x' })).toMatchObject({ http: 401, code: 50008 })
  })

  it.each([
    ['GET', '/api/none'],
    ['POST', '/api/user/nothing'],
    ['GET', '/api/user/login'],
    ['POST', '/api/index/config'],
    ['PUT', '/api/user/login'],
    ['DELETE', '/api/user/userInfo'],
    ['POST', '/'],
    ['GET', '/api/%zz?lang=en'],
    ['GET', '/%e0%a4%a'],
  ])('of %s %s, where there is nothing, is 404', async (method, path) => {
    expect(await send(path, { method })).toMatchObject({
      http: 404,
      code: 404,
      msg: 'There is nothing here',
      data: { reason: 'not_found' },
    })
  })

  it('of a missing thing is 404', async () => {
    expect(await test.call(lobby, { game_id: 9 })).toMatchObject({ http: 404, code: 404 })
  })

  it('of an internal error has a request id and no internal details', async () => {
    const { owner } = test.database
    await owner.query('alter table content.banner rename to banner_elsewhere')
    try {
      const reply = await test.call(home, {})
      expect(reply).toMatchObject({ http: 500, code: 500 })
      const id = reply.headers.get('x-request-id')
      expect(reply.data).toEqual({ reason: 'fault', request_id: id })
      expect(reply.msg).toBe(
        `Something went wrong on our side. Please tell support this number: ${id}`,
      )
    } finally {
      await owner.query('alter table content.banner_elsewhere rename to banner')
    }
    expect(await test.call(home, {})).toMatchObject({ code: 1 })
  })
})

describe('a request', () => {
  it('may be written in any case, and end in a slash', async () => {
    for (const path of ['/api/lottery/INDEX', '/API/Lottery/index', '/Api/lOTTERY/Index/']) {
      expect(await postJson(path, '{"game_id":"2"}')).toMatchObject({ http: 200, code: 1 })
    }
    expect(await send('/API/INDEX/CONFIG?host=x&lang=en')).toMatchObject({ code: 1 })
  })

  it('is answered in the language that its body or its query names, also if no route matches', async () => {
    for (const lang of LANGUAGES) {
      const text = translate(lang, 'refusal.token_missing')
      expect(await test.post('/api/user/userInfo', { lang })).toMatchObject({ msg: text })
      const body = new URLSearchParams({ lang })
      const asForm = { method: 'POST', headers: form, body }
      expect(await send('/api/user/userInfo', asForm)).toMatchObject({ msg: text })
      expect(await test.post('/api/user/login', { lang })).toMatchObject({
        msg: translate(lang, 'refusal.invalid_input'),
        data: { fields: { account: translate(lang, 'fault.required') } },
      })
      for (const [path, message] of [
        ['/api/index/config', 'success'],
        ['/api/none', 'refusal.not_found'],
      ] as const)
        expect(await send(`${path}?lang=${lang}`)).toMatchObject({ msg: translate(lang, message) })
    }
  })

  it('uses tw for traditional Chinese, and English for unknown languages', async () => {
    const messageIn = async (lang: unknown) => (await test.post('/api/none', { lang })).msg
    expect(await messageIn('tw')).toBe(translate('zh-TW', 'refusal.not_found'))
    for (const unknown of ['xx', '', 7, null, ['vi'], { en: 1 }, undefined]) {
      expect(await messageIn(unknown)).toBe(translate('en', 'refusal.not_found'))
    }
  })

  it('may carry any Idempotency-Key of 1 to 255 visible ASCII characters, and no other', async () => {
    const member = await registerMember(test, 'well_keyed')
    const ask = (key: string) =>
      test.post(
        '/api/Lottery/oddsList',
        { plan_id: 11 },
        { Token: member.token, 'Idempotency-Key': key },
      )
    for (const key of ['k', '~!"#'.repeat(63)]) expect(await ask(key)).toMatchObject({ code: 1 })
    for (const key of ['two words', 'é', 'x'.repeat(256), '']) {
      expect(await ask(key), key).toMatchObject({
        http: 400,
        data: {
          fields: { 'Idempotency-Key': 'This must be 1 to 255 visible ASCII characters' },
        },
      })
    }
  })
})
