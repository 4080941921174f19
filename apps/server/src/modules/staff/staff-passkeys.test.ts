import * as playersWire from '@sum28/contract/passkey-routes.ts'
import type { RequestOf, StaffRole } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-own-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { keysOf } from '#src/adapters/local-keys.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { Authenticator, type Twist, WRONG_ANSWERS } from '#testing/people/authenticator.ts'
import {
  addStaff,
  codeOfTimeStep,
  currentStep,
  giveAddress,
  inviteMember,
} from '#testing/people/staff.ts'
import {
  answerTo,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { closeStaff, resetStaff } from './make-staff.ts'

const test = useWorkersApi()

const originOf = () => new URL(test.app.url).origin
const cipherOf = () => secretCipher(keysOf(test.config).secretKeys[0])

type Who = { token: string }

async function addTo(who: Who, name = 'Laptop') {
  const { data: options } = await test.call(wire.staffPasskeyOptions, {}, who)
  const authenticator = new Authenticator(originOf())
  const made = { name, ...authenticator.create(options) }
  return { authenticator, reply: await test.call(wire.addStaffPasskey, made, who) }
}

async function memberWithPasskey(role: StaffRole = 'support') {
  const member = await addStaff(test, role)
  return { member, ...(await addTo(member)) }
}

type Challenge = { challenge: string; rp_id: string }

function signInBy(authenticator: Authenticator, challenge: Challenge, twist: Twist = {}) {
  const answer = authenticator.answer(challenge, twist)
  return test.call(wire.staffPasskeyLogin, { ...answer, in_cookie: false })
}

async function signIn(authenticator: Authenticator, twist: Twist = {}) {
  const { data: challenge } = await test.call(wire.staffPasskeyChallenge, {})
  return signInBy(authenticator, challenge, twist)
}

async function proveByPasskey(who: Who, authenticator: Authenticator, twist: Twist = {}) {
  const { data: options } = await test.call(wire.staffProofOptions, {}, who)
  return test.call(wire.staffProve, authenticator.answer(options, twist), who)
}

const passkeysOf = async (who: Who) => (await test.call(wire.staffPasskeys, {}, who)).data

/** Removes a member's first passkey, as he or as another. */
async function removerOf(member: Who) {
  const [passkey] = (await passkeysOf(member)).list
  return (by = member) => answerTo(test.call(wire.removeStaffPasskey, { id: passkey?.id ?? 0 }, by))
}

/** What the log says of a member, without what each sign-in says. */
async function loggedOf(name: string): Promise<string[]> {
  return test.database.owner.column<string>(
    `select action from staff.audit where staff_id = (select id from staff.member where name = $1)
       and action not in ('signed_in', 'passkey_used') order by id`,
    [name],
  )
}

const refused = (reason: string) => ({ code: 0, data: { reason } })
const PROOF_LASTS_MS = 301_000

type WithPassword = Who & { login: { password: string; totpSecret: string } }

async function passwordAndCode({ login: { password, totpSecret } }: WithPassword) {
  // The code of this time step was used at the sign-in.
  return { password, totp: codeOfTimeStep(totpSecret, (await currentStep(test)) + 1) }
}

const proveByPassword = async (member: WithPassword) =>
  test.call(wire.staffProve, await passwordAndCode(member), member)

/** Requires a passkey of a role as an owner does, or no longer. */
async function setRequired(role: StaffRole, required = true) {
  const owner = await addStaff(test, 'owner')
  const proof = required ? {} : await passwordAndCode(owner)
  return test.call(wire.requirePasskey, { role, required, ...proof }, owner)
}

afterEach(async () => {
  await test.database.owner.query('delete from staff.passkey_role')
})

describe('a passkey of staff', () => {
  it('signs in in place of password and code, and notes its use', async () => {
    const { member, authenticator, reply } = await memberWithPasskey()
    expect(reply).toMatchObject({ code: 1 })
    const { data } = await signIn(authenticator)
    expect(data).toMatchObject({ name: member.login.name, role: 'support' })
    expect(await passkeysOf(data)).toMatchObject({
      list: [{ name: 'Laptop', used_at: expect.any(Number), cloned: false }],
      required: false,
    })
    expect(await loggedOf(member.login.name)).toEqual(['passkey_added'])
  })

  it('is added and removed after a proof of the last five minutes, by password and code or by a passkey, which a mail tells', async () => {
    const member = await addStaff(test, 'support')
    const { name, password, totpSecret } = member.login
    const email = await giveAddress(test, member.login)
    const { authenticator } = await addTo(member)
    const remove = await removerOf(member)
    await test.database.shiftClock(PROOF_LASTS_MS)
    expect(await answerTo(test.call(wire.staffPasskeyOptions, {}, member))).toBe('proof_required')
    expect(await remove()).toBe('proof_required')
    expect(await proveByPasskey(member, authenticator)).toMatchObject({ code: 1 })
    expect(await answerTo(test.call(wire.staffPasskeyOptions, {}, member))).toBe('done')
    await test.database.shiftClock(PROOF_LASTS_MS)
    const totp = codeOfTimeStep(totpSecret, await currentStep(test))
    const prove = (proof: RequestOf<typeof wire.staffProve>) =>
      answerTo(test.call(wire.staffProve, proof, member))
    for (const half of [{}, { password }, { totp }, { credential_id: 'abc' }])
      expect(await prove(half)).toBe('invalid_input')
    expect(await prove({ password: 'not his', totp })).toBe('account_or_password_wrong')
    expect(await remove()).toBe('proof_required')
    expect(await prove({ password, totp })).toBe('done')
    expect(await remove()).toBe('done')
    expect(await passkeysOf(member)).toMatchObject({ list: [] })
    expect(await signIn(authenticator)).toMatchObject(refused('passkey_unknown'))
    expect(await loggedOf(name)).toEqual(['passkey_added', 'sign_in_failed', 'passkey_removed'])
    for (const change of ['added to', 'removed from'])
      await mailTo(test, email, ({ text }) => text.includes(`A passkey was ${change} it.`))
  })

  it('of a colleague proves nothing and is not removed', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const remove = await removerOf(member)
    const thief = await addStaff(test, 'support')
    expect(await proveByPasskey(thief, authenticator)).toMatchObject(refused('passkey_unknown'))
    expect(await remove(thief)).toBe('passkey_unknown')
  })

  it('signs in no more after its count went back, which the log shows; an answer that came late is a failed sign-in alone', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const { data: first } = await test.call(wire.staffPasskeyChallenge, {})
    expect(await signIn(authenticator, { count: 6 })).toMatchObject({ code: 1 })
    const late = await signInBy(authenticator, first, { count: 5 })
    expect(late).toMatchObject(refused('passkey_refused'))
    expect(await passkeysOf(member)).toMatchObject({ list: [{ cloned: false }] })
    expect(await signIn(authenticator, { count: 5 })).toMatchObject({
      ...refused('passkey_cloned'),
      msg: expect.stringContaining('ask an owner to invite you again'),
    })
    expect(await signIn(authenticator, { count: 8 })).toMatchObject(refused('passkey_cloned'))
    expect(await passkeysOf(member)).toMatchObject({ list: [{ cloned: true }] })
    expect(await loggedOf(member.login.name)).toEqual([
      ...['passkey_added', 'sign_in_failed', 'passkey_cloned'],
    ])
  })

  it('signs in and proves nothing by an answer from another page, or that is otherwise not as it was asked for', async () => {
    const { member, authenticator } = await memberWithPasskey()
    for (const [what, twist] of WRONG_ANSWERS) {
      expect(await signIn(authenticator, twist), what).toMatchObject(refused('passkey_refused'))
      if (twist.userHandle !== undefined) continue
      const proof = await proveByPasskey(member, authenticator, twist)
      expect(proof, what).toMatchObject(refused('passkey_refused'))
    }
  })

  it('signs in and proves nothing by an answer that came before, or later than five minutes', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const { data: challenge } = await test.call(wire.staffPasskeyChallenge, {})
    const atOnce = [1, 2, 3].map(() => answerTo(signInBy(authenticator, challenge)))
    expect((await Promise.all(atOnce)).sort()).toEqual([
      'done',
      ...Array(2).fill('passkey_refused'),
    ])
    expect(await answerTo(signInBy(authenticator, challenge))).toBe('passkey_refused')
    const { data: options } = await test.call(wire.staffProofOptions, {}, member)
    const prove = () => answerTo(test.call(wire.staffProve, authenticator.answer(options), member))
    expect([await prove(), await prove()]).toEqual(['done', 'passkey_refused'])
    const { data: late } = await test.call(wire.staffPasskeyChallenge, {})
    const { data: lateProof } = await test.call(wire.staffProofOptions, {}, member)
    await test.database.shiftClock(301_000)
    expect(await answerTo(signInBy(authenticator, late))).toBe('passkey_refused')
    const answer = authenticator.answer(lateProof)
    expect(await answerTo(test.call(wire.staffProve, answer, member))).toBe('passkey_refused')
  })

  it('opens no account of a player, nor that of a player the console, nor by a challenge of another purpose', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const { data: challenge } = await test.call(playersWire.passkeyChallenge, {})
    const { data: ofSession } = await test.call(wire.staffProofOptions, {}, member)
    for (const wrong of [challenge, ofSession])
      expect(await answerTo(signInBy(authenticator, wrong))).toBe('passkey_refused')
    const asPlayer = { ...authenticator.answer(challenge), remember: false }
    expect(await answerTo(test.call(playersWire.passkeyLogin, asPlayer))).toBe('passkey_refused')
    const player = await registerMember(test)
    await test.call(playersWire.prove, { password: TEST_PASSWORD }, player)
    const ofPlayer = new Authenticator(originOf())
    const { data: options } = await test.call(playersWire.passkeyOptions, {}, player)
    const made = { name: 'Phone', ...ofPlayer.create(options) }
    await test.call(playersWire.addPasskey, made, player)
    expect(await signIn(ofPlayer)).toMatchObject(refused('passkey_unknown'))
  })

  it('is one of twenty at most', async () => {
    const { member } = await memberWithPasskey()
    await test.database.owner.query(
      `insert into staff.passkey (staff_id, credential_id, public_key, user_handle, sign_count, transports, name)
       select staff_id, credential_id || n::text::bytea, public_key, user_handle, 0, '{}', name
       from staff.passkey, generate_series(1, 18) n where staff_id = (select id from staff.member where name = $1)`,
      [member.login.name],
    )
    expect((await addTo(member)).reply).toMatchObject({ code: 1 })
    expect((await addTo(member)).reply).toMatchObject(refused('passkeys_full'))
  })

  it('opens no closed account, and is void with new credentials', async () => {
    const [closed, reset] = [await memberWithPasskey(), await memberWithPasskey()]
    const { db } = test.database
    await closeStaff(db, { name: closed.member.login.name, by: 'test' })
    const { name } = reset.member.login
    await resetStaff({ db, cipher: cipherOf() }, { name, role: null, by: 'test' })
    for (const { authenticator } of [closed, reset])
      expect(await signIn(authenticator)).toMatchObject(refused('passkey_unknown'))
  })
})

describe('a role that requires a passkey', () => {
  async function passwordSignIn({ name, password, totpSecret }: Login) {
    const totp = codeOfTimeStep(totpSecret, (await currentStep(test)) + 1)
    return test.call(staffLogin, { account: name, password, totp, in_cookie: false })
  }
  type Login = { name: string; password: string; totpSecret: string }

  it('lets nobody in by password and code, and says so only after both were right, which is no guess', async () => {
    const { member, authenticator } = await memberWithPasskey()
    expect(await setRequired('support')).toMatchObject({ code: 1 })
    expect(await answerTo(passwordSignIn({ ...member.login, password: 'not his' }))).toBe(
      'account_or_password_wrong',
    )
    expect(await passwordSignIn(member.login)).toMatchObject(refused('passkey_required'))
    const counted = 'select code_tries from staff.member where name = $1'
    expect(await test.database.owner.value(counted, [member.login.name])).toBe(0)
    expect(await signIn(authenticator)).toMatchObject({ code: 1 })
    const other = await test.call(wire.passkeyRoles, {}, member)
    expect(other.data.roles).toEqual(['support'])
    await setRequired('support', false)
    await test.database.shiftClock(60_000)
    expect(await passwordSignIn(member.login)).toMatchObject({ code: 1 })
  })

  it('keeps its members’ last passkey', async () => {
    const { member, authenticator } = await memberWithPasskey()
    await setRequired('support')
    const remove = await removerOf(member)
    expect(await remove()).toBe('passkey_needed')
    const other = await addTo(member, 'Key')
    expect((await passkeysOf(member)).list.map(({ name }) => name)).toEqual(['Laptop', 'Key'])
    expect(await remove()).toBe('done')
    expect(await signIn(authenticator)).toMatchObject(refused('passkey_unknown'))
    expect(await signIn(other.authenticator)).toMatchObject({ data: { name: member.login.name } })
  })

  it('is not proved by password and code by a member who has a passkey, and is by one who has none yet', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const other = await addStaff(test, 'support')
    await setRequired('support')
    await test.database.shiftClock(PROOF_LASTS_MS)
    expect(await proveByPassword(member)).toMatchObject(refused('passkey_required'))
    expect(await answerTo(test.call(wire.staffPasskeyOptions, {}, member))).toBe('proof_required')
    await test.database.shiftClock(30_000)
    const address = { email: 'thief@example.org', ...(await passwordAndCode(member)) }
    expect(await answerTo(test.call(wire.changeOwn, address, member))).toBe('passkey_required')
    // So the console asks him for no password.
    const hasPassword = async (who: Who) =>
      (await test.call(wire.ownSession, {}, who)).data.has_password
    expect([await hasPassword(member), await hasPassword(other)]).toEqual([false, true])
    expect(await proveByPasskey(member, authenticator)).toMatchObject({ code: 1 })
    expect((await addTo(member, 'Key')).reply).toMatchObject({ code: 1 })

    expect(await proveByPassword(other)).toMatchObject({ code: 1 })
    expect((await addTo(other)).reply).toMatchObject({ code: 1 })
    await test.database.shiftClock(30_000)
    expect(await proveByPassword(other)).toMatchObject(refused('passkey_required'))
  })

  it('is one no longer only after a proof of the last minute, which counts once, and becomes one without; the owner’s only if he has one', async () => {
    const owner = await addStaff(test, 'owner')
    const set = (role: StaffRole, required: boolean, proof = {}) =>
      test.call(wire.requirePasskey, { role, required, ...proof }, owner)
    for (const role of ['finance', 'support', 'editor'] as const)
      expect(await set(role, true)).toMatchObject({ code: 1 })
    expect(await set('owner', true)).toMatchObject(refused('passkey_needed'))
    // Having just signed in is not enough.
    expect(await set('finance', false)).toMatchObject(refused('proof_required'))
    const proof = await passwordAndCode(owner)
    expect(await answerTo(set('finance', false, { ...proof, password: 'not his' }))).toBe(
      'account_or_password_wrong',
    )
    expect((await test.call(wire.passkeyRoles, {}, owner)).data.roles).toContain('finance')
    expect(await set('finance', false, proof)).toMatchObject({ code: 1 })
    expect(await set('support', false)).toMatchObject(refused('proof_required'))
    const { authenticator } = await addTo(owner)
    expect(await proveByPasskey(owner, authenticator)).toMatchObject({ code: 1 })
    expect(await set('support', false)).toMatchObject({ code: 1 })
    expect(await set('owner', true)).toMatchObject({ code: 1 })
    expect((await test.call(wire.passkeyRoles, {}, owner)).data.roles).toEqual(['editor', 'owner'])
  })

  async function enrol(
    who: { account: string; password: string },
    other: Partial<RequestOf<typeof wire.confirmPasskeyEnrolment>> = {},
  ) {
    const { data: begun } = await test.call(wire.beginEnrolment, who)
    const authenticator = new Authenticator(originOf())
    const made = authenticator.create(begun.passkey)
    const request = { ...who, name: 'Laptop', ...made, in_cookie: false, ...other }
    const reply = await test.call(wire.confirmPasskeyEnrolment, request)
    return { begun, authenticator, request, reply }
  }

  it('enrols its members with a passkey, after which the first password is void', async () => {
    await setRequired('support')
    const who = await inviteMember(test)
    const { begun, authenticator, request, reply } = await enrol(who)
    expect(begun.passkey_required).toBe(true)
    expect(reply).toMatchObject({ code: 1, data: { name: who.account, role: 'support' } })
    const shown = { list: [{ name: 'Laptop' }], required: true }
    expect(await passkeysOf(reply.data)).toMatchObject(shown)
    expect((await test.call(wire.ownSession, {}, reply.data)).data.has_password).toBe(false)
    expect(await signIn(authenticator)).toMatchObject({ code: 1 })
    for (const again of [
      test.call(wire.beginEnrolment, who),
      test.call(wire.confirmPasskeyEnrolment, request),
      test.call(staffLogin, { ...who, totp: '123456', in_cookie: false }),
      test.call(staffLogin, { ...who, password: '', totp: '123456', in_cookie: false }),
    ]) {
      expect((await again).code).not.toBe(1)
    }
    expect(await loggedOf(who.account)).toEqual([
      ...['enrolment_begun', 'enrolled', 'sign_in_failed'],
    ])
    // Without a password the last passkey stays, also when the role does not require one.
    await setRequired('support', false)
    const remove = await removerOf(reply.data)
    expect(await remove()).toBe('passkey_needed')
  })

  it('lets a member without a password change his address by one proof of his passkey', async () => {
    await setRequired('support')
    const { authenticator, reply } = await enrol(await inviteMember(test))
    const me = reply.data
    const change = (fields: RequestOf<typeof wire.changeOwn>) =>
      test.call(wire.changeOwn, fields, me)
    const email = 'Ann@Example.org'
    // Having just signed in is not enough.
    expect(await change({ email })).toMatchObject(refused('proof_required'))
    expect(await change({ email, password: '', totp: '123456' })).not.toMatchObject({ code: 1 })
    expect(await proveByPasskey(me, authenticator)).toMatchObject({ code: 1 })
    expect(await change({ new_password: 'a passphrase of one’s own' })).toMatchObject({
      data: { fields: { password: expect.any(String) } },
    })
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => change({ email })))
    expect(atOnce.map(({ code }) => code).toSorted()).toEqual([0, 0, 0, 0, 1])
    expect((await test.call(wire.ownSession, {}, me)).data.email).toBe('ann@example.org')
    expect(await proveByPasskey(me, authenticator)).toMatchObject({ code: 1 })
    await test.database.shiftClock(61_000)
    expect(await change({ email: 'b@example.org' })).toMatchObject(refused('proof_required'))
  })

  it('enrols nobody by an authenticator’s code, a wrong password, or the challenge of another', async () => {
    await setRequired('support')
    const who = await inviteMember(test)
    const { data: begun } = await test.call(wire.beginEnrolment, who)
    const totp = codeOfTimeStep(begun.secret, await currentStep(test))
    const new_password = 'a passphrase of one’s own'
    const byCode = { ...who, totp, new_password, in_cookie: false }
    const byWrongCode = { ...byCode, totp: totp === '000000' ? '000001' : '000000' }
    expect(await answerTo(test.call(wire.confirmEnrolment, byWrongCode))).toBe(
      'account_or_password_wrong',
    )
    expect(await answerTo(test.call(wire.confirmEnrolment, byCode))).toBe('passkey_required')
    expect((await enrol(who, { password: 'not his' })).reply).toMatchObject(
      refused('account_or_password_wrong'),
    )
    const { request } = await enrol(await inviteMember(test), { password: 'not his' })
    expect(await answerTo(test.call(wire.confirmPasskeyEnrolment, { ...request, ...who }))).toBe(
      'passkey_refused',
    )
    expect((await enrol(who)).reply).toMatchObject({ code: 1 })
  })
})
