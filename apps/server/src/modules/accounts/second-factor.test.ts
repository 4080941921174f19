import { noticeList } from '@sum28/contract/index-routes.ts'
import { newPass, setPayInfo, setSafety } from '@sum28/contract/money-routes.ts'
import { askOwnData, closeAccount, ownDataFile } from '@sum28/contract/own-routes.ts'
import * as wire from '@sum28/contract/passkey-routes.ts'
import { protectionChanges, protectionState, takeBreak } from '@sum28/contract/protection-routes.ts'
import { login, logout, refresh } from '@sum28/contract/user-routes.ts'
import { Secret } from 'otpauth'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '#src/db/database.ts'
import { bareRecoveryCode, TIME_STEP_MS, totpCodeOf } from '#src/secrets/one-time-codes.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { stopClock } from '#testing/database/test-database.ts'
import { Authenticator } from '#testing/people/authenticator.ts'
import { TEST_WALLET } from '#testing/people/cashier.ts'
import { changePlayer, heldSince } from '#testing/people/seated-player.ts'
import { currentStep, wrongCode } from '#testing/people/staff.ts'
import {
  answerTo,
  cookieOf,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { endOtherDevices } from './remember-device.ts'
import { CODES_FREE } from './second-factor.ts'
import { noteSensitiveChange } from './security-store.ts'
import { hashSecret } from './session.ts'

const test = useWorkersApi()

const refused = (reason: string) => ({ code: 0, data: { reason } })

async function now(): Promise<number> {
  return test.database.owner.value<number>('select app.now() as now')
}

/** Goes to the beginning of the next time step, so that none ends between a code and its use. */
const nextStep = async () => test.database.shiftClock(TIME_STEP_MS - ((await now()) % TIME_STEP_MS))
const prove = (member: { token: string }, code?: string) =>
  test.call(wire.prove, { password: TEST_PASSWORD, code }, member)

/** A member whose authenticator app is his second factor, a step after its first code. */
async function memberWithApp() {
  const member = await registerMember(test)
  await prove(member)
  const { setup, codeAt, reply } = await switchOn(member)
  await nextStep()
  return { member, setup, codeAt, recovery: reply.data.recovery_codes }
}

/** Switches the app of a player on who has just proved that it is him. */
async function switchOn(member: { token: string }) {
  const { data: setup } = await test.call(wire.authenticatorSetup, {}, member)
  const codeAt = async (steps = 0) => totpCodeOf(setup.secret, (await now()) + steps * TIME_STEP_MS)
  const request = { setup: setup.setup, code: await codeAt() }
  return { setup, codeAt, reply: await test.call(wire.switchFactorOn, request, member) }
}

async function addPasskey(member: TestMember, code?: string) {
  await prove(member, code)
  const authenticator = new Authenticator(new URL(test.app.url).origin)
  const { data: options } = await test.call(wire.passkeyOptions, {}, member)
  await test.call(wire.addPasskey, { name: 'Phone', ...authenticator.create(options) }, member)
  return authenticator
}

async function signInByPasskey(authenticator: Authenticator) {
  const { data: challenge } = await test.call(wire.passkeyChallenge, {})
  return test.call(wire.passkeyLogin, { ...authenticator.answer(challenge), remember: false })
}

async function proveByPasskey(authenticator: Authenticator, who: { token: string }) {
  const { data: options } = await test.call(wire.proofOptions, {}, who)
  return test.call(wire.prove, authenticator.answer(options), who)
}

/** The call that removes a player's only passkey. */
async function removing(member: TestMember) {
  const [passkey] = (await test.call(wire.passkeys, {}, member)).data.list
  return () => answerTo(test.call(wire.removePasskey, { id: passkey?.id ?? 0 }, member))
}

const signIn = ({ username }: TestMember, code?: string, headers: Record<string, string> = {}) =>
  test.call(login, { account: username, password: TEST_PASSWORD, code }, { headers })

/** The answer to a sign-in without a code on a device with this cookie. */
const signInOn = (cookie: string, member: TestMember) =>
  answerTo(signIn(member, undefined, { cookie }))

const deviceOf = (reply: { headers: Headers }) => cookieOf(reply, 'device')

const stateOf = async (member: TestMember) => (await test.call(wire.secondFactor, {}, member)).data

describe('an authenticator app as the second factor', () => {
  it('is asked for on a new device, and no more on one that has signed in', async () => {
    const { member, codeAt } = await memberWithApp()
    const asked = await signIn(member)
    expect(asked).toMatchObject(refused('second_factor_required'))
    expect(asked.msg).toContain('passkey')
    // Apps show it in two groups.
    const typed = (await codeAt()).replace(/^.../, '$& ')
    const own = deviceOf(await signIn(member, typed))
    expect(await signInOn(own, member)).toBe('done')
    const ofOther = deviceOf(await signIn(await registerMember(test)))
    expect(await signInOn(ofOther, member)).toBe('second_factor_required')
  })

  it('is not on before its first code, and not by a secret of another session or of long ago', async () => {
    const member = await registerMember(test)
    await prove(member)
    const { data: setup } = await test.call(wire.authenticatorSetup, {}, member)
    const other = (await signIn(member)).data.userinfo
    await prove(other)
    const on = (who: { token: string }, code: string) =>
      test.call(wire.switchFactorOn, { setup: setup.setup, code }, who)
    const code = totpCodeOf(setup.secret, await now())
    expect(await on(other, code)).toMatchObject(refused('second_factor_wrong'))
    const wrong = await on(member, wrongCode(setup.secret, await currentStep(test)))
    expect(wrong).toMatchObject(refused('second_factor_wrong'))
    expect(wrong.msg).not.toContain('recovery')
    expect(await stateOf(member)).toEqual({ since: null, app: false, recovery_codes: 0 })
    await test.database.shiftClock(301_000)
    expect(await answerTo(on(member, totpCodeOf(setup.secret, await now())))).toBe('proof_required')
  })

  it('accepts a code that is a step away, and says of one three steps away that the clock is wrong', async () => {
    const { member, codeAt } = await memberWithApp()
    await nextStep()
    for (const steps of [-3, 3]) {
      expect(await signIn(member, await codeAt(steps)), String(steps)).toMatchObject({
        data: { reason: 'second_factor_wrong', drift: 90 },
        msg: expect.stringContaining('90 seconds'),
      })
    }
    for (const steps of [-1, 1]) {
      expect(await signIn(member, await codeAt(steps)), String(steps)).toMatchObject({ code: 1 })
    }
  })

  it('takes a code once, of five tries at once as well, and none from before it', async () => {
    const { member, codeAt } = await memberWithApp()
    const code = await codeAt()
    const tries = Array.from({ length: 5 }, () => answerTo(signIn(member, code)))
    const answers = (await Promise.all(tries)).toSorted()
    expect(answers).toEqual(['done', ...Array(4).fill('second_factor_used')])
    expect(await answerTo(signIn(member, await codeAt(-1)))).toBe('second_factor_used')
  })

  it('has a wait after five wrong codes with the right password, which a password alone does not end', async () => {
    const { member, codeAt } = await memberWithApp()
    const { database } = test
    await stopClock(database)
    for (let tried = 0; tried < CODES_FREE; tried += 1) {
      expect(await signIn(member, '12345')).toMatchObject(refused('second_factor_wrong'))
      expect(await signIn(member)).toMatchObject(refused('second_factor_required'))
    }
    expect(await signIn(member, await codeAt())).toMatchObject({
      http: 429,
      data: { reason: 'too_many_requests', retry_after: 1 },
    })
    const over = (await now()) + 1_001
    await database.shiftClock(1_001)
    await database.freezeClock(over)
    expect(await signIn(member, await codeAt())).toMatchObject({ code: 1 })
  })
})

it.each<[string, boolean, (tx: Transaction, playerId: number) => Promise<unknown>]>([
  [
    'while the second factor is switched on, on a new device',
    false,
    (tx, playerId) =>
      tx.query('insert into accounts.second_factor (player_id) values ($1)', [playerId]),
  ],
  ['while the owner signs out all other devices, on a known one', true, async () => {}],
])('a sign-in %s, does not come in without a code', async (_, isOn, change) => {
  const { member, codeAt } = isOn
    ? await memberWithApp()
    : { member: await registerMember(test), codeAt: async () => undefined }
  const cookie = deviceOf(await signIn(member, await codeAt()))
  const session = hashSecret(member.token)
  const aliveOf = () =>
    test.database.owner.column<Buffer>(
      'select token_hash from accounts.session where player_id = $1 and ended_at is null',
      [member.id],
    )
  const late = await answerAfter(test.database, {
    async first(tx) {
      await noteSensitiveChange(tx, member.id)
      await endOtherDevices(tx, { playerId: member.id, session })
      await change(tx, member.id)
    },
    second: () => signIn(member, undefined, isOn ? { cookie } : {}),
  })
  expect(late).toMatchObject(refused('second_factor_required'))
  expect(await aliveOf()).toEqual([session])
})

it.each([
  ['with his token', true],
  ['later, without one', false],
])(
  'the device on which a thief used a copy of a remember-me cookie is asked for the second factor once the owner logs out %s, and his own is not',
  async (_, signedIn) => {
    const { member, codeAt } = await memberWithApp()
    const entry = { account: member.username, password: TEST_PASSWORD, remember: true }
    const entered = await test.call(login, { ...entry, code: await codeAt() })
    const [remember, own] = [cookieOf(entered), deviceOf(entered)]
    const ofThief = deviceOf(await test.call(refresh, {}, { headers: { cookie: remember } }))
    expect(ofThief).not.toBe(own)
    const { token } = entered.data.userinfo
    const headers = { cookie: `${remember}; ${own}` }
    await test.call(logout, {}, { headers, ...(signedIn && { token }) })
    expect(await signInOn(own, member)).toBe('done')
    expect(await signInOn(ofThief, member)).toBe('second_factor_required')
  },
)

it('a proof of a player whose second factor is on needs the code, and stands before pay methods, password and security code', async () => {
  const [{ member, codeAt }, other] = [await memberWithApp(), await registerMember(test)]
  await test.database.shiftClock(301_000)
  const change = async (who: { token: string }) => [
    await test.call(setPayInfo, { type: 1, acc: TEST_WALLET, acc_name: 'mine' }, who),
    await test.call(setSafety, { new_code: '271828' }, who),
    await test.call(newPass, { old_pass: TEST_PASSWORD, new_pass: 'another passphrase' }, who),
  ]
  for (const reply of await change(member)) expect(reply).toMatchObject(refused('proof_required'))
  // A first security code needs a proof of everybody.
  const [payMethod, firstCode, password] = await change(other)
  expect([payMethod?.code, password?.code]).toEqual([1, 1])
  expect(firstCode).toMatchObject(refused('proof_required'))
  expect(await prove(member)).toMatchObject(refused('second_factor_required'))
  await prove(member, await codeAt())
  for (const reply of await change(member)) expect(reply).toMatchObject({ code: 1 })
})

it('a player whose second factor is on and who closes his account or takes his data proves that it is him each time, also if the call comes again', async () => {
  const { member, codeAt } = await memberWithApp()
  await test.database.shiftClock(301_000)
  const request = { password: TEST_PASSWORD }
  const ask = () =>
    answerTo(test.call(askOwnData, request, { ...member, key: 'own-data-of-a-player' }))
  const close = () => answerTo(test.call(closeAccount, request, member))
  const file = async () =>
    (await test.fetch(ownDataFile.path, { headers: { Token: member.token } })).text()
  expect([await ask(), await close()]).toEqual(['proof_required', 'proof_required'])
  expect(await file()).toContain('proof_required')

  await prove(member, await codeAt())
  expect(await ask()).toBe('done')
  expect(await file()).not.toContain('proof_required')
  await test.database.shiftClock(301_000)
  expect(await ask()).toBe('proof_required')
  await prove(member, await codeAt())
  expect([await ask(), await close()]).toEqual(['done', 'done'])
})

it('a recovery code stands in for the app once, however it is typed, and is told; one of others or from before the new ones does not', async () => {
  const [{ member, codeAt, recovery }, other] = [await memberWithApp(), await memberWithApp()]
  expect(recovery).toHaveLength(10)
  // Of 160 letters and digits, all but surely one.
  const code = recovery.find((each) => /[01]/.test(each)) ?? ''
  // As it may be copied by hand, with letters for the digits that look like them.
  const copied = code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l')
  const typed = ` ${copied.replaceAll('-', ' ')}`
  const tries = await Promise.all([signIn(member, typed), signIn(member, typed)])
  expect(tries.map((each) => each.code).sort()).toEqual([0, 1])
  expect(await stateOf(member)).toMatchObject({ recovery_codes: 9 })
  const { data } = await test.call(noticeList, {}, member)
  expect(data.zhannei.map(({ content }) => content).join()).toContain('You have 9 left')
  await prove(member, await codeAt())
  const renewed = (await test.call(wire.newRecoveryCodes, {}, member)).data.recovery_codes
  const earlier = recovery.find((each) => each !== code)
  for (const wrong of [other.recovery[0], earlier])
    expect(await signIn(member, wrong)).toMatchObject(refused('second_factor_wrong'))
  expect(await signIn(member, renewed[0])).toMatchObject({ code: 1 })
})

describe('passkeys as the second factor', () => {
  it('need one, sign in and prove without a code, and their last one stays', async () => {
    const member = await registerMember(test)
    await prove(member)
    expect(await answerTo(test.call(wire.switchFactorOn, {}, member))).toBe('passkey_missing')
    const authenticator = await addPasskey(member)
    expect(await test.call(wire.switchFactorOn, {}, member)).toMatchObject({ code: 1 })
    expect(await signIn(member)).toMatchObject(refused('second_factor_required'))
    expect(await signInByPasskey(authenticator)).toMatchObject({ code: 1 })
    await proveByPasskey(authenticator, member)
    const remove = await removing(member)
    expect(await remove()).toBe('second_factor_last')
    await test.call(wire.switchFactorOff, {}, member)
    expect(await remove()).toBe('done')
  })
})

describe('a second factor', () => {
  it('is off after a proof with its recovery codes, holds withdrawals, and stands in mails and the log', async () => {
    const { member, codeAt, recovery } = await memberWithApp()
    await test.database.shiftClock(301_000)
    const off = () => test.call(wire.switchFactorOff, {}, member)
    expect(await off()).toMatchObject(refused('proof_required'))
    await prove(member, await codeAt())
    await test.call(wire.newRecoveryCodes, {}, member)
    expect(await off()).toMatchObject({ code: 1 })
    expect(await off()).toMatchObject(refused('second_factor_off'))
    expect(await answerTo(test.call(wire.newRecoveryCodes, {}, member))).toBe('second_factor_off')
    expect(await signIn(member, recovery[0])).toMatchObject({ code: 1 })
    const { data: log } = await test.call(protectionChanges, {}, member)
    const kinds = ['factor_off', 'recovery_renewed', 'factor_on']
    expect(log.list.map(({ what }) => what)).toEqual(kinds)
    for (const subject of ['Two-step login is on', 'Two-step login is off'])
      await mailTo(test, member.email, (mail) => mail.subject === subject)
    expect(await heldSince(test.database, member.id)).toBeGreaterThan((await now()) - 60_000)
  })

  it('is readable in no row: the app’s secret is encrypted, and of recovery codes there are hashes', async () => {
    const { member, setup, recovery } = await memberWithApp()
    const rows = await test.database.owner.column<Buffer>(
      `select encrypted_totp_secret from accounts.second_factor where player_id = $1
       union all select code_hash from accounts.recovery_code where player_id = $1`,
      [member.id],
    )
    expect(rows).toHaveLength(11)
    const ofApp = Buffer.from(Secret.fromBase32(setup.secret).bytes)
    for (const secret of [setup.secret, ofApp, ...recovery, ...recovery.map(bareRecoveryCode)])
      expect(Buffer.concat(rows).includes(secret), String(secret)).toBe(false)
  })
})

/** A member with an app, recovery codes and a passkey, whose account is in this state then. */
async function memberInState(change: string) {
  const made = await memberWithApp()
  const authenticator = await addPasskey(made.member, await made.codeAt())
  await nextStep()
  await changePlayer(test.database, made.member.id, change)
  return { ...made, authenticator }
}

describe('the second factor of an account', () => {
  it.each([
    ['frozen', `state = 'frozen'`, 'account_locked'],
    ['closed', `state = 'closed', closed_at = app.now()`, 'account_closed'],
  ])('that is %s opens it by nothing, and uses up no code', async (_, change, reason) => {
    const { member, codeAt, recovery, authenticator } = await memberInState(change)
    for (const reply of [
      await signIn(member),
      await signIn(member, await codeAt()),
      await signIn(member, '12345'),
      await signIn(member, recovery[0]),
      await signInByPasskey(authenticator),
    ]) {
      expect(reply).toMatchObject(refused(reason))
    }
    // A session from before proves nothing either, nor is it told of the factor.
    const answer = authenticator.answer({ challenge: 'AAAA', rp_id: 'localhost' } as never)
    for (const reply of [
      await prove(member, await codeAt()),
      await prove(member, recovery[0]),
      await test.call(wire.prove, answer, member),
      await test.call(wire.secondFactor, {}, member),
      await test.call(wire.switchFactorOff, {}, member),
      await test.call(wire.newRecoveryCodes, {}, member),
    ]) {
      expect(reply.code).not.toBe(1)
      expect(reply).not.toMatchObject({ data: { reason: 'proof_required' } })
    }
    const left = 'select from accounts.recovery_code where player_id = $1 and used_at is null'
    expect(await test.database.owner.query(left, [member.id])).toHaveLength(10)
  })

  it('whose player is excluded is asked for as of any other, and he may still change it', async () => {
    const { member, codeAt, recovery, authenticator } = await memberInState('lang = lang')
    expect(await test.call(takeBreak, { months: 6 }, member)).toMatchObject({ code: 1 })
    expect(await signIn(member)).toMatchObject(refused('second_factor_required'))
    for (const reply of [
      await signIn(member, await codeAt()),
      await signIn(member, recovery[0]),
      await signInByPasskey(authenticator),
      await proveByPasskey(authenticator, member),
      await test.call(wire.newRecoveryCodes, {}, member),
    ]) {
      expect(reply).toMatchObject({ code: 1 })
    }
    // His app is left.
    const remove = await removing(member)
    expect(await remove()).toBe('done')
    expect(await test.call(wire.switchFactorOff, {}, member)).toMatchObject({ code: 1 })
    expect((await test.call(protectionState, {}, member)).data).toMatchObject({
      exclusion: { kind: 'self_exclusion' },
    })
  })
})
