/** The security code through the API: set, changed, tried wrongly, locked. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { newPass, safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import { prove } from '@sum28/contract/passkey-routes.ts'
import { login, refresh, register, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { keysOf } from '#src/adapters/local-keys.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { setCode, TEST_CODE } from '#testing/people/cashier.ts'
import { changePlayer, heldSince } from '#testing/people/seated-player.ts'
import {
  answerTo,
  cookieOf,
  mailTo,
  newName,
  registerMember,
  TEST_PASSWORD,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { verifyPassword } from './password.ts'
import { checkSecurityCode } from './security-code.ts'
import { codeHashOf } from './security-store.ts'

const OTHER_CODE = '314159'
const WRONG_CODE = '000000'
const DAY_MS = 86_400_000

const test = useWorkersApi()

describe('a security code', () => {
  it('is set at first by a session whose player has just proved that it is him, and by no other', async () => {
    const ann = await registerMember(test)
    const set = () => test.call(setSafety, { new_code: TEST_CODE, repeated_code: TEST_CODE }, ann)
    const unproved = { code: 0, data: { reason: 'proof_required' } }
    expect(await set()).toMatchObject(unproved)
    const wrong = await test.call(prove, { password: 'a guess of a thief' }, ann)
    expect(wrong).toMatchObject({ data: { reason: 'password_wrong' } })
    expect(await set()).toMatchObject(unproved)
    await proveIt(ann)
    await test.database.shiftClock(5 * 60_000 + 1)
    expect(await set()).toMatchObject(unproved)
    expect((await test.call(safetyInfo, {}, ann)).data).toEqual({ isTrue: false })
    expect((await test.call(userInfo, {}, ann)).data.is_safety).toBe(false)
    await proveIt(ann)
    expect(await set()).toMatchObject({ code: 1 })
    // It is shown in the profile, and told by mail and message.
    expect((await test.call(safetyInfo, {}, ann)).data).toEqual({ isTrue: true })
    expect((await test.call(userInfo, {}, ann)).data.is_safety).toBe(true)
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei).toMatchObject([{ title: 'A new security code was set', read: false }])
    await mailTo(test, ann.email, ({ subject }) => /security code/.test(subject))
  })

  it('is not to be guessed by who has the database alone, and outlives a change of the key', async () => {
    const [ann, bob] = [await registerMember(test), await registerMember(test)]
    await setCode(test, ann)
    await setCode(test, bob)
    const { db } = test.app
    const hash = await codeHashOf(db, ann.id)
    expect(hash).toMatch(/^\$argon2id\$/)
    expect(await verifyPassword(TEST_CODE, hash)).toBe(false)
    const { secretKeys } = keysOf(test.config)
    const later = secretCipher('the key of next year of more than 32 characters', secretKeys)
    const check = (playerId: number) =>
      checkSecurityCode({ db, cipher: later }, { playerId, code: TEST_CODE, network: 'test' })
    expect(await check(ann.id)).toEqual({ codeHash: hash })
    // A try without its key is none, however often.
    const without = secretCipher('a key that was never here, of more than 32 characters')
    const tried = { playerId: ann.id, code: TEST_CODE, network: 'test' }
    for (let tries = 0; tries < 6; tries += 1) {
      await expect(checkSecurityCode({ db, cipher: without }, tried)).rejects.toThrow('key')
    }
    expect(await check(ann.id)).toEqual({ codeHash: hash })
    // It is the hash of this player's code alone.
    await test.database.owner.query(
      'update accounts.security_code set code_hash = $1 where player_id = $2',
      [hash, bob.id],
    )
    expect(await check(bob.id)).toMatchObject({ refused: 'security_code_wrong' })
  })

  it('is only changed with the old one, under either field name', async () => {
    const ann = await registerMember(test)
    await setCode(test, ann)
    const without = await test.call(setSafety, { new_code: OTHER_CODE }, ann)
    expect(without).toMatchObject({ code: 400, data: { fields: { old_code: 'This is required' } } })
    const wrong = await test.call(setSafety, { new_code: OTHER_CODE, old_code: WRONG_CODE }, ann)
    expect(wrong).toMatchObject({ code: 0, data: { reason: 'security_code_wrong', tries_left: 4 } })
    for (const codes of [
      { new_code: OTHER_CODE, old_code: TEST_CODE },
      { new_code: TEST_CODE, after_code: OTHER_CODE },
    ]) {
      expect(await answerTo(test.call(setSafety, codes, ann))).toBe('done')
    }
  })

  it('is set a moment after a sign-in by password of a client that knows no proof, not later or after that of a remembered device', async () => {
    const ann = await registerMember(test)
    const set = (who: { token: string }) => test.call(setSafety, { new_code: TEST_CODE }, who)
    const unproved = {
      data: { reason: 'proof_required' },
      msg: 'Please log in again and set the security code within five minutes',
    }
    await test.database.shiftClock(5 * 60_000 + 1)
    expect(await set(ann)).toMatchObject(unproved)
    const signIn = { account: ann.username, password: TEST_PASSWORD, remember: true }
    const signedIn = await test.call(login, signIn)
    const headers = { cookie: cookieOf(signedIn) }
    const recalled = await test.call(refresh, {}, { headers })
    expect(await set(recalled.data.userinfo)).toMatchObject(unproved)
    expect(await set(signedIn.data.userinfo)).toMatchObject({ code: 1 })
  })

  it('must be six digits and not the password, nor one that is guessed first', async () => {
    const ann = await registerMember(test)
    const set = (new_code: string, who: { token: string }) =>
      answerTo(test.call(setSafety, { new_code }, who))
    expect(await set('12345', ann)).toBe('invalid_input')
    await proveIt(ann)
    expect(await set('310180', ann)).toBe('security_code_common')
    const visitor = { username: newName(), password: '271828', group_id: 2 }
    const { userinfo } = (await test.call(register, visitor)).data
    expect(await set('271828', userinfo)).toBe('security_code_is_password')
    // Nothing of a visitor's can be withdrawn, so that no proof is asked.
    expect(await set('907264', userinfo)).toBe('done')
    const passwords = { old_pass: '271828', new_pass: '907264' }
    const change = test.call(newPass, passwords, userinfo)
    expect(await answerTo(change)).toBe('security_code_is_password')
  })

  it('is locked for 24 hours by the fifth wrong try in a row, even if they are simultaneous', async () => {
    const ann = await registerMember(test)
    await setCode(test, ann)
    const change = async (old_code: string, new_code = OTHER_CODE) => {
      const signedIn = { account: ann.username, password: TEST_PASSWORD }
      const { userinfo } = (await test.call(login, signedIn)).data
      return answerTo(test.call(setSafety, { new_code, old_code }, userinfo))
    }
    // Those before a right one do not count.
    for (let wrong = 0; wrong < 3; wrong += 1) await change(WRONG_CODE)
    expect(await change(TEST_CODE)).toBe('done')
    const answers = await Promise.all(Array.from({ length: 12 }, () => change(WRONG_CODE)))
    expect(answers.filter((answer) => answer === 'security_code_wrong')).toHaveLength(4)
    expect(answers.filter((answer) => answer === 'security_code_locked')).toHaveLength(8)
    await test.database.shiftClock(DAY_MS - 10 * 60_000)
    expect(await change(OTHER_CODE, TEST_CODE)).toBe('security_code_locked')
    await test.database.shiftClock(11 * 60_000)
    expect(await change(OTHER_CODE, TEST_CODE)).toBe('done')
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
})

/** Proves by the password that it is the player. */
async function proveIt(caller: { token: string }) {
  expect(await test.call(prove, { password: TEST_PASSWORD }, caller)).toMatchObject({ code: 1 })
}
