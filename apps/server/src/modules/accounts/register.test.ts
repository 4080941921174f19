/** Making accounts, over the API of the whole product. */
import { newPass, recharge } from '@sum28/contract/money-routes.ts'
import { invitees, refresh, register, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { stopClock } from '#testing/database/test-database.ts'
import { timeOf } from '#testing/product/play-round.ts'
import {
  answerTo,
  cookieOf,
  mailedCode,
  registerMember,
  TEST_PASSWORD,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const test = useWorkersApi()

let count = 0

/** A new person: a name, an address, and the code that was mailed there. */
async function newcomer() {
  count += 1
  const username = `newcomer_${count}`
  const email = `${username}@example.org`
  await test.call(sendCode, { email, event: 'register' })
  const code = await mailedCode(test, email)
  return { username, email, code, password: TEST_PASSWORD, group_id: 1, adult: true }
}

/** Ages the codes of an address by this many seconds. */
async function ageCodes(email: string, seconds: number) {
  await test.database.owner.query(
    `update accounts.email_code set created_at = created_at - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2) where email_key = $1`,
    [email, seconds],
  )
}

async function playersNamed(username: string): Promise<Record<string, unknown>[]> {
  return test.database.owner.query('select * from accounts.player where username_key = lower($1)', [
    username,
  ])
}

/** The answer to a body that the contract does not describe. */
const sent = (body: unknown) => answerTo(test.post(register.path, body))

describe('registering a member', () => {
  it('makes a member of the person who has the mailed code, with an empty wallet and a token that works', async () => {
    const person = await newcomer()
    const reply = await test.call(register, person)
    expect(reply.data.userinfo).toMatchObject({
      username: person.username,
      group_id: 1,
      money: '0.00',
    })
    const profile = await test.call(userInfo, {}, { token: reply.data.userinfo.token })
    expect(profile.data).toMatchObject({ email: person.email, money: '0.00', group_id: 1 })
    expect(profile.msg).toEqual(profile.data)
    expect(cookieOf(reply)).toBe('')
  })

  it('remembers the device if the person ticked it, also where the call is repeated', async () => {
    const person = { ...(await newcomer()), remember: true }
    for (const _ of ['the call', 'its repeat']) {
      const reply = await test.call(register, person, { key: 'b'.repeat(32) })
      const { user_id } = reply.data.userinfo
      const again = await test.call(refresh, {}, { headers: { Cookie: cookieOf(reply) } })
      expect(again).toMatchObject({ code: 1, data: { userinfo: { user_id } } })
    }
  })

  it('whose call failed after the account was made is answered by its repeat', async () => {
    const person = await newcomer()
    const ask = () => test.call(register, person, { key: 'c'.repeat(32) })
    const failed = await answerAfter(test.database, {
      first: (tx) => tx.query('lock table accounts.known_device'),
      second: ask,
      whileWaiting: (tx) =>
        tx.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where wait_event_type = 'Lock' and datname = current_database()`,
        ),
    })
    expect(failed).toMatchObject({ http: 503, data: { reason: 'unavailable', cause: 'timeout' } })
    const again = await ask()
    const { username } = person
    expect(again).toMatchObject({ code: 1, data: { userinfo: { username } } })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await playersNamed(username)).toHaveLength(1)
  })

  it('accepts a code once, in consecutive and simultaneous calls', async () => {
    const person = await newcomer()
    const registerAs = (end: string) =>
      answerTo(test.call(register, { ...person, username: person.username + end }))
    const both = await Promise.all(['_a', '_b'].map(registerAs))
    expect(both.toSorted()).toEqual(['done', 'email_code_expired'])
    expect(await registerAs('_c')).toBe('email_code_expired')
  })

  it.each([
    [600, 'done'],
    [601, 'email_code_expired'],
  ])('answers a code that is %i s old with %s', async (seconds, answer) => {
    await stopClock(test.database)
    const person = await newcomer()
    await ageCodes(person.email, seconds)
    expect(await answerTo(test.call(register, person))).toBe(answer)
  })

  it('accepts a code for no other address and for no other event', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    if (one.code !== other.code) {
      const ofOther = { ...one, code: other.code }
      expect(await answerTo(test.call(register, ofOther))).toBe('email_code_wrong')
    }
    const member = await registerMember(test, 'resetting')
    await ageCodes(member.email, 61)
    await test.call(sendCode, { email: member.email, event: 'resetpwd' })
    const { email } = member
    const forReset = { ...one, email, code: await mailedCode(test, email) }
    expect(await answerTo(test.call(register, forReset))).toBe('email_code_expired')
  })

  it('refuses a username that is taken, whatever the case, and the code stays valid', async () => {
    const [first, second] = [await newcomer(), await newcomer()]
    await test.call(register, first)
    const taken = { ...second, username: first.username.toUpperCase() }
    for (let tries = 0; tries < 7; tries += 1) {
      expect(await answerTo(test.call(register, taken))).toBe('username_taken')
    }
    expect(await answerTo(test.call(register, second))).toBe('done')
  })

  it('refuses a common password, a short one and a very long one, and the code stays valid', async () => {
    const person = await newcomer()
    const withPassword = (password: string) =>
      answerTo(test.call(register, { ...person, password }))
    expect(await withPassword('Password1')).toBe('password_common')
    expect(await withPassword('seven77')).toBe('invalid_input')
    expect(await withPassword('x'.repeat(129))).toBe('invalid_input')
    expect(await withPassword('x'.repeat(128))).toBe('done')
  })

  it('names each field that is wrong, in the language asked for', async () => {
    const wrong = { username: 'a b', email: 'nobody', code: '12', password: 'short' }
    const reply = await test.post(register.path, { ...wrong, lang: 'en' })
    expect(reply).toMatchObject({ http: 400, code: 400 })
    expect(reply.data).toEqual({
      reason: 'invalid_input',
      fields: {
        username: 'This must be 3 to 20 letters, digits or underscores',
        email: 'This is not an email address',
        code: 'This must be six digits',
        password: 'This must have at least 8 characters',
      },
    })
  })
})

describe('a member whose call lacks a field', () => {
  it.each([
    ['email', 'email_required', 'Please enter your email address'],
    ['code', 'email_code_required', 'Please enter the code'],
    ['adult', 'adult_required', 'Please confirm that you are 18'],
  ] as const)('is told so in a sentence: %s', async (field, reason, sentence) => {
    const all = { username: 'lacking', email: 'lacking@example.org', code: '000000', adult: true }
    const { [field]: _left, ...person } = { ...all, password: TEST_PASSWORD, group_id: 1 }
    const reply = await test.post(register.path, { ...person, lang: 'en' })
    expect(reply).toMatchObject({ code: 0, data: { reason } })
    expect(reply.msg).toContain(sentence)
    expect(await playersNamed(person.username)).toEqual([])
  })
})

describe('a visitor', () => {
  const visit = async (username: unknown) => {
    const visitor = { username, password: 'qwzxvk', group_id: '2' }
    const { data } = await test.post(register.path, visitor)
    return (data as { userinfo: { username: string } }).userinfo.username
  }

  it.each(['\u6e38\u5ba21790000000', 'a b', 'ab', 'x'.repeat(21), undefined, '0'])(
    'whose name does not fit gets one of ours, and the reply says which: %j',
    async (username) => {
      const name = await visit(username)
      expect(name).toMatch(/^guest\d{13}$/)
      expect(await playersNamed(name)).toMatchObject([{ group_id: 2 }])
    },
  )

  it('keeps an allowed name, also one that is a number in JSON, and gets none that is taken', async () => {
    expect(await visit('guest_of_ours')).toBe('guest_of_ours')
    expect(await visit(1790000001)).toBe('1790000001')
    const signIn = { account: 1790000001, password: 'qwzxvk' }
    expect(await test.post('/api/user/login', signIn)).toMatchObject({ code: 1 })
    const again = { username: 'GUEST_of_ours', password: 'qwzxvk', group_id: 2 }
    expect(await sent(again)).toBe('username_taken')
  })

  it('may change his password for one that is as short', async () => {
    const visitor = { username: 'guest_short', password: 'qwzxvk', group_id: 2 }
    const { token } = (await test.call(register, visitor)).data.userinfo
    const change = (new_pass: string) =>
      answerTo(test.call(newPass, { new_pass, old_pass: visitor.password }, { token }))
    expect([await change('qwzxv'), await change('kvxzwq')]).toEqual(['invalid_input', 'done'])
    const member = await registerMember(test)
    const short = { new_pass: 'kvxzwqb', old_pass: TEST_PASSWORD }
    const fields = { new_pass: expect.stringContaining('8') }
    expect(await test.call(newPass, short, member)).toMatchObject({ http: 400, data: { fields } })
  })

  it('who registers at the same moment as others gets his own name', async () => {
    await stopClock(test.database)
    const names = await Promise.all(Array.from({ length: 5 }, () => visit('\u6e38\u5ba2')))
    expect(new Set(names).size).toBe(5)
  })
})

describe('a person who does not become a member', () => {
  it('is a visitor, who can play but not deposit', async () => {
    const claimed = { email: 'claimed@example.org', code: '123456' }
    const visitor = { username: 'guest_with_email', password: 'qwzxvk', group_id: 2, ...claimed }
    const { token } = (await test.call(register, visitor)).data.userinfo
    expect(await answerTo(test.call(recharge, {}, { token }))).toBe('member_only')
    const { data } = await test.call(userInfo, {}, { token })
    expect(data).toMatchObject({ username: visitor.username, group_id: 2, email: '' })
  })

  it('is not made by other fields of a body', async () => {
    const body = `{"username":"polluter","password":"${TEST_PASSWORD}","group_id":2,"money":"1000",
      "id":1,"kind":"robot","is_staff":true,"state":"frozen"}`
    const reply = await test.post(register.path, body)
    expect(reply).toMatchObject({ code: 1, data: { userinfo: { group_id: 2, money: '0.00' } } })
    expect(await playersNamed('polluter')).toMatchObject([
      { group_id: 2, kind: 'person', state: 'active', email: null },
    ])
  })
})

/** Registers a visitor who names an inviter. */
const visitBy = (username: string, inviter_id?: unknown) =>
  sent({ username, password: 'qwzxvk', group_id: 2, inviter_id })

it('the inviter is stored if he exists, and ignored otherwise', async () => {
  const inviter = await registerMember(test, 'inviter')
  let invited = 0
  const inviterOf = async (inviterId: unknown) => {
    invited += 1
    const username = `invited_${invited}`
    expect(await visitBy(username, inviterId)).toBe('done')
    return (await playersNamed(username))[0]?.inviter_id
  }
  expect(await inviterOf(inviter.id)).toBe(inviter.id)
  expect(await inviterOf(String(inviter.id))).toBe(inviter.id)
  // What else may come in its place: fields.test.ts in the contract.
  for (const unknown of [999_999_999, 'somebody', null, -1, 1e300]) {
    expect(await inviterOf(unknown)).toBeNull()
  }
})

it('the list of invited players is shown only to the inviter, newest first, without names, page by page', async () => {
  const inviter = await registerMember(test, 'inviting')
  const other = await registerMember(test, 'not_inviting')
  const before = Math.floor((await timeOf(test)) / 1000)
  for (let n = 10; n < 15; n += 1) {
    await visitBy(`brought_${n}`, inviter.id)
    await test.database.shiftClock(60_000)
  }
  await visitBy('came_alone')

  const { data } = await test.call(invitees, {}, inviter)
  expect(data).toMatchObject({ total: 5, page: 1 })
  // The link leads to the registration, under the address that players open.
  expect(data.link).toMatch(new RegExp(`^http://[^/]+/register\\?inviter_id=${inviter.id}$`))
  // A room's feed has the masked names of the players: by one of them he could read a friend's bets.
  for (const row of data.list) expect(Object.keys(row)).toEqual(['createtime'])
  const times = data.list.map(({ createtime }) => createtime)
  expect(new Set(times).size).toBe(5)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(times[4]).toBeGreaterThanOrEqual(before)
  expect((await test.call(invitees, {}, other)).data).toMatchObject({ total: 0, list: [] })

  const page = async (number: number) =>
    (await test.call(invitees, { page: number, limit: 2 }, inviter)).data
  expect(await page(1)).toMatchObject({ total: 5, page: 1, list: data.list.slice(0, 2) })
  expect(await page(3)).toMatchObject({ total: 5, page: 3, list: data.list.slice(4) })
  expect(await page(4)).toMatchObject({ total: 5, page: 4, list: [] })
})
