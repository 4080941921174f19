/** Making accounts, over the API of the whole product. */
import { newPass, recharge } from '@sum28/contract/money-routes.ts'
import { refresh, register, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { stopClock } from '#testing/database/test-database.ts'
import {
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

function reasonOf({ code, http, data }: { code: number; http: number; data: unknown }) {
  return code === 1 ? 'done' : { http, code, reason: (data as { reason: string }).reason }
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

const refusal = (reason: string) => ({ http: 200, code: 0, reason })
const MALFORMED = { http: 400, code: 400, reason: 'invalid_input' }

describe('registering a member', () => {
  it('makes a member of the person who has the mailed code, with an empty wallet and a token that works', async () => {
    const person = await newcomer()
    const reply = await test.call(register, person)
    expect(reply).toMatchObject({
      http: 200,
      code: 1,
      data: { userinfo: { username: person.username, group_id: 1, money: '0.00' } },
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
    const names = ['a', 'b', 'c'].map((end) => `${person.username}_${end}`)
    const both = await Promise.all(
      names.slice(1).map((username) => test.call(register, { ...person, username })),
    )
    const late = await test.call(register, { ...person, username: names[0] })
    const used = refusal('email_code_expired')
    expect(both.map(reasonOf)).toEqual(expect.arrayContaining(['done', used]))
    expect(reasonOf(late)).toEqual(used)
  })

  it.each([
    [600, 'done'],
    [601, refusal('email_code_expired')],
  ])('answers a code that is %i s old with %o', async (seconds, answer) => {
    await stopClock(test.database)
    const person = await newcomer()
    await ageCodes(person.email, seconds)
    expect(reasonOf(await test.call(register, person))).toEqual(answer)
  })

  it('accepts a code for no other address and for no other event', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    if (one.code !== other.code) {
      expect(reasonOf(await test.call(register, { ...one, code: other.code }))).toEqual(
        refusal('email_code_wrong'),
      )
    }
    const member = await registerMember(test, 'resetting')
    await ageCodes(member.email, 61)
    await test.call(sendCode, { email: member.email, event: 'resetpwd' })
    const { email } = member
    const forReset = { ...one, email, code: await mailedCode(test, email) }
    expect(reasonOf(await test.call(register, forReset))).toEqual(refusal('email_code_expired'))
  })

  it('refuses a username that is taken, whatever the case, and the code stays valid', async () => {
    const [first, second] = [await newcomer(), await newcomer()]
    await test.call(register, first)
    const taken = { ...second, username: first.username.toUpperCase() }
    for (let tries = 0; tries < 7; tries += 1) {
      expect(reasonOf(await test.call(register, taken))).toEqual(refusal('username_taken'))
    }
    expect(reasonOf(await test.call(register, second))).toBe('done')
  })

  it.each([false, 0, '', {}])('refuses who does not say that he is an adult: %s', async (adult) => {
    const person = { username: 'not_of_age', email: 'not_of_age@example.org', code: '000000' }
    const body = { ...person, password: TEST_PASSWORD, group_id: 1, adult }
    const reply = await test.post('/api/user/register', body)
    expect(reasonOf(reply)).toEqual(refusal('adult_required'))
  })

  it('refuses a common password, a short one and a very long one, and the code stays valid', async () => {
    const person = await newcomer()
    const withPassword = async (password: string) =>
      reasonOf(await test.call(register, { ...person, password }))
    expect(await withPassword('Password1')).toEqual(refusal('password_common'))
    expect(await withPassword('seven77')).toEqual(MALFORMED)
    expect(await withPassword('x'.repeat(129))).toEqual(MALFORMED)
    expect(await withPassword('x'.repeat(128))).toBe('done')
  })

  it('names each field that is wrong, in the language asked for', async () => {
    const reply = await test.post('/api/user/register', {
      username: 'a b',
      email: 'nobody',
      code: '12',
      password: 'short',
      lang: 'en',
    })
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
    const reply = await test.post('/api/user/register', { ...person, lang: 'en' })
    expect(reasonOf(reply)).toEqual(refusal(reason))
    expect(reply.msg).toContain(sentence)
    expect(await playersNamed(person.username)).toEqual([])
  })

  it('may send the code as a number, which has lost its leading zeros', async () => {
    const person = await newcomer()
    const sent = { ...person, code: Number(person.code) }
    expect(reasonOf(await test.post('/api/user/register', sent))).toBe('done')
  })
})

describe('a visitor', () => {
  const visit = async (username: unknown) => {
    const reply = await test.post('/api/user/register', {
      username,
      password: 'qwzxvk',
      group_id: '2',
    })
    expect(reply).toMatchObject({ http: 200, code: 1 })
    return (reply.data as { userinfo: { username: string } }).userinfo.username
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
    expect(reasonOf(await test.call(register, again))).toEqual(refusal('username_taken'))
  })

  it('may change his password for one that is as short', async () => {
    const visitor = { username: 'guest_short', password: 'qwzxvk', group_id: 2 }
    const { token } = (await test.call(register, visitor)).data.userinfo
    const change = (new_pass: string) =>
      test.call(newPass, { new_pass, old_pass: visitor.password }, { token })
    expect(reasonOf(await change('qwzxv'))).toEqual(MALFORMED)
    expect(reasonOf(await change('kvxzwq'))).toBe('done')
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
    const name = `guest${Date.now()}`
    const reply = await test.call(register, {
      username: name,
      password: 'qwzxvk',
      group_id: 2,
      email: 'claimed@example.org',
      code: '123456',
    })
    expect(reply).toMatchObject({ code: 1, data: { userinfo: { group_id: 2, username: name } } })
    const { token } = reply.data.userinfo
    expect(reasonOf(await test.call(recharge, {}, { token }))).toEqual(refusal('member_only'))
    expect((await test.call(userInfo, {}, { token })).data).toMatchObject({
      group_id: 2,
      email: '',
    })
  })

  it('is not made by other fields of a body', async () => {
    const body = `{"username":"polluter","password":"${TEST_PASSWORD}","group_id":2,"money":"1000",
      "id":1,"kind":"robot","is_staff":true,"state":"frozen"}`
    const reply = await test.post('/api/user/register', body)
    expect(reply).toMatchObject({ code: 1, data: { userinfo: { group_id: 2, money: '0.00' } } })
    expect(await playersNamed('polluter')).toMatchObject([
      { group_id: 2, kind: 'person', state: 'active', email: null },
    ])
    for (const poison of [
      '"__proto__":{"groupId":1}',
      '"constructor":{"prototype":{"groupId":1}}',
    ]) {
      const poisoned = body.replace('polluter', 'poisoner').replace('"id":1', poison)
      expect(reasonOf(await test.post('/api/user/register', poisoned))).toEqual(MALFORMED)
    }
    expect(await playersNamed('poisoner')).toEqual([])
  })
})

it('the inviter is stored if he exists, and ignored otherwise', async () => {
  const inviter = await registerMember(test, 'inviter')
  const inviterOf = async (inviter_id: unknown) => {
    const person = await newcomer()
    const reply = await test.post('/api/user/register', { ...person, inviter_id })
    expect(reply.code).toBe(1)
    return (await playersNamed(person.username))[0]?.inviter_id
  }
  expect(await inviterOf(inviter.id)).toBe(inviter.id)
  expect(await inviterOf(String(inviter.id))).toBe(inviter.id)
  for (const unknown of [999_999_999, 'somebody', '', null, -1, 1e300, [1], { id: 1 }]) {
    expect(await inviterOf(unknown)).toBeNull()
  }
})
