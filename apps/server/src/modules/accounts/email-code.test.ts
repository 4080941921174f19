import { register, resetPassword } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { queuedMails } from '#testing/database/stored-rows.ts'
import { stopClock } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { argon2Work } from '#testing/product/cheap-passwords.ts'
import {
  answerTo,
  mailedCode,
  mailsOf,
  mailTo,
  registerByMail,
  registerMember,
  TEST_PASSWORD,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const test = useWorkersApi()

type Event = 'register' | 'resetpwd'

const send = (email: string, event: Event = 'register', lang = 'en') =>
  test.post('/api/ems/send', { email, event, lang })

/** The reply without its values that always differ, and how many mails were queued, of which one may be to nobody. */
async function comparableReply(email: string, event: Event) {
  const queued = async () => (await queuedMails(test.database)).length
  const before = await queued()
  const { http, code, msg, data, headers } = await send(email, event)
  const names = [...headers.keys()].sort()
  const mails = (await queued()) - before
  return { http, code, msg, data, names, length: headers.get('content-length'), mails }
}

/** The answer to a wrong code. */
function guess(email: string, event: Event) {
  const person = { username: 'guesser', code: '000000', password: TEST_PASSWORD, adult: true }
  const reset = { captcha: '000000', newpassword: 'another long passphrase' }
  return answerTo(
    event === 'register'
      ? test.call(register, { ...person, email })
      : test.call(resetPassword, { ...reset, email }),
  )
}

async function age(email: string, seconds: number) {
  await test.database.owner.query(
    `update accounts.email_code set created_at = created_at - make_interval(secs => $2) where email_key = $1`,
    [email, seconds],
  )
}

const mailsTo = async (email: string) => (await mailsOf(test)).filter(({ to }) => to === email)

describe('asking for a code', () => {
  it.each(['register', 'resetpwd'] as const)(
    'is answered alike for known and unknown addresses: %s',
    async (event) => {
      const member = await registerMember(test, `known_${event}`)
      await age(member.email, 61)
      // The answer contains the seconds to wait: none passes between the two.
      await stopClock(test.database)
      const first = await comparableReply(member.email, event)
      expect(first).toMatchObject({ http: 200, code: 1, data: null, mails: 1 })
      const stranger = `stranger_${event}@example.org`
      expect(await comparableReply(stranger, event)).toEqual(first)
      // Each has a code to compare a guess with, and no guess costs the time of a hash.
      const hashed = argon2Work()
      for (const email of [member.email, stranger])
        expect(await guess(email, event)).toBe('email_code_wrong')
      expect(argon2Work()).toBe(hashed)
      // And the same again the second time.
      const again = await comparableReply(member.email, event)
      expect(again).toMatchObject({ http: 429, code: 429 })
      expect(await comparableReply(stranger, event)).toEqual(again)
    },
  )

  it('is possible once a minute, and the refusal says when again, in the header too', async () => {
    await stopClock(test.database)
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

  it('is possible at once after one that was requested on a clock that was ahead', async () => {
    await stopClock(test.database)
    await send('ahead@example.org')
    await age('ahead@example.org', -3_600)
    expect(await send('ahead@example.org')).toMatchObject({ http: 200, code: 1 })
  })

  it('twice at once sends one', async () => {
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => send('code_twice_at_once@example.org')),
    )
    expect(replies.map(({ http }) => http).sort()).toEqual([200, 429, 429, 429])
    await mailedCode(test, 'code_twice_at_once@example.org')
    expect(await mailsTo('code_twice_at_once@example.org')).toHaveLength(1)
  })

  it('mails an owner no code to register with, and a stranger none to reset with', async () => {
    const member = await registerByMail(test, 'owner_of_it')
    await age(member.email, 61)
    await send(member.email)
    await send('reset_stranger@example.org', 'resetpwd')
    // A further mail would have arrived after those two.
    await send('after_them@example.org')
    await mailedCode(test, 'after_them@example.org')
    const notice = await mailTo(test, member.email, ({ subject }) => /already have/.test(subject))
    expect(notice.text).not.toMatch(/\d{6}/)
    expect(await mailsTo(member.email)).toHaveLength(2)
    expect(await mailsTo('reset_stranger@example.org')).toEqual([])
  })

  it('mails the owner of a closed account that its address stays with it, and not to log in', async () => {
    const member = await registerByMail(test, 'owner_of_closed')
    await changePlayer(test.database, member.id, `state = 'closed', closed_at = app.now()`)
    await age(member.email, 61)
    await send(member.email)
    const notice = await mailTo(test, member.email, ({ subject }) => /was closed/.test(subject))
    expect(notice.text).toMatch(/use another address/)
    expect(notice.text).not.toMatch(/log in|\d{6}/)
  })

  it('writes in the language asked for, and stores no code that could be read', async () => {
    const email = 'anh@example.org'
    await send(email, 'register', 'vi')
    const code = await mailedCode(test, email)
    expect((await mailsTo(email))[0]?.text).toMatch(/phút/)
    const row = await test.database.owner.one<{ row: object; hash: Buffer }>(
      `select to_jsonb(email_code) - 'id' as row, code_hash as hash from accounts.email_code where email_key = $1`,
      [email],
    )
    expect(row.hash).toHaveLength(32)
    expect(JSON.stringify(row.row)).not.toContain(`"${code}"`)
  })
})
