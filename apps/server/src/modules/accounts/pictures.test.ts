/** Avatars: pictures that players upload, over the API of the whole product. */
import { saveProfile, upload, userInfo } from '@sum28/contract/user-routes.ts'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { captureLog } from '#testing/product/captured-log.ts'
import {
  API_ALONE,
  createTestApp,
  registerMember,
  type TestApp,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { picture } from '#testing/requests/pictures.ts'

const test = useWorkersApi()

type FormReply = { http: number; code: number; msg: string; data: Record<string, unknown> }

const fileOf = (bytes: Buffer, name: string) => new File([new Uint8Array(bytes)], name)

/** Sends a form as a browser does. */
async function sendForm(
  path: string,
  parts: Record<string, string | File>,
  { token = '', of = test }: { token?: string; of?: TestApp } = {},
): Promise<FormReply> {
  const body = new FormData()
  for (const [field, part] of Object.entries(parts)) body.set(field, part)
  const headers: Record<string, string> = token ? { Token: token } : {}
  const response = await of.fetch(path, { method: 'POST', headers, body })
  return { http: response.status, ...((await response.json()) as Omit<FormReply, 'http'>) }
}

const send = (bytes: Buffer, { token }: Pick<TestMember, 'token'>, name = 'me.jpg', of = test) =>
  sendForm(upload.path, { file: fileOf(bytes, name) }, { token, of })

/** The addresses of all pictures of a player. */
async function picturesOf({ id }: Pick<TestMember, 'id'>, of = test): Promise<string[]> {
  return of.database.owner.column<string>(
    `select '/uploads/' || name as url from accounts.uploaded_picture where player_id = $1`,
    [id],
  )
}

const avatarOf = async (member: TestMember) => (await test.call(userInfo, {}, member)).data.avatar

let member: TestMember
beforeAll(async () => {
  member = await registerMember(test, 'pictured')
})

describe('an uploaded picture', () => {
  // How it is converted: square-picture.test.ts.
  it('is at an address of ours, as a picture and nothing else, and may be cached forever', async () => {
    const { http, code, msg, data } = await send(await picture('jpeg'), member)
    expect({ http, code, msg }).toEqual({ http: 200, code: 1, msg: 'Picture uploaded' })
    expect(data.url).toMatch(/^\/uploads\/[0-9a-f]{32}\.webp$/)
    expect(data.fullurl).toMatch(/^http:\/\/[^/]+\/uploads\/[0-9a-f]{32}\.webp$/)
    const response = await test.fetch(String(data.url))
    const about = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    expect(about).toMatchObject({ format: 'webp', width: 512, height: 512 })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      // A page of the other line shows it too.
      'cross-origin-resource-policy': 'cross-origin',
    })
    const headers = { 'If-None-Match': response.headers.get('etag') ?? '' }
    expect((await test.fetch(String(data.url), { headers })).status).toBe(304)
  })

  it('sent twice is one picture, and of two players two', async () => {
    const other = await registerMember(test, 'also_pictured')
    const bytes = await picture('png', { width: 99, height: 77 })
    const { data: first } = await send(bytes, member)
    expect((await send(bytes, member)).data.url).toBe(first.url)
    expect((await send(bytes, other)).data.url).not.toBe(first.url)
  })
})

// What else is no picture: square-picture.test.ts.
describe('refused is', () => {
  const REFUSED = { http: 200, code: 0, data: { reason: 'upload_not_an_image' } }

  it.each(['../../../../etc/cron.d/me', '..\\me.jpg'])('a file that is called %s', async (name) => {
    expect(await send(await picture('jpeg'), member, name)).toMatchObject(REFUSED)
  })

  it('a file of more than 5 MB, with 413', async () => {
    const large = Buffer.concat([await picture('png'), Buffer.alloc(5 * 1024 * 1024)])
    expect(await send(large, member)).toMatchObject({
      http: 413,
      code: 413,
      data: { reason: 'too_large' },
    })
  })

  it('a form without a file, of another name, broken off, or of too many parts', async () => {
    const { token } = member
    const file = fileOf(await picture('png'), 'a.png')
    for (const parts of [{}, { lang: 'en' }, { other: file }, { file: 'text' }]) {
      expect(await sendForm(upload.path, parts, { token })).toMatchObject({
        http: 400,
        data: { fields: { file: 'This is required' } },
      })
    }
    for (const field of ['__proto__', 'constructor'])
      expect((await sendForm(upload.path, { [field]: 'x' }, { token })).http, field).toBe(400)
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, 'x']))
    expect((await sendForm(upload.path, many, { token })).http).toBe(413)
    const cut = '--abc\r\nContent-Disposition: form-data; name="file"; f'
    for (const [type, body] of [
      ['multipart/form-data; boundary=abc', cut],
      ['multipart/form-data; boundary=', 'x'],
      ['application/json', '{"file":"x"}'],
    ] as const) {
      const headers = { Token: token, 'Content-Type': type }
      const { status } = await test.fetch(upload.path, { method: 'POST', headers, body })
      expect(status, type).toBe(400)
    }
  })

  it('a request without a token, whose file is not read', async () => {
    expect(await send(await picture('png'), { token: '' })).toMatchObject({ http: 401 })
    expect(await send(await picture('png'), { token: 'made up' })).toMatchObject({ code: 50008 })
  })

  it('a form for a call without a file, like any other wrong body', async () => {
    const parts = { account: 'pictured', password: 'x' }
    expect(await sendForm('/api/user/login', parts)).toMatchObject({ http: 400 })
  })

  it('no form whose file was not chosen, as a browser sends it', async () => {
    const parts = { avatar: fileOf(Buffer.alloc(0), ''), idcard: 'AB123457' }
    expect(await sendForm(saveProfile.path, parts, member)).toMatchObject({ code: 1 })
  })

  it('in the language of the form', async () => {
    const parts = { lang: 'zh', file: fileOf(Buffer.from('x'), 'a') }
    const reply = await sendForm(upload.path, parts, member)
    expect(reply.msg).toMatch(/[\p{Script=Han}]/u)
  })
})

it('the log of an upload contains neither the token nor the picture’s name, at any level', async () => {
  const { log, lines } = captureLog('trace')
  const test = await createTestApp(API_ALONE, { log })
  const owner = await registerMember(test, 'well_logged')
  const { code } = await send(await picture('png'), owner, 'my-secret.png', test)
  expect(code).toBe(1)
  await test.stop()
  expect(lines.length).toBeGreaterThan(3)
  for (const secret of [owner.token, 'my-secret', owner.email]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
  }
})

it('what is no picture of ours is not there under /uploads', async () => {
  for (const name of [
    ...['', '0123456789abcdef0123456789abcdef.webp', '..%2fsecret.txt', '.hidden'],
    ...['%252e%252e/secret.txt', 'secret.txt'],
  ])
    expect((await test.fetch(`/uploads/${name}`)).status, name).toBe(404)
})

describe('an avatar', () => {
  const choose = (avatar: string, who: { token: string }) =>
    test.call(saveProfile, { avatar }, { token: who.token })

  it('is a preset, or a picture of one’s own by its url or its full url', async () => {
    const owner = await registerMember(test, 'own_avatar')
    for (const preset of ['preset:1', 'preset:8']) {
      expect((await choose(preset, owner)).data.avatar).toBe(preset)
    }
    const { data } = await send(await picture('png'), owner)
    expect((await choose(String(data.url), owner)).data.avatar).toBe(data.url)
    expect((await choose(String(data.fullurl), owner)).data.avatar).toBe(data.url)
  })

  it('cannot be anything else', async () => {
    const [owner, other] = [await registerMember(test), await registerMember(test)]
    const { data } = await send(await picture('gif'), owner)
    for (const avatar of [
      ...[String(data.url), `https://evil.example${data.url}`, `//evil.example${data.url}`],
      ...[`${data.fullurl}?x`, `${data.url}/../../x`, 'preset:0', 'preset:9'],
      ...['/uploads/0123456789abcdef0123456789abcdef.webp', 'javascript:alert(1)'],
    ]) {
      expect(await choose(avatar, other), avatar).toMatchObject({
        http: 400,
        data: { fields: { avatar: 'This is not one of the choices' } },
      })
    }
    expect(await avatarOf(other)).toBe('preset:1')
  })

  it('may be sent with the profile, as a file', async () => {
    const owner = await registerMember(test, 'by_profile')
    const save = (avatar: string | File) => sendForm(saveProfile.path, { avatar }, owner)
    const reply = await save(fileOf(await picture('jpeg'), 'me.jpg'))
    expect(reply).toMatchObject({ code: 1, msg: 'Saved' })
    expect(reply.data.avatar).toMatch(/^\/uploads\//)
    expect(await avatarOf(owner)).toBe(reply.data.avatar)
    const spoilt = await save(fileOf(Buffer.from('x'), 'me.jpg'))
    expect(spoilt).toMatchObject({ code: 0, data: { reason: 'upload_not_an_image' } })
    expect((await save('preset:3')).data.avatar).toBe('preset:3')
  })

  it('that is replaced is deleted, and a picture that was not chosen when the next is sent', async () => {
    const owner = await registerMember(test, 'replacing')
    const sent: string[] = []
    for (const right of ['#00ff00', '#0000ff', '#ffff00']) {
      const { data } = await send(await picture('png', { right }), owner, 'a.png')
      sent.push(String(data.url))
      if (sent.length === 1) await choose(String(data.url), owner)
    }
    const [avatar = '', unchosen = '', last = ''] = sent
    expect((await picturesOf(owner)).toSorted()).toEqual([avatar, last].toSorted())
    expect((await test.fetch(unchosen)).status).toBe(404)
    await choose(last, owner)
    expect(await picturesOf(owner)).toEqual([last])
    await choose('preset:2', owner)
    expect(await picturesOf(owner)).toEqual([])
    expect((await test.fetch(last)).status).toBe(404)
  })
})
