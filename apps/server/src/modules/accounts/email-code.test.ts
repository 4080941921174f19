import { register, resetPassword, sendCode } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { stopClock } from '#testing/database/test-database.ts'
import {
  eventually,
  mailedCode,
  mailsOf,
  registerByMail,
  registerMember,
  shareTestApp,
  TEST_PASSWORD,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { ALL_CODES_A_DAY, NETWORK_CODES_A_DAY } from './email-code.ts'

const app = useWorkersApp()

type Event = 'register' | 'resetpwd'

const send = (email: string, event: Event = 'register', lang = 'en') =>
  app().post('/api/ems/send', { email, event, lang })

/** The reply without its values that always differ. */
async function comparableReply(email: string, event: Event) {
  const { http, code, msg, data, headers } = await send(email, event)
  const names = [...headers.keys()].sort()
  return { http, code, msg, data, names, length: headers.get('content-length') }
}

async function age(email: string, seconds: number) {
  await app().database.owner.query(
    `update accounts.email_code set created_at = created_at - make_interval(secs => $2) where email_key = $1`,
    [email, seconds],
  )
}

const mailsTo = async (email: string) => (await mailsOf(app())).filter(({ to }) => to === email)

describe('asking for a code', () => {
  it.each(['register', 'resetpwd'] as const)(
    'is answered alike for known and unknown addresses: %s',
    async (event) => {
      const member = await registerMember(app(), `known_${event}`)
      await age(member.email, 61)
      // The answer contains the seconds to wait: none passes between the two.
      await stopClock(app().database)
      const first = await comparableReply(member.email, event)
      expect(first).toMatchObject({ http: 200, code: 1, data: null })
      expect(await comparableReply(`stranger_${event}@example.org`, event)).toEqual(first)
      // And the same again the second time.
      const again = await comparableReply(member.email, event)
      expect(again).toMatchObject({ http: 429, code: 429 })
      expect(await comparableReply(`stranger_${event}@example.org`, event)).toEqual(again)
    },
  )

  it('is possible once a minute, and the refusal says when again, in the header too', async () => {
    await stopClock(app().database)
    await send('minute@example.org')
    const refused = await send('MINUTE@example.org')
    expect(refused).toMatchObject({ http: 429, code: 429, data: { reason: 'too_many_requests' } })
    const { retry_after: seconds } = refused.data as { retry_after: number }
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused.headers.get('retry-after')).toBe(String(seconds))
    expect(refused.msg).toContain(String(seconds))
    await age('minute@example.org', 59.999)
    expect(await send('minute@example.org')).toMatchObject({ http: 429, data: { retry_after: 1 } })
    await age('minute@example.org', 0.001)
    expect(await send('minute@example.org')).toMatchObject({ http: 200, code: 1 })
  })

  it('is possible ten times a day, over both events', async () => {
    const email = 'often@example.org'
    await stopClock(app().database)
    for (let sent = 0; sent < 10; sent += 1) {
      expect(await send(email, sent % 2 ? 'register' : 'resetpwd')).toMatchObject({ code: 1 })
      await age(email, 3_600)
    }
    const refused = await send(email)
    expect(refused).toMatchObject({ http: 429, data: { reason: 'too_many_requests' } })
    // The first of them is ten hours old: after fourteen hours there is room for another.
    const { retry_after: seconds } = refused.data as { retry_after: number }
    expect(seconds).toBeGreaterThan(14 * 3_600 - 60)
    expect(seconds).toBeLessThanOrEqual(14 * 3_600)
    await age(email, seconds)
    expect(await send(email)).toMatchObject({ code: 1 })
  })

  it('twice at once sends one', async () => {
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => send('code_twice_at_once@example.org')),
    )
    expect(replies.map(({ http }) => http).sort()).toEqual([200, 429, 429, 429])
    await mailedCode(app(), 'code_twice_at_once@example.org')
    expect(await mailsTo('code_twice_at_once@example.org')).toHaveLength(1)
  })

  it('mails an owner no code to register with, and a stranger none to reset with', async () => {
    const member = await registerByMail(app(), 'owner_of_it')
    await age(member.email, 61)
    await send(member.email)
    await send('reset_stranger@example.org', 'resetpwd')
    // A further mail would have arrived after those two.
    await send('after_them@example.org')
    await mailedCode(app(), 'after_them@example.org')
    const notice = await eventually(async () =>
      (await mailsTo(member.email)).find(
        ({ subject }) => subject === 'You already have a Sum28 account',
      ),
    )
    expect(notice.text).not.toMatch(/\d{6}/)
    expect(await mailsTo(member.email)).toHaveLength(2)
    expect(await mailsTo('reset_stranger@example.org')).toEqual([])
  })

  it('takes event by its other name, and refuses another event or none', async () => {
    const ask = (body: object) => app().post('/api/ems/send', body)
    const email = 'purposeful@example.org'
    expect(await ask({ email, purpose: 'register' })).toMatchObject({ code: 1 })
    expect(await ask({ email: 'x@example.org' })).toMatchObject({ http: 400, code: 400 })
    expect(await ask({ email: 'x@example.org', event: 'login' })).toMatchObject({ http: 400 })
    expect(await ask({ email: 'not an address', event: 'register' })).toMatchObject({
      data: { fields: { email: 'This is not an e-mail address' } },
    })
  })

  it('writes in the language asked for', async () => {
    await send('anh@example.org', 'register', 'vi')
    const code = await mailedCode(app(), 'anh@example.org')
    const [mail] = await mailsTo('anh@example.org')
    expect(mail?.subject).toContain(code)
    expect(mail?.text).toMatch(/phút/)
  })

  it('stores no code that could be read', async () => {
    await send('stored@example.org')
    const code = await mailedCode(app(), 'stored@example.org')
    const [row] = await app().database.owner.query<{ code_hash: Buffer }>(
      `select * from accounts.email_code where email_key = 'stored@example.org'`,
    )
    expect(
      JSON.stringify({ ...row, id: 0, code_hash: row?.code_hash.toString('hex') }),
    ).not.toContain(`"${code}"`)
    expect(row?.code_hash).toHaveLength(32)
  })
})

describe('a stranger who requests the ten codes of a day', () => {
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  const [home, abroad] = [from('198.51.100.7'), from('192.0.2.9')]

  it('keeps the owner from none on his own network, and elsewhere the refusal says where', async () => {
    const email = 'wanted@example.org'
    const password = TEST_PASSWORD
    await app().call(sendCode, { email, event: 'register' }, home)
    const code = await mailedCode(app(), email)
    const person = { username: 'wanted_owner', email, code, password, adult: true }
    expect(await app().call(register, person, home)).toMatchObject({ code: 1 })
    await age(email, 86_400)
    for (let n = 0; n < 10; n += 1) {
      const request = { email, event: 'resetpwd' } as const
      expect(await app().call(sendCode, request, from(`203.0.113.${n}`))).toMatchObject({ code: 1 })
      await age(email, 61)
    }
    const elsewhere = await app().call(sendCode, { email, event: 'resetpwd' }, abroad)
    expect(elsewhere).toMatchObject({ http: 429, data: { reason: 'too_many_requests', hours: 24 } })
    expect(elsewhere.msg).toContain('on a network where you have logged in before')

    await eventually(async () => (await mailsTo(email)).length === 11 || undefined)
    await app().call(sendCode, { email, event: 'resetpwd' }, home)
    await eventually(async () => (await mailsTo(email)).length === 12 || undefined)
    const captcha = await mailedCode(app(), email)
    const reset = { email, captcha, newpassword: 'another long passphrase' }
    expect(await app().call(resetPassword, reset, home)).toMatchObject({ code: 1 })
  })
})

describe('codes to many addresses', () => {
  const limited = shareTestApp({ RATE_LIMITS: 'on' })
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

  it('are limited by network and in all; staff see it, and an owner gets his on his own network', async () => {
    const test = limited()
    const ask = (n: number, address: string) =>
      test.call(sendCode, { email: `many_${n}@example.org`, event: 'register' }, from(address))
    const { email } = await registerMember(test, 'owner_at_home')
    const { owner } = test.database
    /** As if all counts of codes had come so far. */
    const counted = (tries: number) =>
      owner.query('update accounts.counter set tries = $1 where tries > 0', [tries])
    const shown = async () =>
      (await readNeeds(test.database.db)).some(({ need }) => need === 'codes_used_up')

    await owner.query('delete from accounts.counter')
    expect(await ask(1, '203.0.113.1')).toMatchObject({ code: 1 })
    await counted(NETWORK_CODES_A_DAY - 1)
    expect(await ask(2, '203.0.113.1')).toMatchObject({ code: 1 })
    expect(await ask(3, '203.0.113.1')).toMatchObject({ http: 429, data: { hours: 24 } })
    expect(await ask(4, '203.0.113.2')).toMatchObject({ code: 1 })
    expect(await shown()).toBe(false)

    await counted(ALL_CODES_A_DAY)
    expect(await ask(5, '203.0.113.3')).toMatchObject({ http: 429 })
    expect(await shown()).toBe(true)
    await owner.query(`update accounts.email_code set created_at = created_at - interval '2 days'`)
    const before = (await mailsOf(test)).length
    // The reply is that of a stranger, and the code is sent.
    const request = { email, event: 'resetpwd' } as const
    expect(await test.call(sendCode, request)).toMatchObject({ http: 429 })
    await eventually(async () => (await mailsOf(test)).length > before || undefined)
    await test.database.shiftClock(86_400_000)
    expect(await ask(6, '203.0.113.3')).toMatchObject({ code: 1 })
  })

  it('are limited together for the many networks of one customer', async () => {
    const test = limited()
    const ask = (n: number) =>
      test.call(
        sendCode,
        { email: `wide_${n}@example.org`, event: 'register' },
        from(`2001:db8:1:${n}::1`),
      )
    const counted = (tries: number) =>
      test.database.owner.query('update accounts.counter set tries = $1', [tries])
    expect(await ask(1)).toMatchObject({ code: 1 })
    // Of the /64, the /56, the /48 and of all: only the /56 is used up by this.
    await counted(4 * NETWORK_CODES_A_DAY - 1)
    expect(await ask(2)).toMatchObject({ code: 1 })
    expect(await ask(3)).toMatchObject({ http: 429, data: { hours: 24 } })
  })
})
