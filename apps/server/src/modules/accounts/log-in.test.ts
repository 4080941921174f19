import { login, logout, refresh, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { stopClock } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { argon2Work } from '#testing/product/cheap-passwords.ts'
import {
  cookieOf,
  type Reply,
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { accountById } from './account-store.ts'
import { rememberDevice, takeRememberedDevice } from './remember-device.ts'
import { hashSecret, startSession } from './session.ts'

const test = useWorkersApi()

const signIn = (account: string, password = TEST_PASSWORD, remember = false) =>
  test.call(login, { account, password, remember })

/** The reply without its values that always differ, and the work of hashing that it took. */
async function comparable(reply: () => Promise<Reply<unknown>>) {
  const before = argon2Work()
  const { http, code, msg, data, headers } = await reply()
  const work = argon2Work() - before
  return { http, code, msg, data, names: [...headers.keys()].sort(), work }
}

async function freeze({ id }: TestMember) {
  await changePlayer(test.database, id, `state = 'frozen'`)
}

describe('signing in', () => {
  it('takes the user name or the address, whatever the case', async () => {
    const member = await registerMember(test, 'Case_Of_Names')
    for (const account of ['Case_Of_Names', 'case_of_names', 'CASE_OF_NAMES@EXAMPLE.ORG']) {
      const reply = await signIn(` ${account} `)
      expect(reply).toMatchObject({ code: 1, data: { userinfo: { user_id: member.id } } })
      const { token } = reply.data.userinfo
      expect((await test.call(userInfo, {}, { token })).data.username).toBe('Case_Of_Names')
    }
  })

  it('gives a wrong password and an unknown account the same answer, and a robot even for its password', async () => {
    const member = await registerMember(test, 'alike')
    await test.database.owner.query(
      `insert into accounts.player (username, group_id, kind, password_hash)
       select 'machine', 1, 'robot', password_hash from accounts.player where id = $1`,
      [member.id],
    )
    const answerTo = (account: string) => comparable(() => signIn(account, 'something else'))
    const wrong = await answerTo(member.username)
    // As much work is as much time: here one hash of 19 MiB in two passes.
    expect(wrong).toMatchObject({
      http: 200,
      code: 0,
      data: { reason: 'account_or_password_wrong' },
      work: 2 * 19_456,
    })
    for (const account of [member.email, 'nobody_at_all', 'nobody@example.org']) {
      expect(await answerTo(account)).toEqual(wrong)
    }
    expect(await comparable(() => signIn('machine'))).toEqual(wrong)
    // No robot has one, and other tests look.
    await test.database.owner.query(
      `update accounts.player set password_hash = null where username = 'machine'`,
    )
    await freeze(member)
    expect(await answerTo(member.username)).toEqual(wrong)
    // Only its owner, with the right password, learns that it is locked.
    expect(await signIn(member.username)).toMatchObject({ data: { reason: 'account_locked' } })
  })

  it('gives a player who did not ask to be remembered no cookie but the one by which his device is known', async () => {
    const member = await registerMember(test, 'forgettable')
    const [device = '', ...others] = (await signIn(member.username)).headers.getSetCookie()
    expect(others).toEqual([])
    expect(device).toMatch(/^device=[\w-]{43}; /)
    const flags = device.split('; ').slice(1).sort()
    expect(flags).toEqual(['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Strict'])
  })
})

/** Signs in with remember-me and returns the cookie as a browser would send it. */
async function remembered(username: string) {
  const member = await registerMember(test, username)
  const reply = await signIn(username, TEST_PASSWORD, true)
  return { member, token: reply.data.userinfo.token, ...setBy(reply) }
}

/** What a reply sets of the remembered device: its cookie, and the mark that tells the page whose it is. */
function setBy(reply: { headers: Headers }) {
  const [header = '', mark = ''] = reply.headers.getSetCookie()
  return { header, mark, cookie: cookieOf(reply) }
}

const trade = (cookie: string, key?: string) =>
  test.call(refresh, {}, { headers: { Cookie: cookie }, ...(key && { key }) })
const REFUSED = { http: 401, code: 50008, data: { reason: 'session_unknown' } }

describe('the remember-me cookie', () => {
  it('is not readable by scripts or other sites, and lasts 14 days', async () => {
    const { header, mark, member, cookie } = await remembered('cookie_flags')
    const flags = header.split('; ').slice(1).sort()
    expect(flags).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Strict'])
    // The page is told whose it is.
    expect(mark).toBe(`remember_device=${member.id}; Max-Age=1209600; Path=/; SameSite=Strict`)
    expect(cookie).toMatch(/^remember=[\w-]{43}$/)
    const hashes = await test.database.owner.column<Buffer>(
      'select secret_hash from accounts.remembered_device',
    )
    expect(hashes.map((hash) => hash.toString('base64url'))).not.toContain(cookie.split('=')[1])
  })

  it('is valid for one new token, and sets the next cookie', async () => {
    await stopClock(test.database)
    const { member, cookie } = await remembered('rotated')
    const first = await trade(cookie)
    expect(first).toMatchObject({ code: 1, data: { userinfo: { user_id: member.id } } })
    const { token } = first.data.userinfo
    expect(await test.call(userInfo, {}, { token })).toMatchObject({ code: 1 })
    const next = cookieOf(first)
    expect(next).not.toBe(cookie)

    // Another page of the same browser, which must not lose the next cookie by it.
    const again = await trade(cookie)
    expect(again).toMatchObject(REFUSED)
    expect(setBy(again).header).toBe('')
    expect(await trade(next)).toMatchObject({ code: 1 })
  })

  it('that is used again later ends all that followed from its sign-in, and nothing else', async () => {
    const { member, token, cookie } = await remembered('robbed')
    const elsewhere = await signIn('robbed', TEST_PASSWORD, true)
    const first = await trade(cookie)
    const second = await trade(cookieOf(first))
    await test.database.owner.query(
      `update accounts.remembered_device set used_at = used_at - interval '31 seconds'
       where player_id = $1`,
      [member.id],
    )

    const replayed = await trade(cookie)
    expect(replayed).toMatchObject(REFUSED)
    expect(setBy(replayed).header).toMatch(/^remember=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
    expect(await trade(cookieOf(second))).toMatchObject(REFUSED)
    for (const ended of [token, first.data.userinfo.token, second.data.userinfo.token]) {
      expect(await test.call(userInfo, {}, { token: ended })).toMatchObject({ code: 50012 })
    }
    // Another device of the same player, and his session without one.
    const other = elsewhere.data.userinfo.token
    expect(await test.call(userInfo, {}, { token: other })).toMatchObject({ code: 1 })
    expect(await test.call(userInfo, {}, { token: member.token })).toMatchObject({ code: 1 })
    expect(await trade(cookieOf(elsewhere))).toMatchObject({ code: 1 })
  })

  it('ends with the logout, with every copy that was exchanged from it, and no other device does', async () => {
    const { member, cookie } = await remembered('copied')
    const elsewhere = await signIn('copied', TEST_PASSWORD, true)
    const first = await trade(cookie)
    const copy = await trade(cookieOf(first))
    // The owner's browser has lost its cookie to the copy's exchange, or has none any more.
    expect(await test.call(logout, {}, first.data.userinfo)).toMatchObject({ code: 1 })
    expect(await trade(cookieOf(copy))).toMatchObject(REFUSED)
    for (const { data } of [first, copy]) {
      const { token } = data.userinfo
      expect(await test.call(userInfo, {}, { token })).toMatchObject({ http: 401 })
    }
    expect(await test.call(userInfo, {}, elsewhere.data.userinfo)).toMatchObject({ code: 1 })
    const other = cookieOf(await trade(cookieOf(elsewhere)))
    // A session that no cookie has begun ends that which comes with the call.
    const left = await test.call(logout, {}, { token: member.token, headers: { Cookie: other } })
    expect(setBy(left).header).toMatch(/^remember=;/)
    expect(await trade(other)).toMatchObject(REFUSED)
  })

  it.each([
    ['without a token', undefined],
    ['with one that is not valid', 'ended'],
  ])('ends with a logout that comes later, %s', async (_, token) => {
    const { cookie, ...session } = await remembered(`late_${token ?? 'none'}`)
    const headers = { Cookie: cookie }
    const leave = () => test.call(logout, {}, { headers, key: 'one-key', ...(token && { token }) })
    const left = await leave()
    expect(left).toMatchObject({ code: 1, data: null })
    expect(setBy(left).header).toMatch(/^remember=;/)
    expect(await trade(cookie)).toMatchObject(REFUSED)
    expect(await test.call(userInfo, {}, session)).toMatchObject(REFUSED)
    // Its answer may have been lost.
    expect(setBy(await leave()).header).toMatch(/^remember=;/)
  })

  it('is left to whoever has signed in on the device since, by a logout that is tried again', async () => {
    const { member, token, cookie } = await remembered('left_device')
    const leave = (cookies: string[], key: string) =>
      test.call(logout, {}, { token, key, headers: { Cookie: cookies.join('; ') } })
    expect(await leave([cookie, 'remember_device=-1'], 'one')).toMatchObject({ code: 1 })
    const since = await remembered('new_on_device')
    const cookies = [since.cookie, `remember_device=${since.member.id}`]
    // Also if no earlier try has reached the server.
    for (const key of ['one', 'two']) {
      const again = await leave(cookies, key)
      expect(again).toMatchObject({ code: 1, data: null })
      expect(again.headers.getSetCookie()).toEqual([])
    }
    expect(await test.call(userInfo, {}, since)).toMatchObject({ code: 1 })
    expect(await trade(since.cookie)).toMatchObject({ code: 1 })
    expect(await trade(cookie)).toMatchObject(REFUSED)
    expect(await test.call(userInfo, {}, { token })).toMatchObject(REFUSED)
    expect(await test.call(userInfo, {}, member)).toMatchObject({ code: 1 })
  })

  it('ends with a session of its player that began after it, whatever its mark says, and with no earlier one', async () => {
    const { member, cookie: first } = await remembered('unticked')
    const cookie = cookieOf(await trade(first))
    const headers = { Cookie: `${cookie}; remember_device=${member.id}` }
    const leave = ({ token }: { token: string }) => test.call(logout, {}, { token, headers })
    expect((await leave(member)).headers.getSetCookie()).toEqual([])
    const others = (await remembered('on_his_device')).member
    expect((await leave(others)).headers.getSetCookie()).toEqual([])
    const { userinfo } = (await signIn(member.username)).data
    expect(setBy(await leave(userinfo)).header).toMatch(/^remember=;/)
    expect(await trade(cookie)).toMatchObject(REFUSED)
  })

  it('is not extended by an exchange in flight while staff end all sessions', async () => {
    const { member, cookie } = await remembered('in_flight')
    const { db, owner } = test.database
    const secretHash = hashSecret(cookie.split('=')[1] ?? '')
    // The exchange has used the cookie, and has neither a session nor the next cookie yet.
    const { family = null } = (await takeRememberedDevice(db, { secretHash, keyHash: null })) ?? {}
    await owner.query(`select accounts.sign_out($1, 'staff')`, [member.id])
    const account = await accountById(db, member.id)
    const passwordHash = account?.passwordHash ?? null
    const began = { playerId: member.id, passwordHash, netAtStart: 0n }
    const token = (await startSession(db, began)) ?? ''
    expect(token).not.toBe('')
    const proved = { id: member.id, passwordHash }
    expect(await rememberDevice(db, proved, { token, family })).toBeNull()
    const live = 'select from accounts.session where player_id = $1 and ended_at is null'
    expect(await owner.query(live, [member.id])).toEqual([])
  })

  it('is valid again in a repeated call, whose answer may have been lost, and in no other', async () => {
    await stopClock(test.database)
    const { member, cookie } = await remembered('lost_answer')
    const [first, again] = [await trade(cookie, 'one-call'), await trade(cookie, 'one-call')]
    for (const each of [first, again]) {
      const { token } = each.data.userinfo
      expect(await test.call(userInfo, {}, { token })).toMatchObject({ code: 1 })
    }
    expect(cookieOf(again)).not.toBe(cookieOf(first))
    for (const key of ['another-call', undefined]) {
      expect(await trade(cookie, key)).toMatchObject(REFUSED)
    }
    expect(await trade(cookieOf(again), 'the-next-call')).toMatchObject({ code: 1 })

    const later = (seconds: number) =>
      test.database.owner.query(
        `update accounts.remembered_device set used_at = used_at - make_interval(secs => $2)
         where player_id = $1`,
        [member.id, seconds],
      )
    // Its time is counted from the first use: a repeat does not begin it anew.
    await later(60)
    expect(await trade(cookie, 'one-call')).toMatchObject({ code: 1 })
    await later(31)
    expect(await trade(cookie, 'one-call')).toMatchObject(REFUSED)
    const { token } = again.data.userinfo
    expect(await test.call(userInfo, {}, { token })).toMatchObject({ code: 50012 })
  })

  it('is valid once if it is sent twice at once', async () => {
    const { cookie } = await remembered('twice_at_once')
    const both = await Promise.all([trade(cookie), trade(cookie)])
    expect(both.map(({ http }) => http).sort()).toEqual([200, 401])
  })

  it.each([
    [14 * 86_400 - 0.001, 200],
    [14 * 86_400, 401],
  ])('after %d seconds is answered with %i', async (seconds, http) => {
    const { owner } = test.database
    await stopClock(test.database)
    const { member, cookie } = await remembered(`aged_${http}`)
    await owner.query(
      `update accounts.remembered_device set expires_at = expires_at - make_interval(secs => $1)
       where player_id = $2`,
      [seconds, member.id],
    )
    expect((await trade(cookie)).http).toBe(http)
  })

  it('lets nobody into a frozen account, nor in by none or an unknown one', async () => {
    const { member, cookie } = await remembered('frozen_cookie')
    await freeze(member)
    expect(await trade(cookie)).toMatchObject({ code: 0, data: { reason: 'account_locked' } })
    const none = { http: 401, code: 401, data: { reason: 'token_missing' } }
    expect(await test.call(refresh, {})).toMatchObject(none)
    expect(await trade('remember=made-up')).toMatchObject(REFUSED)
  })
})
