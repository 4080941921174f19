/** Another address of an account, the way back, and the link that ends a sign-in on a new device. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import * as wire from '@sum28/contract/passkey-routes.ts'
import { protectionChanges } from '@sum28/contract/protection-routes.ts'
import { login, refresh, register, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { describe, expect, it } from 'vitest'
import { changePlayer, heldSince, setTimesToday } from '#testing/people/seated-player.ts'
import {
  answerTo,
  cookieOf,
  mailedCode,
  mailsOf,
  mailTo,
  newName,
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { TOLD_A_DAY } from './known-device.ts'

const test = useWorkersApi()

/** The mails that an address got, the latest first. */
const mailsTo = async (email: string) => (await mailsOf(test)).filter(({ to }) => to === email)

const refused = (reason: string) => ({ code: 0, data: { reason } })
const DAY_MS = 86_400_000

const prove = (member: { token: string }) =>
  test.call(wire.prove, { password: TEST_PASSWORD }, member)

/** The latest code that an address got: as the present one, or as the new one. */
const codeTo = (email: string, as: 'replace' | 'use') =>
  eventually(async () =>
    (await mailsTo(email))
      .flatMap(({ text }) => new RegExp(`to ${as} this address.*?(\\d{6})`).exec(text)?.[1] ?? [])
      .at(0),
  )

/** The secret in the latest link that was mailed to an address. */
const linkTo = (email: string) =>
  eventually(async () =>
    (await mailsTo(email))
      .flatMap(({ text }) => /\/takeBack#([\w-]{43})\s*$/.exec(text)?.[1] ?? [])
      .at(0),
  )

const linksTo = async (email: string) =>
  (await mailsTo(email)).filter(({ text }) => text.includes('/takeBack#'))

/** A member who has proved that it is him, and whose codes are more than a minute old. */
async function provedMember() {
  const member = await registerMember(test)
  await test.database.shiftClock(61_000)
  await prove(member)
  return { member, email: `${newName()}@example.com` }
}

async function askCodes(member: TestMember, email: string) {
  expect(await test.call(wire.mailAddressCodes, { email }, member)).toMatchObject({ code: 1 })
  return {
    email,
    old_code: await codeTo(member.email, 'replace'),
    new_code: await codeTo(email, 'use'),
  }
}

async function changed() {
  const { member, email } = await provedMember()
  const codes = await askCodes(member, email)
  expect(await test.call(wire.changeAddress, codes, member)).toMatchObject({ code: 1 })
  return { member, email, codes }
}

/** Registers another account with an address, by the code that is mailed to it. */
async function registerWith(email: string) {
  expect(await test.call(sendCode, { email, event: 'register' })).toMatchObject({ code: 1 })
  const code = await mailedCode(test, email)
  const who = { username: newName(), email, code, password: TEST_PASSWORD }
  return test.call(register, { ...who, group_id: 1, adult: true })
}

const addressOf = async (member: { token: string }) =>
  (await test.call(userInfo, {}, member)).data.email

const heldAt = ({ id }: TestMember) => heldSince(test.database, id)

const signIn = (account: string, headers: Record<string, string> = {}, remember = false) =>
  test.call(login, { account, password: TEST_PASSWORD, remember }, { headers })

const takeBack = (link: string) => test.call(wire.takeBack, { link })

describe('the address of an account', () => {
  it('changes by the codes of both addresses, once, holds withdrawals, and stands in the log', async () => {
    const { member, email } = await provedMember()
    const codes = await askCodes(member, email)
    const calls = [1, 2, 3].map(() => answerTo(test.call(wire.changeAddress, codes, member)))
    expect((await Promise.all(calls)).filter((answer) => answer === 'done')).toHaveLength(1)
    expect(await addressOf(member)).toBe(email)
    expect(await signIn(email)).toMatchObject({ code: 1 })
    expect(await signIn(member.email)).toMatchObject(refused('account_or_password_wrong'))
    const { data } = await test.call(protectionChanges, {}, member)
    expect(data.list[0]).toMatchObject({
      what: 'email_changed',
      name: `${email[0]}***@example.com`,
    })
    expect(await heldAt(member)).toBeGreaterThan(0)
  })

  it('changes not without a proof of the last five minutes', async () => {
    const { member, email } = await provedMember()
    const codes = await askCodes(member, email)
    await test.database.shiftClock(301_000)
    const calls = [
      test.call(wire.changeAddress, codes, member),
      test.call(wire.mailAddressCodes, { email }, member),
    ]
    for (const call of calls) expect(await answerTo(call)).toBe('proof_required')
  })

  it('needs both codes: a wrong one is named by its field, and changes nothing', async () => {
    const { member, email } = await provedMember()
    const codes = await askCodes(member, email)
    for (const field of ['old_code', 'new_code'] as const) {
      const wrong = codes[field] === '000000' ? '000001' : '000000'
      const reply = await test.call(wire.changeAddress, { ...codes, [field]: wrong }, member)
      expect(reply).toMatchObject({ data: { reason: 'email_code_wrong', field } })
    }
    const swapped = { email, old_code: codes.new_code, new_code: codes.old_code }
    expect(await test.call(wire.changeAddress, swapped, member)).toMatchObject({ code: 0 })
    expect(await addressOf(member)).toBe(member.email)
    expect(await test.call(wire.changeAddress, codes, member)).toMatchObject({ code: 1 })
  })

  it('does not reveal whose the new one is: it gets a mail without a code', async () => {
    const { member } = await provedMember()
    const other = await registerMember(test)
    await test.database.shiftClock(61_000)
    await prove(member)
    const ask = { email: other.email }
    expect(await test.call(wire.mailAddressCodes, ask, member)).toMatchObject({ code: 1 })
    const told = await mailTo(test, other.email, ({ subject }) => /already have/.test(subject))
    expect(told.text).not.toMatch(/\d{6}/)
    expect(told.text).toContain('or to give it to another account')
    const same = { email: member.email }
    expect(await answerTo(test.call(wire.mailAddressCodes, same, member))).toBe('email_same')
  })
})

describe('the way back to an earlier address', () => {
  it('gives it to the account again, once, signs out everywhere, and demands a new password', async () => {
    const { member, email } = await changed()
    const link = await linkTo(member.email)
    expect(await takeBack(link)).toMatchObject({ code: 1, data: { address: true } })
    expect(await test.call(userInfo, {}, member)).toMatchObject({ http: 401 })
    expect(await signIn(member.email)).toMatchObject(refused('password_reset_required'))
    expect(await signIn(email)).toMatchObject(refused('account_or_password_wrong'))
    expect(await takeBack(link)).toMatchObject(refused('link_over'))
  })

  it.each(['owner first', 'thief first'])(
    'voids the links of later changes, which a thief has: %s',
    async (order) => {
      const { member, email: second } = await changed()
      const own = await linkTo(member.email)
      await test.database.shiftClock(61_000)
      await prove(member)
      const codes = await askCodes({ ...member, email: second }, `${newName()}@example.com`)
      expect(await test.call(wire.changeAddress, codes, member)).toMatchObject({ code: 1 })
      const ofThief = await linkTo(second)
      if (order === 'thief first') {
        expect(await takeBack(ofThief)).toMatchObject({ data: { address: true } })
      }
      expect(await takeBack(own)).toMatchObject({ data: { address: true } })
      expect(await takeBack(ofThief)).toMatchObject(refused('link_over'))
      expect(await signIn(member.email)).toMatchObject(refused('password_reset_required'))
    },
  )

  it('voids the links about sign-ins that were mailed to the thief’s address, and not the other way round', async () => {
    const { member, email } = await changed()
    await signIn(member.username)
    const [ofSignIn, own] = [await linkTo(email), await linkTo(member.email)]
    await signIn(member.username)
    const second = await eventually(async () => {
      const latest = await linkTo(email)
      return latest === ofSignIn ? undefined : latest
    })
    // As he may also do before the owner.
    expect(await takeBack(ofSignIn)).toMatchObject({ data: { address: false } })
    expect(await takeBack(own)).toMatchObject({ data: { address: true } })
    expect(await takeBack(second)).toMatchObject(refused('link_over'))
  })

  it('is not closed by another account at the address, whether registered there or moved', async () => {
    const { member, email } = await changed()
    const link = await linkTo(member.email)
    await test.database.shiftClock(61_000)
    expect(await answerTo(registerWith(member.email))).toBe('email_taken')
    const { member: other } = await provedMember()
    const codes = await askCodes(other, member.email)
    expect(await answerTo(test.call(wire.changeAddress, codes, other))).toBe('email_taken')
    expect(await addressOf(other)).toBe(other.email)
    // Its own account may go back by itself.
    await test.database.shiftClock(61_000)
    await prove(member)
    const own = await askCodes({ ...member, email }, member.email)
    expect(await test.call(wire.changeAddress, own, member)).toMatchObject({ code: 1 })
    expect(await takeBack(link)).toMatchObject({ data: { address: true } })
  })

  it('keeps the address free for 72 hours, and not once it was used', async () => {
    const [used, left] = [await changed(), await changed()]
    await takeBack(await linkTo(used.member.email))
    expect(await registerWith(used.email)).toMatchObject({ code: 1 })
    await test.database.shiftClock(3 * DAY_MS)
    expect(await registerWith(left.member.email)).toMatchObject({ code: 1 })
  })

  it('ends where the address has another account by now', async () => {
    const { member, email } = await changed()
    const link = await linkTo(member.email)
    await test.database.owner.query(
      `insert into accounts.player (username, email, email_key, password_hash, group_id)
       values ($1, $2::text, $2::text, '', 1)`,
      [newName(), member.email],
    )
    expect(await takeBack(link)).toMatchObject(refused('email_taken'))
    expect(await addressOf(member)).toBe(email)
  })
})

describe('a sign-in on a new device', () => {
  it('is told by mail and message, and not again on that device', async () => {
    const member = await registerMember(test)
    const agent = { 'user-agent': 'Firefox/145.0 Windows' }
    const first = await signIn(member.username, agent)
    await linkTo(member.email)
    const cookie = cookieOf(first, 'device')
    await signIn(member.username, { ...agent, cookie })
    const { data } = await test.call(noticeList, {}, member)
    expect(data.zhannei).toMatchObject([
      { title: 'Login on a new device', content: expect.stringContaining('Firefox · Windows') },
    ])
    // The link stands in the mail alone.
    expect(JSON.stringify(data)).not.toContain('takeBack')
    expect(await linksTo(member.email)).toHaveLength(1)
    // It is new again after the player has ended it in the list of devices.
    await test.call(wire.endOtherDevices, {}, member)
    await signIn(member.username, { cookie })
    expect((await test.call(noticeList, {}, member)).data.zhannei).toHaveLength(2)
  })

  it('is ended by the link, with all others: no password and no remembered device signs in', async () => {
    const member = await registerMember(test)
    const thief = await signIn(member.username, {}, true)
    const cookie = cookieOf(thief)
    const link = await linkTo(member.email)
    expect(await heldAt(member)).toBeNull()
    expect(await takeBack(link)).toMatchObject({ data: { address: false } })
    expect(await test.call(userInfo, {}, thief.data.userinfo)).toMatchObject({ http: 401 })
    expect(await test.call(refresh, {}, { headers: { cookie } })).toMatchObject({ http: 401 })
    expect(await signIn(member.username)).toMatchObject(refused('password_reset_required'))
    expect(await heldAt(member)).toBeGreaterThan(0)
    expect(await takeBack(link)).toMatchObject(refused('link_over'))
  })

  it('has a link that a closed account does not take, and nobody can guess', async () => {
    const member = await registerMember(test)
    await signIn(member.username)
    const link = await linkTo(member.email)
    await changePlayer(test.database, member.id, `state = 'closed', closed_at = app.now()`)
    expect(await takeBack(link)).toMatchObject(refused('account_closed'))
    expect(await takeBack('a'.repeat(43))).toMatchObject(refused('link_over'))
    expect(await takeBack('a b')).toMatchObject({ code: 400 })
  })

  it('is told twenty times a day at most, to the owner of a program without cookies', async () => {
    const member = await registerMember(test)
    await signIn(member.username)
    const told = { playerId: member.id, event: 'told sign-ins', times: TOLD_A_DAY - 1 }
    await setTimesToday(test.database, told)
    for (const _ of ['the last of the day', 'one more']) await signIn(member.username)
    expect((await test.call(noticeList, {}, member)).data.zhannei).toHaveLength(2)
  })
})

describe('the language of mails and pushes', () => {
  /** A call that the app makes after a sign-in, and after a choice of its language. */
  const use = (lang: string | undefined, { token }: { token: string }) =>
    test.post(userInfo.path, { lang }, { Token: token })
  const languageOf = ({ id }: TestMember) =>
    test.database.owner.value('select lang from accounts.player where id = $1', [id])

  it('is the one that a player has chosen since he registered; a sign-in on a new device is told in it', async () => {
    const member = await registerMember(test)
    await use('vi', member)
    const thief = { account: member.username, password: TEST_PASSWORD, lang: 'ja' }
    expect(await test.post(login.path, thief)).toMatchObject({ code: 1 })
    const link = await linkTo(member.email)
    const [mail] = (await mailsTo(member.email)).filter(({ text }) => text.includes(link))
    expect(mail?.subject).toBe(translate('vi', 'notice.new_device.title'))
  })

  it('is not changed by a request that names none, nor by a device that begins a session by itself', async () => {
    const member = await registerMember(test)
    const { username: account } = member
    const entry = { account, password: TEST_PASSWORD, remember: true, lang: 'vi' }
    const entered = await test.post(login.path, entry)
    const cookie = `${cookieOf(entered)}; ${cookieOf(entered, 'device')}`
    for (const lang of [undefined, 'xx']) await use(lang, member)
    expect(await test.post(refresh.path, { lang: 'en' }, { cookie })).toMatchObject({ code: 1 })
    expect(await languageOf(member)).toBe('vi')
  })

  it('is not changed on a device that has been new for less than 72 hours', async () => {
    const member = await registerMember(test)
    const { owner } = test.database
    await changePlayer(test.database, member.id, `created_at = app.now() - interval '90 days'`)
    const known = 'update accounts.known_device set first_at ='
    await owner.query(`${known} app.now() - interval '90 days' where player_id = $1`, [member.id])
    const signedIn = await signIn(member.username)
    const cookie = cookieOf(signedIn, 'device')
    const thief = signedIn.data.userinfo
    await use('ja', thief)
    await signIn(member.username, { cookie })
    await use('ja', thief)
    expect(await languageOf(member)).toBe('en')
    await use('vi', member)
    expect(await languageOf(member)).toBe('vi')
    const rest = (interval: string) =>
      owner.query(
        `${known} app.now() - interval '${interval}' where player_id = $1
           and first_at > app.now() - interval '80 days'`,
        [member.id],
      )
    await rest('71 hours 59 minutes')
    await use('ja', thief)
    expect(await languageOf(member)).toBe('vi')
    await rest('72 hours')
    const again = { account: member.username, password: TEST_PASSWORD, lang: 'ja' }
    await test.post(login.path, again, { cookie })
    expect(await languageOf(member)).toBe('ja')
  })
})
