/** The security code through the API: set, changed, tried wrongly, locked. */
import { createHook } from 'node:async_hooks'
import { noticeList } from '@sum28/contract/index-routes.ts'
import { safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import { prove } from '@sum28/contract/passkey-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { stopClock } from '#testing/database/test-database.ts'
import { setCode, TEST_CODE } from '#testing/people/cashier.ts'
import { changePlayer, heldSince } from '#testing/people/seated-player.ts'
import {
  API_ALONE,
  createTestApp,
  expectSuccess,
  mailTo,
  newName,
  registerMember,
  TEST_PASSWORD,
  type TestApp,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { CODE_CHANGES_A_DAY } from './security-code.ts'

const OTHER_CODE = '314159'
const WRONG_CODE = '000000'
const DAY_MS = 86_400_000

const test = useWorkersApi()

describe('a security code', () => {
  it('is not set at first, then set once, and shown in the profile and the inbox', async () => {
    const ann = await registerMember(test)
    expect((await test.call(safetyInfo, {}, ann)).data).toEqual({ isTrue: false })
    expect((await test.call(userInfo, {}, ann)).data.is_safety).toBe(false)
    await setCode(test, ann)
    expect((await test.call(safetyInfo, {}, ann)).data).toEqual({ isTrue: true })
    expect((await test.call(userInfo, {}, ann)).data.is_safety).toBe(true)
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei).toMatchObject([{ title: 'A new security code was set', read: false }])
    await mailTo(test, ann.email, ({ subject }) => /security code/.test(subject))
  })

  it('is set at first by a session whose player has just proved that it is him, and by no other', async () => {
    const ann = await registerMember(test)
    const set = () => test.call(setSafety, { new_code: TEST_CODE, repeated_code: TEST_CODE }, ann)
    const unproved = { code: 0, data: { reason: 'proof_required' } }
    expect(await set()).toMatchObject(unproved)
    const wrong = await test.call(prove, { password: 'a guess of a thief' }, ann)
    expect(wrong).toMatchObject({ data: { reason: 'password_wrong' } })
    expect(await set()).toMatchObject(unproved)
    await proveIt(test, ann)
    await test.database.shiftClock(5 * 60_000 + 1)
    expect(await set()).toMatchObject(unproved)
    expect((await test.call(safetyInfo, {}, ann)).data).toEqual({ isTrue: false })
    await proveIt(test, ann)
    expect(await set()).toMatchObject({ code: 1 })
  })

  it('is only changed with the old one, under either field name', async () => {
    const ann = await registerMember(test)
    await setCode(test, ann)
    const without = await test.call(setSafety, { new_code: OTHER_CODE }, ann)
    expect(without).toMatchObject({ code: 400, data: { fields: { old_code: 'This is required' } } })
    const wrong = await test.call(setSafety, { new_code: OTHER_CODE, old_code: WRONG_CODE }, ann)
    expect(wrong).toMatchObject({ code: 0, data: { reason: 'security_code_wrong', tries_left: 4 } })
    const changed = await test.call(setSafety, { new_code: OTHER_CODE, old_code: TEST_CODE }, ann)
    expect(changed.code).toBe(1)
    const back = await test.call(setSafety, { new_code: TEST_CODE, after_code: OTHER_CODE }, ann)
    expect(back.code).toBe(1)
  })

  it('must be six digits and not the password', async () => {
    const ann = await registerMember(test)
    for (const new_code of ['12345', '1234567', '12345a', '']) {
      expect((await test.call(setSafety, { new_code }, ann)).code).toBe(400)
    }
    const visitor = await test.post('/api/user/register', {
      username: newName(),
      password: '271828',
      group_id: 2,
    })
    const { token } = (visitor.data as { userinfo: { token: string } }).userinfo
    const same = await test.call(setSafety, { new_code: '271828' }, { token })
    expect(same).toMatchObject({ code: 0, data: { reason: 'security_code_is_password' } })
    // Nothing of a visitor's can be withdrawn, so that no proof is asked.
    expect(await test.call(setSafety, { new_code: OTHER_CODE }, { token })).toMatchObject({
      code: 1,
    })
  })

  it('is locked for 24 hours by the fifth wrong try in a row, even if they are simultaneous', async () => {
    const ann = await registerMember(test)
    await setCode(test, ann)
    const guess = () => test.call(setSafety, { new_code: OTHER_CODE, old_code: WRONG_CODE }, ann)
    const replies = await Promise.all(Array.from({ length: 12 }, guess))
    const reasons = replies.map(({ data }) => (data as unknown as { reason: string }).reason)
    expect(reasons.filter((reason) => reason === 'security_code_wrong')).toHaveLength(4)
    expect(reasons.filter((reason) => reason === 'security_code_locked')).toHaveLength(8)
    const right = () => test.call(setSafety, { new_code: OTHER_CODE, old_code: TEST_CODE }, ann)
    expect(await right()).toMatchObject({ code: 0, data: { reason: 'security_code_locked' } })
    await test.database.shiftClock(DAY_MS - 10 * 60_000)
    const again = await test.call(
      setSafety,
      { new_code: OTHER_CODE, old_code: TEST_CODE },
      { token: await freshToken(test, ann.username) },
    )
    expect(again).toMatchObject({ code: 0, data: { reason: 'security_code_locked' } })
    await test.database.shiftClock(11 * 60_000)
    const unlocked = await test.call(
      setSafety,
      { new_code: OTHER_CODE, old_code: TEST_CODE },
      { token: await freshToken(test, ann.username) },
    )
    expect(unlocked.code).toBe(1)
  })

  it('only counts wrong tries in a row', async () => {
    const ann = await registerMember(test)
    await setCode(test, ann)
    const codes = [TEST_CODE, OTHER_CODE, TEST_CODE, OTHER_CODE]
    for (const [round, old_code] of codes.slice(0, 3).entries()) {
      for (let wrong = 0; wrong < 4; wrong++) {
        await test.call(setSafety, { new_code: TEST_CODE, old_code: WRONG_CODE }, ann)
      }
      const new_code = codes[round + 1] ?? ''
      expectSuccess(await test.call(setSafety, { new_code, old_code }, ann))
    }
  })

  it('that is guessed first is refused', async () => {
    const ann = await registerMember(test)
    await proveIt(test, ann)
    for (const new_code of ['123456', '000000', '310180']) {
      expect(await test.call(setSafety, { new_code }, ann)).toMatchObject({
        ...{ http: 200, code: 0, data: { reason: 'security_code_common' } },
        msg: expect.stringContaining('guessed first'),
      })
    }
    expect((await test.call(safetyInfo, {}, ann)).data.isTrue).toBe(false)
  })

  it('that equals the old one is refused before a hold begins', async () => {
    const ann = await registerMember(test)
    await setCode(test, ann)
    const { owner } = test.database
    await changePlayer({ owner }, ann.id, 'sensitive_changed_at = null')
    const told = async () => (await test.call(noticeList, {}, ann)).data.zhannei.length
    const before = await told()
    const change = async (old_code: string) =>
      (await test.call(setSafety, { new_code: TEST_CODE, old_code }, ann)).data as unknown
    expect(await change(TEST_CODE)).toEqual({ reason: 'security_code_same' })
    expect(await told()).toBe(before)
    expect(await heldSince(test.database, ann.id)).toBeNull()
    expect(await change(WRONG_CODE)).toMatchObject({ reason: 'security_code_wrong' })
  })

  it('can be changed a limited number of times a day, and refused changes hold no withdrawals', async () => {
    const test = await createTestApp({ ...API_ALONE, RATE_LIMITS: 'on' })
    const ann = await registerMember(test)
    // All within one day, but each in another minute, because of the limit of calls.
    const from = (n: number) => ({ headers: { 'X-Forwarded-For': `198.51.100.${n}` } })
    await stopClock(test.database)
    await proveIt(test, ann)
    let old_code: string | undefined
    for (let n = 0; n < CODE_CHANGES_A_DAY; n += 1) {
      const new_code = String(326_400 + n)
      const change = { new_code, ...(old_code && { old_code }) }
      expect(await test.call(setSafety, change, { ...ann, ...from(n) })).toMatchObject({ code: 1 })
      old_code = new_code
    }
    const more = { new_code: '999999', old_code: old_code ?? '' }
    const hashes = await countHashes(async () => {
      const refused = await test.call(setSafety, more, { ...ann, ...from(200) })
      expect(refused).toMatchObject({ http: 429, data: { reason: 'too_many_requests' } })
      expect(Number(refused.headers.get('retry-after'))).toBe(86_400)
    })
    expect(hashes).toBe(0)
  })

  it('takes a hash for each secret that it is compared with, and one to be stored', async () => {
    const member = await registerMember(test)
    const registered = await test.post('/api/user/register', {
      username: newName(),
      password: 'qwzxvk',
      group_id: 2,
    })
    const { userinfo: visitor } = registered.data as { userinfo: { token: string } }
    await proveIt(test, member)
    const hashesOf = (body: { new_code: string; old_code?: string }, who: { token: string }) =>
      countHashes(() => test.call(setSafety, body, who))
    const first = { new_code: TEST_CODE }
    const change = { new_code: OTHER_CODE, old_code: TEST_CODE }
    const counts = {
      'a member’s first': await hashesOf(first, member),
      'a change without the old one': await hashesOf(first, member),
      'a change with a wrong old one': await hashesOf({ ...change, old_code: WRONG_CODE }, member),
      'a change to the same': await hashesOf({ ...first, old_code: TEST_CODE }, member),
      'a member’s change': await hashesOf(change, member),
      // Only his password may be as short as a code, so it is compared as well.
      'a visitor’s first': await hashesOf(first, visitor),
      'a visitor’s change': await hashesOf(change, visitor),
    }
    expect(counts).toEqual({
      'a member’s first': 1,
      'a change without the old one': 0,
      'a change with a wrong old one': 1,
      'a change to the same': 1,
      'a member’s change': 2,
      'a visitor’s first': 2,
      'a visitor’s change': 3,
    })
  })
})

/** Proves by the password that it is the player. */
async function proveIt(test: TestApp, caller: { token: string }, password = TEST_PASSWORD) {
  expect(await test.call(prove, { password }, caller)).toMatchObject({ code: 1 })
}

async function freshToken(test: TestApp, account: string): Promise<string> {
  const reply = await test.post('/api/user/login', {
    account,
    password: 'a long enough passphrase',
  })
  return (reply.data as { userinfo: { token: string } }).userinfo.token
}

/** Counts the passwords and codes that are hashed while some work is done in this process. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'ARGON2REQUEST') count += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}
