/** A new password that staff require, and a security code that two members of staff delete. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { newPass, safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import {
  addPasskey,
  authenticatorSetup,
  newRecoveryCodes,
  passkeyChallenge,
  passkeyLogin,
  passkeyOptions,
  prove,
  switchFactorOn,
  takeBack,
} from '@sum28/contract/passkey-routes.ts'
import { protectionChanges, protectionState, takeBreak } from '@sum28/contract/protection-routes.ts'
import type { RequestOf, Route } from '@sum28/contract/route.ts'
import { onePlayer, playerActions, requirePassword } from '@sum28/contract/staff-players-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
  proposeAddressReset,
  proposeCodeReset,
  proposeFactorReset,
} from '@sum28/contract/staff-proposal-routes.ts'
import { login, resetPassword, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { totpCodeOf } from '#src/secrets/one-time-codes.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { Authenticator } from '#testing/people/authenticator.ts'
import { setCode, TEST_CODE } from '#testing/people/cashier.ts'
import { confirm, latestAbout } from '#testing/people/proposals.ts'
import { changePlayer, heldSince } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import {
  expectSuccess,
  mailedCode,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  useWorkersApp,
} from '#testing/product/test-app.ts'

const test = useWorkersApp()

const refused = (reason: string) => ({ code: 0, data: { reason } })
const titles = async (member: { token: string }) =>
  (await test.call(noticeList, {}, member)).data.zhannei.map(({ title }) => title)

/** The log of changes that he sees, the newest first. */
const logOf = async (member: { token: string }) =>
  (await test.call(protectionChanges, {}, member)).data.list.map(({ what }) => what)

/** A player who has lost something, and the two persons who reset it. */
async function loser() {
  const member = await registerMember(test)
  const [support, owner] = [await addStaff(test, 'support'), await staffSession(test)]
  const subject = `player:${member.id}`
  const idOfLast = () => latestAbout(test.database.owner, subject)
  return {
    member,
    support,
    propose: <R extends Route>(route: R, fields: object = {}) => {
      const request = { user_id: member.id, reason: 'as on his document, by video', ...fields }
      return test.call(route, request as RequestOf<R>, support)
    },
    proposals: async () => (await test.call(listProposals, { subject }, owner)).data.list,
    confirm: async (by: { token: string } = owner) =>
      test.call(confirmProposal, { id: await idOfLast() }, by),
    end: async () => test.call(endProposal, { id: await idOfLast(), reason: 'not he' }, owner),
    signIn: (added: { password?: string; code?: string } = {}) =>
      test.call(login, { account: member.username, password: TEST_PASSWORD, ...added }),
    set: (state: 'active' | 'frozen') =>
      changePlayer(test.database, member.id, `state = '${state}'`),
  }
}

/** What was used before is earlier than what is proposed, and what is used later is later. */
const passSecond = () => test.database.shiftClock(1_000)

describe('a player of whom staff require a new password', () => {
  it('is signed out, and signs in only with one that he set by mail', async () => {
    const support = await addStaff(test, 'support')
    const ann = await registerMember(test, 'renewing_ann')
    const request = { user_id: ann.id, reason: 'his password was on a list' }
    expectSuccess(await test.call(requirePassword, request, support))

    expect(await test.call(userInfo, {}, ann)).toMatchObject({ http: 401 })
    const signIn = (password: string) => test.call(login, { account: 'renewing_ann', password })
    expect(await signIn(TEST_PASSWORD)).toMatchObject(refused('password_reset_required'))
    // Without the password the caller does not learn of the requirement.
    expect(await signIn('not his password')).toMatchObject(refused('account_or_password_wrong'))
    const mail = await mailTo(test, ann.email, ({ subject }) => /new password/.test(subject))
    expect(mail.text).toContain('reset your password')

    const sent = await test.call(sendCode, { email: ann.email, event: 'resetpwd' })
    expect(sent).toMatchObject({ code: 1 })
    const reset = { email: ann.email, captcha: await mailedCode(test, ann.email) }
    const same = await test.call(resetPassword, { ...reset, newpassword: TEST_PASSWORD })
    expect(same).toMatchObject(refused('password_same'))
    expect(await signIn(TEST_PASSWORD)).toMatchObject(refused('password_reset_required'))
    const renewed = await test.call(resetPassword, { ...reset, newpassword: 'a new passphrase' })
    expect(renewed).toMatchObject({ code: 1 })
    const signedIn = await signIn('a new passphrase')
    expect(await logOf(signedIn.data.userinfo)).toEqual(['password_changed', 'password_required'])
    const owner = await staffSession(test)
    const { data } = await test.call(playerActions, { user_id: ann.id }, owner)
    expect(data.list).toMatchObject([
      {
        action: 'password_required',
        details: { reason: request.reason },
        staff: support.login.name,
      },
    ])
  })

  it('begins no session with a sign-in, and sets no password with a change, that were in progress', async () => {
    const { token } = await addStaff(test, 'support')
    const ben = await registerMember(test, 'renewing_ben')
    const passwords = { old_pass: TEST_PASSWORD, new_pass: 'a passphrase of a thief' }
    const signIn = (password: string) => test.call(login, { account: 'renewing_ben', password })
    const [begun, changed] = await answerAfter(test.database, {
      first: (tx) => tx.query('select console_players.require_password($1, $2)', [ben.id, token]),
      second: () => Promise.all([signIn(TEST_PASSWORD), test.call(newPass, passwords, ben)]),
      whileWaiting: () => somebodyWaits(test.database, 2),
    })
    expect(begun.code).not.toBe(1)
    expect(changed).toMatchObject({ http: 401, data: { reason: 'session_replaced' } })
    const live = 'select from accounts.session where player_id = $1 and ended_at is null'
    expect(await test.database.owner.query(live, [ben.id])).toEqual([])
    expect(await signIn(TEST_PASSWORD)).toMatchObject(refused('password_reset_required'))
    expect(await signIn(passwords.new_pass)).toMatchObject(refused('account_or_password_wrong'))
  })
})

describe('a security code that two members of staff delete', () => {
  async function withCode() {
    const here = await loser()
    await setCode(test, here.member)
    await passSecond()
    expectSuccess(await here.propose(proposeCodeReset))
    return here
  }

  it('is deleted only when another person confirms, and then withdrawals are on hold', async () => {
    const { member, support, confirm, signIn } = await withCode()
    expect(await titles(member)).toContain('A reset of your security code was asked for')
    const finance = await addStaff(test, 'finance')
    const before = Number(await heldSince(test.database, member.id))
    expect(await confirm(support)).toMatchObject({ http: 403 })
    expectSuccess(await confirm(finance))
    expect(await heldSince(test.database, member.id)).toBeGreaterThan(before)

    expect(await test.call(userInfo, {}, member)).toMatchObject({ http: 401 })
    const present = (await signIn()).data.userinfo
    expect(await titles(present)).toContain('Your security code was deleted')
    expect(await logOf(present)).toEqual(['code_reset', 'security_code_changed'])
    expect((await test.call(safetyInfo, {}, present)).data).toEqual({ isTrue: false })
    const owner = await staffSession(test)
    const { data } = await test.call(playerActions, { user_id: member.id }, owner)
    expect(data.list.map(({ action, staff }) => [action, staff])).toEqual([
      ['code_reset_confirmed', finance.login.name],
      ['code_reset_proposed', support.login.name],
    ])
  })

  it('is locked after its player by a change, and the reset then ends the session', async () => {
    const { member, signIn } = await withCode()
    const owner = await staffSession(test)
    const codes = { old_code: TEST_CODE, new_code: '161803' }
    const late = await answerAfter(test.database, {
      // The lock that a reset takes before it deletes the code.
      first: (tx) =>
        tx.query('select from accounts.player where id = $1 for no key update', [member.id]),
      second: () => test.call(setSafety, codes, member),
      async whileWaiting(tx) {
        const free = 'select from accounts.security_code where player_id = $1 for update nowait'
        expect(await tx.query(free, [member.id])).toHaveLength(1)
        const id = await latestAbout(tx, `player:${member.id}`)
        expect(await confirm(tx, id, owner.token)).toBe('confirmed')
      },
    })
    expect(late).toMatchObject({ http: 401, data: { reason: 'session_replaced' } })
    const { data } = await test.call(safetyInfo, {}, (await signIn()).data.userinfo)
    expect(data).toEqual({ isTrue: false })
  })
})

describe('a second factor that is lost with its recovery codes', () => {
  /** A player with an authenticator app as second factor. */
  async function withFactor() {
    const here = await loser()
    const { member } = here
    await test.call(prove, { password: TEST_PASSWORD }, member)
    const { data: setup } = await test.call(authenticatorSetup, {}, member)
    const now = await test.database.owner.value<number>('select app.now() as now')
    const code = totpCodeOf(setup.secret, now)
    const { data } = await test.call(switchFactorOn, { setup: setup.setup, code }, member)
    await passSecond()
    return {
      ...here,
      recoveryCode: data.recovery_codes[0] ?? '',
      propose: () => here.propose(proposeFactorReset),
    }
  }

  it('is switched off by two persons, who are told of no secret; the player is told, and held', async () => {
    const { member, support, proposals, propose, confirm, signIn } = await withFactor()
    const page = (await test.call(onePlayer, { user_id: member.id }, support)).data
    expect(page.second_factor).toEqual({ since: expect.any(Number), app: true, recovery_codes: 10 })
    const before = Number(await heldSince(test.database, member.id))
    expectSuccess(await propose())
    expect(await proposals()).toMatchObject([{ kind: 'factor_reset', changes: [] }])
    expect(await confirm()).toMatchObject({ code: 1, data: { state: 'confirmed' } })
    expect(await heldSince(test.database, member.id)).toBeGreaterThan(before)
    expect(await test.call(userInfo, {}, member)).toMatchObject({ http: 401 })
    const again = await signIn()
    expectSuccess(again)
    expect(await titles(again.data.userinfo)).toEqual(
      expect.arrayContaining([
        'Support was asked to switch two-step login off',
        'Two-step login was switched off by support',
      ]),
    )
    expect(await propose()).toMatchObject(refused('second_factor_off'))
  })

  it('of a frozen and excluded account is switched off with the passkey of a thief, who never gets in', async () => {
    const { member, propose, confirm, signIn, set } = await withFactor()
    const thief = new Authenticator(new URL(test.app.url).origin)
    const { data: options } = await test.call(passkeyOptions, {}, member)
    const phone = { name: 'A phone', ...thief.create(options) }
    expectSuccess(await test.call(addPasskey, phone, member))
    expectSuccess(await test.call(takeBreak, { months: 6 }, member))
    const enter = async () => {
      const { data: challenge } = await test.call(passkeyChallenge, {})
      return test.call(passkeyLogin, { ...thief.answer(challenge), remember: false })
    }
    await set('frozen')
    expectSuccess(await propose())
    await passSecond()
    expect(await enter()).toMatchObject(refused('account_locked'))
    expectSuccess(await confirm())
    await set('active')
    expect(await enter()).toMatchObject(refused('passkey_unknown'))
    // Without a factor he is signed in, and as excluded as before.
    const { data } = await signIn()
    expect((await test.call(protectionState, {}, data.userinfo)).data).toMatchObject({
      exclusion: { kind: 'self_exclusion' },
    })
    // The log does not end with what he has no more.
    const { list } = (await test.call(protectionChanges, {}, data.userinfo)).data
    expect(list.map(({ what, name }) => [what, name])).toEqual([
      ['factor_off', null],
      ['passkey_removed', 'A phone'],
      ['self_exclusion', null],
      ['passkey_added', 'A phone'],
      ['factor_on', null],
    ])
  })

  it.each<[string, (of: Awaited<ReturnType<typeof withFactor>>) => Promise<{ code: number }>]>([
    ['it is used', ({ signIn, recoveryCode }) => signIn({ code: recoveryCode })],
    // The proof by which he switched it on is not over yet.
    ['its player gets new recovery codes', ({ member }) => test.call(newRecoveryCodes, {}, member)],
  ])('stays if %s after the proposal: it is not lost', async (_, use) => {
    const made = await withFactor()
    expectSuccess(await made.propose())
    await passSecond()
    expect(await use(made)).toMatchObject({ code: 1 })
    expect(await made.confirm()).toMatchObject(refused('second_factor_known'))
  })
})

describe('the address of a lost mailbox', () => {
  async function withMailbox() {
    const here = await loser()
    const { member } = here
    const email = `another_${member.email}`
    return {
      ...here,
      email,
      propose: (address = email) => here.propose(proposeAddressReset, { email: address }),
      reset: async (address: string) => {
        expectSuccess(await test.call(sendCode, { email: address, event: 'resetpwd' }))
        const captcha = await mailedCode(test, address)
        const anew = { email: address, captcha, newpassword: 'a new passphrase' }
        return test.call(resetPassword, anew)
      },
      /** The secret of the link in the latest mail to the earlier address. */
      wayBack: async () => {
        const hasLink = (mail: { text: string }) => mail.text.includes('/takeBack#')
        const { text } = await mailTo(test, member.email, hasLink)
        return /#([\w-]{43})\s*$/.exec(text)?.[1] ?? ''
      },
      addressNow: () =>
        test.database.owner.value('select email from accounts.player where id = $1', [member.id]),
    }
  }

  it('is replaced by two persons; the player sets a password by a code that comes to the new one', async () => {
    const here = await withMailbox()
    const { member, support, email, proposals, propose, confirm, signIn } = here
    const before = Number(await heldSince(test.database, member.id))
    expectSuccess(await propose())
    expect(await propose()).toMatchObject(refused('already_proposed'))
    expect(await proposals()).toMatchObject([
      {
        kind: 'address_reset',
        changes: [{ what: 'email', before: member.email, after: email }],
      },
    ])
    await mailTo(test, member.email, ({ subject }) => /was asked to give/.test(subject))
    expect(await confirm(support)).toMatchObject({ http: 403 })
    expect(await here.addressNow()).toBe(member.email)

    expect(await confirm()).toMatchObject({ code: 1, data: { state: 'confirmed' } })
    expect(await here.addressNow()).toBe(email)
    expect(await heldSince(test.database, member.id)).toBeGreaterThan(before)
    expect(await test.call(userInfo, {}, member)).toMatchObject({ http: 401 })
    expect(await signIn()).toMatchObject(refused('password_reset_required'))
    const told = await mailTo(test, email, ({ subject }) => /has given your account/.test(subject))
    // They stay, and the finder of the mailbox may have added one.
    expect(told.text).toContain('Then remove passkeys that you do not know.')
    expectSuccess(await here.reset(email))
    expectSuccess(await signIn({ password: 'a new passphrase' }))
    // What was asked for is in no proposal that stays.
    expect(await proposals()).toMatchObject([{ changes: [] }])
    expect(
      await test.database.owner.exists(
        'select from staff.proposal where strpos(proposal::text, $1) > 0',
        [email],
      ),
    ).toBe(false)
  })

  it('comes back by the link that was mailed to it, once the account is not frozen any more', async () => {
    const here = await withMailbox()
    const { member, email, propose, confirm, reset, signIn, addressNow } = here
    await here.set('frozen')
    expectSuccess(await propose())
    expectSuccess(await confirm())
    const link = await here.wayBack()
    expect(await test.call(takeBack, { link })).toMatchObject(refused('account_locked'))
    expect(await addressNow()).toBe(email)
    await here.set('active')
    expect(await test.call(takeBack, { link })).toMatchObject({ code: 1, data: { address: true } })
    expect(await addressNow()).toBe(member.email)
    // Whoever has the other mailbox is told there.
    const told = await mailTo(test, email, ({ subject }) => /address of your account/.test(subject))
    expect(told.text).toContain(`another email address now: ${member.email[0]}***@example.org.`)
    expect(told.text).not.toContain('takeBack')
    expectSuccess(await reset(member.email))
    expectSuccess(await signIn({ password: 'a new passphrase' }))
  })

  it('stays if a code from it is used after the proposal: it is not lost', async () => {
    const { member, propose, confirm, reset, addressNow } = await withMailbox()
    expectSuccess(await propose())
    await passSecond()
    expectSuccess(await reset(member.email))
    expect(await confirm()).toMatchObject(refused('mailbox_known'))
    expect(await addressNow()).toBe(member.email)
    const ofLink =
      'select from accounts.security_link where player_id = $1 and old_email is not null'
    expect(await test.database.owner.query(ofLink, [member.id])).toEqual([])
  })

  it('stays if the link of a sign-in is used after the proposal, and once that is 14 days old', async () => {
    const here = await withMailbox()
    // The thief signs in, and then asks support.
    expectSuccess(await here.signIn())
    expectSuccess(await here.propose())
    await passSecond()
    const link = await here.wayBack()
    expect(await test.call(takeBack, { link })).toMatchObject({ data: { address: false } })
    expect(await here.confirm()).toMatchObject(refused('mailbox_known'))
    expectSuccess(await here.end())
    expectSuccess(await here.propose())
    await test.database.shiftClock(14 * 86_400_000 + 1_000)
    // The session of the owner has ended.
    expect(await here.confirm(await staffSession(test))).toMatchObject(refused('mailbox_known'))
  })

  it('is given to no other account while its link may give it back', async () => {
    const here = await withMailbox()
    expectSuccess(await here.propose())
    expectSuccess(await here.confirm())
    const thief = await withMailbox()
    expect(await thief.propose(here.member.email)).toMatchObject(refused('email_taken'))
    // As it was asked for before the account left it.
    expectSuccess(await thief.propose())
    const asked = 'update accounts.player set asked_email = $1 where id = $2'
    await test.database.owner.query(asked, [here.member.email, thief.member.id])
    expect(await thief.confirm()).toMatchObject(refused('email_taken'))
    const link = await here.wayBack()
    expect(await test.call(takeBack, { link })).toMatchObject({ code: 1, data: { address: true } })
  })

  it('is replaced by none that an account has, and what was asked for is forgotten once it is refused', async () => {
    const { member, email, propose, confirm, end, proposals } = await withMailbox()
    const other = await registerMember(test)
    expect(await propose(other.email)).toMatchObject(refused('email_taken'))
    expect(await propose(member.email)).toMatchObject(refused('email_taken'))
    expect(await proposals()).toEqual([])
    expectSuccess(await propose())
    await changePlayer(test.database, other.id, `email = '${email}', email_key = '${email}'`)
    expect(await confirm()).toMatchObject(refused('email_taken'))
    expectSuccess(await end())
    const asked = 'select asked_email from accounts.player where id = $1'
    expect(await test.database.owner.value(asked, [member.id])).toBe(null)
  })
})
