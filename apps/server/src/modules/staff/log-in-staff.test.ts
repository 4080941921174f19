import type { RequestOf } from '@sum28/contract/route.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { staffLogin, staffLogout } from '@sum28/contract/staff-routes.ts'

import { login } from '@sum28/contract/user-routes.ts'
import { Secret } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { NAME_FREE } from '#src/modules/accounts/sign-in-guard.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { TIME_STEP_MS } from '#src/secrets/one-time-codes.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import {
  addMemberOfStaff,
  addStaff,
  codeOfTimeStep,
  currentStep,
  demoLogin,
  staffSession,
  wrongCode,
} from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { fillLane } from '#testing/product/fill-lane.ts'
import { API_ALONE, createTestApp } from '#testing/product/test-app.ts'
import { allMembers } from './change-members.ts'
import { logInStaff, staffGuard } from './log-in-staff.ts'

const START = Date.UTC(2026, 10, 20, 2)
const DAY_SECONDS = 86_400
const HOME = '127.0.0.1'
const CIPHER = secretCipher('a key for tests, of more than 32 characters')
const WRONG = { refused: 'account_or_password_wrong' }

type Attempt = Partial<Parameters<typeof logInStaff>[1]>

/** A member on a clock that stands still, who has signed in from home, so long ago that codes of now are not used. */
async function stage() {
  const database = await createTestDatabase()
  const { db, owner } = database
  let moment = START
  await database.freezeClock(moment)
  const member = { name: 'ann-sk', role: 'support', cipher: CIPHER } as const
  const { name, password, totpSecret } = await addMemberOfStaff(database, member)
  const guard = staffGuard({ db, key: Buffer.alloc(32), on: true })
  const step = () => Math.floor(moment / TIME_STEP_MS)
  const code = (offset = 0) => codeOfTimeStep(totpSecret, step() + offset)
  let networks = 0
  /** With all that is right, from a network of its own. */
  const signIn = (attempt: Attempt = {}) => {
    networks += 1
    const address = `198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}`
    const right = { account: name, password, totp: code(), address }
    return logInStaff({ db, cipher: CIPHER, guard }, { ...right, ...attempt })
  }
  const forgetCodes = () => owner.query('update staff.member set totp_time_step = 0')
  expect(await signIn({ address: HOME })).toMatchObject({ name })
  await forgetCodes()
  return {
    database,
    db,
    owner,
    name,
    password,
    totpSecret,
    code,
    signIn,
    forgetCodes,
    wrong: () => wrongCode(totpSecret, step()),
    async later(seconds: number) {
      moment += seconds * 1_000
      await database.freezeClock(moment)
    },
    sessions: async () => (await owner.query('select from staff.session')).length,
    failuresLogged: async () =>
      (await owner.query(`select from staff.audit where action = 'sign_in_failed'`)).length,
    /** As if this many more tries of a name had been counted that has three. */
    countMore: (tries: number) =>
      owner.query('update accounts.counter set tries = tries + $1 where tries = 3', [tries]),
    /** How many of these tries were checked. */
    async checked(times: number, attempt: Attempt): Promise<number> {
      let all = 0
      for (let n = 0; n < times; n += 1) {
        const answer = await signIn(attempt)
        if (isRefusal(answer) && answer.refused === 'too_many_requests') continue
        expect(answer).toEqual(WRONG)
        all += 1
      }
      return all
    },
  }
}

describe('signing staff in', () => {
  it('gives an unknown name, a wrong password and a wrong code the same answer, and hashes each time', async () => {
    const { signIn, sessions, wrong } = await stage()
    const password = 'something else'
    const attempts: Attempt[] = [
      { password },
      { totp: wrong() },
      { totp: '' },
      { password, totp: wrong() },
      { account: 'nobody' },
      { account: 'no name that anybody can have' },
      // Letters beyond ASCII that only look like those of his name.
      { account: 'ann-\u017f\u212a' },
    ]
    const { end } = await fillLane('staff')
    // If no more can be hashed, the refused call was about to have its password hashed.
    const held = { refused: 'too_many_requests', details: { retry_after: 2 } }
    for (const attempt of attempts) expect(await signIn(attempt)).toMatchObject(held)
    await end()
    for (const attempt of attempts) expect(await signIn(attempt)).toEqual(WRONG)
    expect(await sessions()).toBe(1)
  })

  it('accepts the name in any case, and a code once, at once too, and no earlier one', async () => {
    const { signIn, code, name, sessions } = await stage()
    const account = ` ${name.toUpperCase()} `
    const atOnce = await Promise.all([1, 2, 3].map(() => signIn({ account })))
    expect(atOnce).toContainEqual(expect.objectContaining({ name, role: 'support' }))
    expect(await sessions()).toBe(2)
    expect(await signIn()).toEqual(WRONG)
    expect(await signIn({ totp: code(-1) })).toEqual(WRONG)
    expect(await signIn({ totp: code(1) })).toHaveProperty('token')
  })

  it('judges the code of so many steps of 30 s from now', async () => {
    const { signIn, code, forgetCodes } = await stage()
    const good: number[] = []
    for (const offset of [-2, -1, 0, 1, 2]) {
      await forgetCodes()
      if (!isRefusal(await signIn({ totp: code(offset) }))) good.push(offset)
    }
    expect(good).toEqual([-1, 0, 1])
  })
})

describe('tries', () => {
  const other = { password: 'something else' }

  // Those of many names from one network are limited too: sign-in-guard.test.ts, of the same guard.
  it('of one name from many networks are limited, and then wait; the member signs in from his own', async () => {
    const { signIn, checked, countMore, later } = await stage()
    for (const attempt of [other, { ...other, account: 'nobody' }]) {
      expect(await checked(3, attempt)).toBe(3)
      await countMore(NAME_FREE - 4)
      expect(await checked(3, attempt)).toBe(1)
    }
    // The right password is not checked there either.
    expect(await signIn()).toMatchObject({ refused: 'too_many_requests' })
    await later(1)
    expect(await checked(2, other)).toBe(1)
    await later(1)
    expect(await checked(1, other)).toBe(0)
    expect(await signIn({ address: HOME })).toHaveProperty('token')
  })

  it('with the right password have five codes from all networks together, and then wait up to a day', async () => {
    const { db, owner, signIn, wrong, later, forgetCodes } = await stage()
    const guessCode = () => signIn({ totp: wrong() })
    for (let n = 0; n < 4; n += 1) expect(await guessCode()).toEqual(WRONG)
    expect(await signIn()).toHaveProperty('token')
    await forgetCodes()

    for (let n = 0; n < 5; n += 1) expect(await guessCode()).toEqual(WRONG)
    // Not even the right code is checked, where he has signed in neither; the reply is the same.
    for (const attempt of [{}, { address: HOME }]) expect(await signIn(attempt)).toEqual(WRONG)
    let wait = 1
    for (let n = 0; n < 20; n += 1) {
      await later(wait)
      expect(await guessCode()).toEqual(WRONG)
      wait = Math.min(2 * wait, DAY_SECONDS)
    }
    expect(wait).toBe(DAY_SECONDS)
    await later(DAY_SECONDS - 60)
    expect(await signIn()).toEqual(WRONG)
    const isShown = async () => {
      const needed = (await readNeeds(db)).some(({ need }) => need === 'staff_codes_guessed')
      // The list of members marks whom.
      expect((await allMembers(db)).map(({ codesGuessed }) => codesGuessed)).toEqual([needed])
      return needed
    }
    expect(await isShown()).toBe(true)
    const setActive = (active: boolean) => owner.query(`update staff.member set active = ${active}`)
    await setActive(false)
    expect(await isShown()).toBe(false)
    await setActive(true)
    await later(60)
    expect(await signIn()).toHaveProperty('token')
    expect(await isShown()).toBe(false)
  })

  it('that fail are logged once a minute for a name', async () => {
    const { signIn, checked, later, failuresLogged } = await stage()
    const tenAtOnce = () => Promise.all(Array.from({ length: 10 }, () => signIn(other)))
    await checked(3, other)
    await tenAtOnce()
    expect(await failuresLogged()).toBe(1)
    await later(60)
    await tenAtOnce()
    expect(await failuresLogged()).toBe(2)
  })

  it('on a clock that was ahead keep nobody out once it is set back, nor a later failure out of the log', async () => {
    const { signIn, code, later, wrong, failuresLogged } = await stage()
    const ofPhone = code()
    await later(3_600)
    expect(await signIn({ totp: ofPhone })).toEqual(WRONG)
    await later(-3_600)
    expect(await failuresLogged()).toBe(1)
    for (let n = 0; n < 2; n += 1) expect(await signIn({ totp: wrong() })).toEqual(WRONG)
    expect(await failuresLogged()).toBe(2)
    expect(await signIn()).toHaveProperty('token')
  })
})

it('the log of a sign-in records sign-ins, sign-outs and failures, and nothing secret', async () => {
  const { log, lines } = captureLog()
  const test = await createTestApp(API_ALONE, { log })
  const { database } = test
  const { login: member } = await addStaff(test, 'finance')
  const { name, password, totpSecret } = member
  await database.owner.query('update staff.member set totp_time_step = 0 where name = $1', [name])
  const totp = codeOfTimeStep(totpSecret, await currentStep(test))
  const from = '198.51.100.7'
  const signIn = (other: Partial<RequestOf<typeof staffLogin>> = {}) =>
    test.call(
      staffLogin,
      { account: name, password, totp, ...other },
      // Only a proxy on this machine is trusted to name the client's address.
      { headers: { 'X-Forwarded-For': from } },
    )
  const wrong = { http: 200, code: 0, data: { reason: 'account_or_password_wrong' } }
  expect(await signIn({ totp: '000000', password: 'not-my-password' })).toMatchObject(wrong)
  // Nor is he a player.
  expect(await test.call(login, { account: name, password })).toMatchObject(wrong)
  const reply = await signIn()
  expect(reply).toMatchObject({ http: 200, code: 1, data: { name, role: 'finance' } })
  const { token } = reply.data
  expect(await test.call(staffLogout, {}, { token })).toMatchObject({ code: 1, data: null })

  const owner = await staffSession(test)
  const { list } = (await test.call(listAuditRows, {}, owner)).data
  expect(list.filter(({ staff }) => staff === name).slice(0, 3)).toMatchObject([
    { action: 'signed_out' },
    { action: 'signed_in', details: { address: from } },
    { action: 'sign_in_failed', details: { address: from } },
  ])

  const output = lines.join('\n') + JSON.stringify(list)
  expect(lines.length).toBeGreaterThan(3)
  const demo = demoLogin(test, 'owner')
  for (const secret of [
    ...[password, totpSecret, 'not-my-password', token, `"${totp}"`],
    ...[demo.password, demo.totpSecret, owner.token],
  ])
    expect(output).not.toContain(secret)
  const rows = await database.owner.column<string>(`select member::text as row from staff.member
     union all select session::text from staff.session
     union all select counter::text from accounts.counter`)
  const text = rows.join('\n')
  for (const secret of [password, totpSecret, Secret.fromBase32(totpSecret).hex.toLowerCase()]) {
    expect(text).not.toContain(secret)
  }
})
