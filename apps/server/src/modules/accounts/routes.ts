import { newPassword as memberPassword } from '@sum28/contract/fields.ts'
import { newPass, safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import * as passkeyWire from '@sum28/contract/passkey-routes.ts'
import type { Profile, Userinfo } from '@sum28/contract/replies.ts'
import { REMEMBER_DAYS } from '@sum28/contract/shared-times.ts'
import * as wire from '@sum28/contract/user-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import * as z from 'zod/mini'
import { bind, type CallFor, type RouteBinding, type SentFile } from '#src/http/call.ts'
import type { Caller } from '#src/http/caller.ts'
import { pagingOf } from '#src/http/page.ts'
import { unreadOf } from '#src/modules/inbox/notify.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { type Balance, unixSeconds, wireAssets, wireBalance } from '#src/wire-form.ts'
import { type Account, accountById, inviteesOf } from './account-store.ts'
import { changePassword } from './change-password.ts'
import { isDocumentNumber } from './document.ts'
import { type CodeDeps, sendCode } from './email-code.ts'
import {
  DEVICE_COOKIE_SECONDS,
  deviceSecret,
  isKnownDevice,
  noteDevice,
  noteLanguage,
} from './known-device.ts'
import type { NoteMark } from './note-mark.ts'
import { passkeyRoutes, type RememberedCall, type SignInCall } from './passkey-routes.ts'
import { PICTURE_PATH, savePicture } from './pictures.ts'
import { logIn, requireFactor } from './prove-password.ts'
import { countVisit, register } from './register.ts'
import {
  endDevice,
  endOtherDevices,
  endSessionAndDevice,
  noteSharedDevice,
  recallDevice,
  rememberAgain,
  rememberDevice,
  signedInDevices,
} from './remember-device.ts'
import { resetPassword } from './reset-password.ts'
import { saveProfile } from './save-profile.ts'
import { checkFactor, factorOf } from './second-factor.ts'
import { checkSecurityCode, setSecurityCode } from './security-code.ts'
import { codeState, shownDocument } from './security-store.ts'
import { hashSecret, SESSION_IDLE_SECONDS, startSession } from './session.ts'
import type { SignInGuard } from './sign-in-guard.ts'

/** The data of higher layers about a player's money, which a profile shows. Micro-units. */
export type PlayerMoney = {
  balance(playerId: number): Promise<Balance>
  /** Payouts minus stakes: of the bets settled today, of those settled yesterday, and of all. */
  profits(playerId: number): Promise<{ today: Amount; yesterday: Amount; all: Amount }>
}

/** What a player's profile needs of the call that asks for it. */
type ProfileCall = { caller: Caller; namedLang: Language | null }

export type AccountDeps = CodeDeps & {
  money: PlayerMoney
  cipher: SecretCipher
  noteMark: NoteMark
  isPasskeyOfStaff: (credentialId: string) => Promise<boolean>
  /** The product's address for players; null: the address that each of them called. */
  publicUrl: string | null
  guard: SignInGuard
  limits: boolean
}

/** The device begins a family of remembered ones where the player ticked it. */
const remembering = ({ remember }: { remember: boolean }) => ({
  family: remember ? null : undefined,
})

export function accountRoutes(deps: AccountDeps): RouteBinding[] {
  const { db, money, guard, publicUrl } = deps

  async function profileOf({ caller, namedLang: lang }: ProfileCall): Promise<Profile> {
    const { playerId, tokenHash: session } = caller
    const [account, balance, profits, { isSet }, idcard, unread] = await Promise.all([
      accountById(db, playerId),
      money.balance(playerId),
      money.profits(playerId),
      codeState(db, playerId),
      shownDocument(db, playerId),
      unreadOf(db, playerId),
    ])
    if (!account) throw new Error('a session without an account')
    // The app asks for it when its language was changed.
    if (lang) await noteLanguage(db, account, { session, lang })
    return {
      username: account.username,
      userid: account.id,
      id: account.id,
      user_id: account.id,
      email: account.email ?? '',
      avatar: account.avatar,
      ...wireAssets(balance),
      unread,
      today_profit: formatAmount(profits.today),
      profit: formatAmount(profits.yesterday),
      group_id: account.groupId,
      idcard,
      is_safety: isSet,
      net_position: formatAmount(profits.all - caller.netAtStart),
    }
  }

  async function signedIn(
    account: Account,
    call: SignInCall,
    /**
     * `family`: of devices that it continues, null for a new one, absent if none is requested; `tell`: whether the
     * player is told if the device is new to him; `isSignIn`: as in `startSession`; `isProved`: by a passkey or by a code
     * of the second factor.
     */
    {
      family,
      tell = true,
      isSignIn = true,
      isProved = false,
    }: {
      family?: string | null | undefined
      tell?: boolean
      isSignIn?: boolean
      isProved?: boolean
    } = {},
  ): Promise<{ userinfo: Userinfo } | Refusal> {
    const { address: network, device, extras, origin, rememberCookie, deviceCookie } = call
    const { id: playerId, passwordHash } = account
    const { all } = await money.profits(playerId)
    const secret = deviceSecret(deviceCookie)
    const began = { playerId, passwordHash, netAtStart: all, device, network, isSignIn }
    const token = await db.transaction(async (tx) => {
      const begun = await startSession(tx, { ...began, deviceHash: hashSecret(secret) })
      // The password was changed or the account frozen during the check.
      if (begun === null) return refuse('account_or_password_wrong')
      // Again, now that the player is locked: since the check the factor was switched on, or the device forgotten.
      const needsFactor = isSignIn && !isProved && (await factorOf(tx, playerId))
      return needsFactor && !(await isKnownDevice(tx, { playerId, cookie: deviceCookie }))
        ? refuse('second_factor_required')
        : begun
    })
    if (isRefusal(token)) return token
    await guard.know({ playerId, network })
    if (rememberCookie) await noteSharedDevice(deps, { playerId, secret: rememberCookie })
    const remembered =
      family === undefined ? null : await rememberDevice(db, account, { token, family })
    if (remembered)
      extras.setRememberCookie(remembered, { playerId, maxAge: REMEMBER_DAYS * 86_400 })
    const session = hashSecret(token)
    await noteDevice(db, { playerId, session, secret, device, url: publicUrl ?? origin, tell })
    const lang = call.namedLang
    // A remembered device begins a session by itself: its player has chosen nothing now.
    if (isSignIn && lang) await noteLanguage(db, account, { session, lang })
    extras.setDeviceCookie(secret, DEVICE_COOKIE_SECONDS)
    return {
      userinfo: {
        user_id: account.id,
        id: account.id,
        token,
        ...wireBalance(await money.balance(account.id)),
        username: account.username,
        group_id: account.groupId,
        expires_in: SESSION_IDLE_SECONDS,
      },
    }
  }

  async function keep(
    { name: fileName, bytes }: SentFile,
    playerId: number,
  ): Promise<{ url: string } | Refusal> {
    const saved = await savePicture(db, { playerId, fileName, bytes, limited: deps.limits })
    return isRefusal(saved) ? saved : { url: PICTURE_PATH + saved.name }
  }

  async function signIn(call: CallFor<typeof wire.login>) {
    const { input, address, extras } = call
    let isProved = false
    const account = await logIn({ db, guard }, { ...input, network: address }, async (known) => {
      const asked = await askFactor(known, call, input.code)
      isProved = asked === 'right'
      return asked
    })
    if (isRefusal(account)) return account
    const visit = account.groupId === 2 ? await countVisit(deps, address) : []
    if (isRefusal(visit)) return visit
    extras.say('success.signed_in')
    return signedIn(account, call, { ...remembering(input), isProved })
  }

  async function signOut(call: CallFor<typeof wire.logout>) {
    const { token, rememberCookie, deviceCookie, extras } = call
    // A try that comes late has the cookie of whoever has signed in on the device since.
    const isLeft = !call.isRemembered
    const isEnded = await endSessionAndDevice(db, {
      tokenHash: token === null ? null : hashSecret(token),
      secretHash: rememberCookie === null ? null : hashSecret(rememberCookie),
      isLeft,
      deviceHash: deviceCookie === null ? null : hashSecret(deviceCookie),
    })
    if (rememberCookie && (isLeft || isEnded)) extras.clearRememberCookie()
    extras.say('success.signed_out')
    return null
  }

  /** A repeated call does it again: its cookie may have been lost with the first reply. */
  async function endOthers(call: CallFor<typeof passkeyWire.endOtherDevices>) {
    const { playerId, tokenHash: session } = call.caller
    await db.transaction((tx) => endOtherDevices(tx, { playerId, session }))
    await keepRemembered(call)
    return null
  }

  /** Gives the caller's device a new cookie after all that were remembered have ended. */
  async function keepRemembered(call: RememberedCall) {
    const { caller, token, rememberCookie: secret, extras } = call
    const { playerId } = caller
    if (!token || !secret) return
    const next = await rememberAgain(db, { playerId, token, secret })
    if (next) extras.setRememberCookie(next, { playerId, maxAge: REMEMBER_DAYS * 86_400 })
  }

  /** Asks for the second factor on a device that the player has not signed in on. */
  async function askFactor(
    { id: playerId }: Account,
    { deviceCookie: cookie }: Pick<SignInCall, 'deviceCookie'>,
    code?: string,
  ): Promise<'right' | null | Refusal> {
    const known = await isKnownDevice(db, { playerId, cookie })
    return known ? null : checkFactor(deps, { playerId, code })
  }

  /**
   * A repeated request; the hash of its input does not include the password. It proves that it is the same by the
   * account's present password.
   */
  async function provenAgain(
    proof: { account: string; password: string; network: string },
    secondFactor: Parameters<typeof logIn>[2] = async () => null,
  ): Promise<Account | Refusal> {
    const account = await logIn({ db, guard }, proof, secondFactor)
    return isRefusal(account) && account.refused === 'account_or_password_wrong'
      ? refuse('idempotency_conflict')
      : account
  }

  return [
    bind(wire.sendCode, async ({ input, lang, address: network, extras }) => {
      const event = input.event ?? input.purpose
      if (!event) return malformed({ event: 'required' })
      extras.say('success.code_sent')
      return sendCode(deps, { email: input.email, event, network, lang })
    }),

    bind(
      wire.register,
      async (call) => {
        const { input, lang, address, extras } = call
        const registered = await register(deps, {
          ...input,
          groupId: input.group_id,
          inviterId: input.inviter_id,
          lang,
          network: address,
        })
        if (isRefusal(registered)) return registered
        extras.say('success.registered')
        extras.committed({ username: registered.username })
        const account = await accountById(db, registered.playerId)
        if (!account) throw new Error('the new account is gone')
        return signedIn(account, call, { ...remembering(input), tell: false })
      },
      {
        store: ({ userinfo: { username } }) => ({ username }),
        replay: async (call, { username }) => {
          const proof = { account: username, password: call.input.password, network: call.address }
          const account = await provenAgain(proof, (known) => askFactor(known, call))
          return isRefusal(account) ? account : signedIn(account, call, remembering(call.input))
        },
      },
    ),

    bind(wire.login, signIn, { store: () => null, replay: signIn }),

    ...passkeyRoutes(deps, {
      signedIn: (account, call, remember) =>
        signedIn(account, call, { ...remembering({ remember }), isProved: true }),
      keepRemembered,
    }),

    bind(
      wire.refresh,
      async (call) => {
        const { rememberCookie, extras, idempotencyKey } = call
        const recalled = await recallDevice(db, rememberCookie, idempotencyKey)
        if ('refusal' in recalled) {
          // Another page of the browser may have stored the next cookie there meanwhile.
          if (!recalled.keep) extras.clearRememberCookie()
          return recalled.refusal
        }
        const signed = await signedIn(recalled.account, call, {
          family: recalled.family,
          isSignIn: false,
        })
        if (recalled.repeated && !isRefusal(signed)) extras.replayed()
        return signed
      },
      // A cookie is valid once, and again if its call is repeated.
      'own_transaction',
    ),

    bind(
      wire.resetPassword,
      async ({ input, address, extras }) => {
        extras.say('success.password_reset')
        const { email, captcha: code, newpassword: newPassword } = input
        return resetPassword(deps, { email, code, newPassword, network: address })
      },
      {
        store: () => null,
        replay: async ({ input: { email, newpassword: password }, address }) => {
          const account = await provenAgain({ account: email, password, network: address })
          return isRefusal(account) ? account : null
        },
      },
    ),

    // Of strangers with the same key each is signed out.
    bind(wire.logout, signOut, { store: () => null, replay: signOut }),

    bind(passkeyWire.devices, async ({ caller }) => ({
      list: (await signedInDevices(db, caller)).map(({ id, name, firstAt, lastAt, isCurrent }) => ({
        id,
        name,
        current: isCurrent,
        createtime: unixSeconds(firstAt),
        usedtime: unixSeconds(lastAt),
      })),
    })),

    bind(passkeyWire.endDevice, async ({ caller, input: { id } }) => {
      const ended = await endDevice(db, { ...caller, id })
      return ended ? null : refuse('not_found', { field: 'id' })
    }),

    bind(passkeyWire.endOtherDevices, endOthers, { store: () => null, replay: endOthers }),

    bind(wire.userInfo, async (call) => {
      call.extras.dataInMessage()
      return profileOf(call)
    }),

    bind(wire.saveProfile, async (call) => {
      const { input, file, origin, address } = call
      const { playerId } = call.caller
      if (file === null && input.avatar === undefined && input.idcard === undefined) {
        return malformed({ avatar: 'required' })
      }
      // A client may send back what it was shown.
      const isShown = input.idcard && input.idcard === (await shownDocument(db, playerId))
      const idcard = isShown ? undefined : input.idcard
      if (idcard !== undefined && !isDocumentNumber(idcard)) {
        return malformed({ idcard: 'invalid' })
      }
      const sent = file && (await keep(file, playerId))
      if (isRefusal(sent)) return sent
      const avatar = sent ? sent.url : input.avatar
      const origins = publicUrl ? [publicUrl, origin] : [origin]
      const profile = { playerId, avatar, idcard, origins, network: address }
      const refused = await saveProfile(deps, profile)
      if (refused) return refused
      call.extras.say('success.saved')
      return profileOf(call)
    }),

    bind(wire.upload, async ({ caller, file, origin, extras }) => {
      if (!file) return malformed({ file: 'required' })
      const saved = await keep(file, caller.playerId)
      if (isRefusal(saved)) return saved
      extras.say('success.uploaded')
      return { url: saved.url, fullurl: (publicUrl ?? origin) + saved.url }
    }),

    bind(wire.invitees, async ({ caller, input, origin }) => {
      const { playerId } = caller
      const { page, ...paging } = pagingOf({ ...input, page: input.page ?? 1 })
      const { rows, total } = await inviteesOf(db, { playerId, ...paging })
      return {
        link: `${publicUrl ?? origin}/register?inviter_id=${playerId}`,
        total,
        page: page ?? 1,
        list: rows.map(({ createdAt }) => ({ createtime: unixSeconds(createdAt) })),
      }
    }),

    bind(safetyInfo, async ({ caller }) => ({
      isTrue: (await codeState(db, caller.playerId)).isSet,
    })),

    bind(
      setSafety,
      async ({ caller, input, address: network, extras }) => {
        const { playerId, groupId, tokenHash: session } = caller
        const unproved = await requireFactor(db, { playerId, session })
        if (unproved) return unproved
        extras.say('success.saved')
        return setSecurityCode(deps, {
          playerId,
          groupId,
          session,
          newCode: input.new_code,
          oldCode: input.old_code ?? input.after_code,
          repeated: input.repeated_code,
          network,
        })
      },
      {
        store: () => null,
        replay: async ({ caller: { playerId }, input, address: network }) => {
          const code = input.new_code
          const checked = await checkSecurityCode(deps, { playerId, code, network })
          if (!isRefusal(checked)) return null
          return checked.refused === 'security_code_wrong'
            ? refuse('idempotency_conflict')
            : checked
        },
      },
    ),

    bind(
      newPass,
      async (call) => {
        const { caller, input, address: network, extras } = call
        const newPassword = input.new_pass ?? input.new
        const oldPassword = input.old_pass ?? input.old ?? input.after_pass
        if (newPassword === undefined) return malformed({ new_pass: 'required' })
        if (oldPassword === undefined) return malformed({ old_pass: 'required' })
        const { playerId, username, tokenHash: session } = caller
        if (caller.groupId === 1 && !z.safeParse(memberPassword, newPassword).success) {
          return malformed({
            [input.new_pass === undefined ? 'new' : 'new_pass']: 'password_short',
          })
        }
        const unproved = await requireFactor(db, { playerId, session })
        if (unproved) return unproved
        extras.say('success.password_changed')
        const change = { playerId, username, session, oldPassword, newPassword, network }
        const refusal = await changePassword(deps, change)
        if (refusal) return refusal
        extras.committed(null)
        await keepRemembered(call)
        return null
      },
      {
        store: () => null,
        replay: async (call) => {
          const { caller, input, address: network } = call
          const password = input.new_pass ?? input.new ?? ''
          const account = await provenAgain({ account: caller.username, password, network })
          if (isRefusal(account)) return account
          await keepRemembered(call)
          return null
        },
      },
    ),
  ]
}
