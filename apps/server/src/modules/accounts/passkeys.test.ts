import { noticeList } from '@sum28/contract/index-routes.ts'
import * as wire from '@sum28/contract/passkey-routes.ts'
import { protectionChanges } from '@sum28/contract/protection-routes.ts'
import { login, userInfo } from '@sum28/contract/user-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { Authenticator, type Twist, WRONG_ANSWERS } from '#testing/people/authenticator.ts'
import { changePlayer, heldSince, setTimesToday } from '#testing/people/seated-player.ts'
import {
  answerTo,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const test = useWorkersApi()

const originOf = () => new URL(test.app.url).origin

async function prove(member: TestMember) {
  await test.call(wire.prove, { password: TEST_PASSWORD }, member)
}

/** Adds a passkey of a new authenticator to an account. */
async function addTo(
  member: TestMember,
  { name = 'Phone', ...twist }: Twist & { name?: string } = {},
) {
  await prove(member)
  const authenticator = new Authenticator(originOf())
  const { data: options } = await test.call(wire.passkeyOptions, {}, member)
  const made = authenticator.create(options, twist)
  const reply = await test.call(wire.addPasskey, { name, ...made }, member)
  return { authenticator, reply, made }
}

async function memberWithPasskey() {
  const member = await registerMember(test)
  return { member, ...(await addTo(member)) }
}

async function signIn(authenticator: Authenticator, twist: Twist = {}) {
  const { data: challenge } = await test.call(wire.passkeyChallenge, {})
  return test.call(wire.passkeyLogin, {
    ...authenticator.answer(challenge, twist),
    remember: false,
  })
}

const passkeysOf = async (member: TestMember) =>
  (await test.call(wire.passkeys, {}, member)).data.list

/** Another session of a member. */
const onAnotherDevice = async ({ username: account }: TestMember) =>
  (await test.call(login, { account, password: TEST_PASSWORD })).data.userinfo

const REFUSED = { code: 0, data: { reason: 'passkey_refused' } }

describe('a passkey', () => {
  it('is added after a proof, beside others, signs in without a name, and notes its use', async () => {
    const { member, authenticator, reply } = await memberWithPasskey()
    expect(reply).toMatchObject({ code: 1 })
    expect(await passkeysOf(member)).toMatchObject([
      { name: 'Phone', usedtime: null, cloned: false },
    ])
    const { data } = await signIn(authenticator)
    expect(data.userinfo.user_id).toBe(member.id)
    expect((await test.call(userInfo, {}, data.userinfo)).data.username).toBe(member.username)
    expect(await passkeysOf(member)).toMatchObject([{ usedtime: expect.any(Number) }])
    const second = (await addTo(member, { name: 'Key' })).authenticator
    expect((await signIn(second)).data.userinfo.user_id).toBe(member.id)
    const { passkeys } = (await test.call(wire.proofOptions, {}, member)).data
    const ids = [authenticator, second].map(({ id }) => id.toString('base64url'))
    expect(passkeys.map(({ id }) => id)).toEqual(ids)
  })

  it('is neither made nor removed without a proof of the last five minutes, in this session', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const [passkey] = await passkeysOf(member)
    const other = await onAnotherDevice(member)
    const unproved = { code: 0, data: { reason: 'proof_required' } }
    const remove = (who: { token: string }) =>
      test.call(wire.removePasskey, { id: passkey?.id ?? 0 }, who)
    expect(await test.call(wire.passkeyOptions, {}, other)).toMatchObject(unproved)
    expect(await remove(other)).toMatchObject(unproved)
    await test.database.shiftClock(301_000)
    expect(await remove(member)).toMatchObject(unproved)
    // A passkey proves it in place of the password.
    const { data: options } = await test.call(wire.proofOptions, {}, member)
    const proof = authenticator.answer(options)
    expect(await test.call(wire.prove, proof, member)).toMatchObject({ code: 1 })
    expect(await remove(member)).toMatchObject({ code: 1 })
    expect(await passkeysOf(member)).toEqual([])
  })

  it('of another player proves nothing and is not removed; one’s own signs in no more then', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const [passkey] = await passkeysOf(member)
    const thief = await registerMember(test)
    const unknown = { code: 0, data: { reason: 'passkey_unknown' } }
    const { data: options } = await test.call(wire.proofOptions, {}, thief)
    expect(await test.call(wire.prove, authenticator.answer(options), thief)).toMatchObject(unknown)
    expect(await answerTo(test.call(wire.passkeyOptions, {}, thief))).toBe('proof_required')
    await prove(thief)
    const remove = { id: passkey?.id ?? 0 }
    expect(await test.call(wire.removePasskey, remove, thief)).toMatchObject(unknown)
    expect(await test.call(wire.removePasskey, remove, member)).toMatchObject({ code: 1 })
    expect(await signIn(authenticator)).toMatchObject(unknown)
  })

  it('holds withdrawals when it comes or goes, is told by mail and message, and stands in the log', async () => {
    const { member } = await memberWithPasskey()
    const [passkey] = await passkeysOf(member)
    await test.call(wire.removePasskey, { id: passkey?.id ?? 0 }, member)
    const { data: log } = await test.call(protectionChanges, {}, member)
    expect(log.list.map(({ what, name }) => [what, name])).toEqual([
      ['passkey_removed', 'Phone'],
      ['passkey_added', 'Phone'],
    ])
    const { data: notices } = await test.call(noticeList, {}, member)
    expect(notices.zhannei.map(({ title }) => title)).toEqual([
      'A passkey was removed',
      'A passkey was added',
    ])
    for (const { title } of notices.zhannei)
      await mailTo(
        test,
        member.email,
        (mail) => mail.subject === title && /“Phone”/.test(mail.text),
      )
    expect(await heldSince(test.database, member.id)).not.toBeNull()
  })
})

describe('an answer of a passkey is refused', () => {
  it('whatever about it is not as it was asked for', async () => {
    const { authenticator } = await memberWithPasskey()
    for (const [what, twist] of WRONG_ANSWERS) {
      expect(await signIn(authenticator, twist), what).toMatchObject(REFUSED)
    }
    expect(await signIn(authenticator)).toMatchObject({ code: 1 })
  })

  it('whose challenge was used before, is of another purpose or session, or invented', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const log = (answer: object) => test.post('/api/user/passkeyLogin', answer)
    const { data: challenge } = await test.call(wire.passkeyChallenge, {})
    const answer = authenticator.answer(challenge)
    const atOnce = await Promise.all([1, 2, 3].map(() => log(answer)))
    expect(atOnce.map(({ code }) => code).sort()).toEqual([0, 0, 1])
    expect(await log(answer)).toMatchObject(REFUSED)
    const { data: ofProof } = await test.call(wire.proofOptions, {}, member)
    expect(await log(authenticator.answer(ofProof))).toMatchObject(REFUSED)
    const invented = { ...challenge, challenge: Buffer.alloc(32).toString('base64url') }
    expect(await log(authenticator.answer(invented))).toMatchObject(REFUSED)

    const other = await onAnotherDevice(member)
    const { data: ofOther } = await test.call(wire.proofOptions, {}, other)
    expect(await test.call(wire.prove, authenticator.answer(ofOther), member)).toMatchObject(
      REFUSED,
    )
  })

  it('that comes later than five minutes, or was signed with another key', async () => {
    const { authenticator } = await memberWithPasskey()
    const { data: challenge } = await test.call(wire.passkeyChallenge, {})
    const answer = { ...authenticator.answer(challenge), remember: false }
    const { signature } = new Authenticator(originOf()).answer(challenge)
    expect(await test.call(wire.passkeyLogin, { ...answer, signature })).toMatchObject(REFUSED)
    const { data: second } = await test.call(wire.passkeyChallenge, {})
    await test.database.shiftClock(301_000)
    const late = { ...authenticator.answer(second), remember: false }
    expect(await test.call(wire.passkeyLogin, late)).toMatchObject(REFUSED)
  })

  it('that is no WebAuthn at all', async () => {
    const { authenticator } = await memberWithPasskey()
    const answer = { ...authenticator.answer({ challenge: '', rp_id: '' }), client_data: 'bm9uZQ' }
    expect(await test.post('/api/user/passkeyLogin', answer)).toMatchObject(REFUSED)
  })
})

describe('a passkey is not added', () => {
  let other: TestMember
  beforeAll(async () => {
    other = await registerMember(test)
  })

  it.each<[string, Twist]>([
    ['that was made for another site', { origin: 'https://sum28.example' }],
    ['that was made for another RP id', { rpId: 'sum28.example' }],
    ['that does not ask for a finger, face or PIN', { flags: 1 }],
    ['that proves its maker, whose certificates would be looked up', { format: 'apple' }],
    ['that answers the ceremony of signing in', { type: 'webauthn.get' }],
  ])('%s', async (_, twist) => {
    expect((await addTo(other, twist)).reply).toMatchObject(REFUSED)
    expect(await passkeysOf(other)).toEqual([])
  })

  it('twice, or for two accounts', async () => {
    const { member, authenticator, made } = await memberWithPasskey()
    const add = (request: typeof made, who: TestMember) =>
      answerTo(test.call(wire.addPasskey, { name: 'Again', ...request }, who))
    expect(await add(made, member)).toBe('passkey_refused')
    await prove(other)
    const { data: options } = await test.call(wire.passkeyOptions, {}, other)
    expect(await add(authenticator.create(options), other)).toBe('passkey_refused')
  })

  it('beyond the twentieth', async () => {
    const member = await registerMember(test)
    await test.database.owner.query(
      `insert into accounts.passkey (player_id, credential_id, public_key, user_handle, sign_count, transports, name)
       select player.id, decode(md5(n || ' of ' || player.id), 'hex'), '', sha256('all'), 0, '{}', 'Key'
       from generate_series(1, 20) n, accounts.player where player.id = $1`,
      [member.id],
    )
    expect((await addTo(member)).reply).toMatchObject({ data: { reason: 'passkeys_full' } })
  })

  it('after twenty of a day, which a thief may have added: they are removed all the same', async () => {
    const { member } = await memberWithPasskey()
    const added = { playerId: member.id, event: 'added passkeys', times: 19 }
    await setTimesToday(test.database, added)
    expect((await addTo(member)).reply).toMatchObject({ code: 1 })
    for (const { id } of await passkeysOf(member)) {
      expect(await test.call(wire.removePasskey, { id }, member)).toMatchObject({ code: 1 })
    }
    expect((await addTo(member)).reply).toMatchObject({ data: { reason: 'too_many_requests' } })
  })
})

describe('a copy of a passkey', () => {
  it('is noticed by the count that goes back: the passkey is closed, and its player told', async () => {
    const { member, authenticator } = await memberWithPasskey()
    expect(await signIn(authenticator, { count: 7 })).toMatchObject({ code: 1 })
    const cloned = { code: 0, data: { reason: 'passkey_cloned' } }
    expect(await signIn(authenticator, { count: 7 })).toMatchObject(cloned)
    expect(await signIn(authenticator, { count: 8 })).toMatchObject(cloned)
    expect(await passkeysOf(member)).toMatchObject([{ cloned: true }])
    const { data: notices } = await test.call(noticeList, {}, member)
    expect(notices.zhannei.map(({ title }) => title)).toEqual([
      'A passkey was disabled',
      'Login on a new device',
      'A passkey was added',
    ])
  })

  it('is not seen in an answer that came after a later one, and signs nobody in', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const { data: first } = await test.call(wire.passkeyChallenge, {})
    expect(await signIn(authenticator, { count: 6 })).toMatchObject({ code: 1 })
    const late = { ...authenticator.answer(first, { count: 5 }), remember: false }
    expect(await test.call(wire.passkeyLogin, late)).toMatchObject(REFUSED)
    expect(await passkeysOf(member)).toMatchObject([{ cloned: false }])
    expect(await signIn(authenticator, { count: 7 })).toMatchObject({ code: 1 })
    // One that was asked for since the last use is a copy's.
    expect(await answerTo(signIn(authenticator, { count: 6 }))).toBe('passkey_cloned')
  })

  it('of two simultaneous uses of one count closes it', async () => {
    const { member, authenticator } = await memberWithPasskey()
    const replies = await Promise.all([1, 2].map(() => signIn(authenticator, { count: 3 })))
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(await passkeysOf(member)).toMatchObject([{ cloned: true }])
  })
})

it('an account whose player staff told to set a new password is not opened by a passkey either', async () => {
  const { member, authenticator } = await memberWithPasskey()
  await changePlayer(test.database, member.id, 'password_required_at = app.now()')
  expect(await answerTo(signIn(authenticator))).toBe('password_reset_required')
})

it('a sign-in by a passkey that another site’s page sends is refused', async () => {
  const { authenticator } = await memberWithPasskey()
  const { data: challenge } = await test.call(wire.passkeyChallenge, {})
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect(
    await test.post('/api/user/passkeyLogin', authenticator.answer(challenge), headers),
  ).toMatchObject({ code: 403 })
})
