import * as wire from '@sum28/contract/passkey-routes.ts'
import type { Userinfo } from '@sum28/contract/replies.ts'
import type { login } from '@sum28/contract/user-routes.ts'
import { bind, type CallFor, type RouteBinding } from '#src/http/call.ts'
import type { Caller } from '#src/http/caller.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/wire-form.ts'
import type { Account } from './account-store.ts'
import { type ChangeEmailDeps, changeEmail, sendAddressCodes } from './change-email.ts'
import { takeBack } from './known-device.ts'
import {
  addPasskey,
  answerIn,
  descriptor,
  makeChallenge,
  type PasskeyDeps,
  passkeyOptions,
  passkeysOf,
  purposeIn,
  relyingPartyOf,
  removePasskey,
} from './passkeys.ts'
import { logInByPasskey, prove, requireProof, SIGN_IN } from './prove-password.ts'
import {
  type FactorDeps,
  factorOf,
  renewRecoveryCodes,
  setUpAuthenticator,
  switchFactorOff,
  switchFactorOn,
} from './second-factor.ts'

/** What beginning a session needs of its call. */
export type SignInCall = Pick<
  CallFor<typeof login>,
  'address' | 'device' | 'extras' | 'namedLang' | 'origin' | 'rememberCookie' | 'deviceCookie'
>

/** What remembering the device of a session needs of a call. */
export type RememberedCall = Pick<
  CallFor<typeof wire.endOtherDevices>,
  'caller' | 'extras' | 'rememberCookie' | 'token'
>

type SessionDeps = {
  /** Begins the session of a player who may sign in; with `remember` the device needs no proof again. */
  signedIn: (
    account: Account,
    call: SignInCall,
    remember: boolean,
  ) => Promise<{ userinfo: Userinfo } | Refusal>
  keepRemembered: (call: RememberedCall) => Promise<void>
}

export function passkeyRoutes(
  deps: PasskeyDeps &
    FactorDeps &
    ChangeEmailDeps & {
      publicUrl: string | null
      /** Whether a passkey, by its id in base64url, is of a member of staff: at a console that shares the app's host. */
      isPasskeyOfStaff: (credentialId: string) => Promise<boolean>
    },
  { signedIn, keepRemembered }: SessionDeps,
): RouteBinding[] {
  const { db } = deps
  const partyOf = ({ origin }: { origin: string }) => relyingPartyOf(deps.publicUrl, origin)

  return [
    bind(wire.passkeyChallenge, (call) =>
      makeChallenge(deps, { purpose: SIGN_IN, party: partyOf(call) }),
    ),

    bind(
      wire.passkeyLogin,
      async (call) => {
        const { input, address: network, extras } = call
        const account = await logInByPasskey(deps, { answer: input, party: partyOf(call), network })
        if (isRefusal(account)) {
          // The browser forgets a passkey that is unknown here.
          const isUnknown = account.refused === 'passkey_unknown'
          return isUnknown && (await deps.isPasskeyOfStaff(input.credential_id))
            ? refuse('passkey_refused')
            : account
        }
        extras.say('success.signed_in')
        return signedIn(account, call, input.remember)
      },
      // A challenge is good once: the player signs the next one.
      { store: () => null, replay: async () => refuse('passkey_refused') },
    ),

    bind(wire.passkeys, async ({ caller: { playerId } }) => {
      const passkeys = await passkeysOf(db, playerId)
      return {
        list: passkeys.map(({ id, name, createdAt, usedAt, cloned }) => ({
          id,
          name,
          cloned,
          createtime: unixSeconds(createdAt),
          usedtime: unixSecondsOrNull(usedAt),
        })),
      }
    }),

    bind(wire.proofOptions, async (call) => {
      const { playerId, tokenHash } = call.caller
      const purpose = purposeIn(tokenHash, 'prove')
      const passkeys = await passkeysOf(db, playerId)
      return {
        ...(await makeChallenge(deps, { purpose, party: partyOf(call) })),
        passkeys: passkeys.filter(({ cloned }) => !cloned).map(descriptor),
      }
    }),

    bind(
      wire.prove,
      async (call) => {
        const { playerId, username, tokenHash: session } = call.caller
        const { password, code, ...fields } = call.input
        const answer = answerIn(fields)
        if ((password === undefined) === !answer) return malformed({ password: 'required' })
        const proof = answer ?? { password: password ?? '', code }
        const player = { playerId, username, session, network: call.address }
        return prove(deps, { ...player, party: partyOf(call), proof })
      },
      { store: () => null, replay: async ({ caller }) => requireProof(db, caller.tokenHash) },
    ),

    bind(wire.passkeyOptions, async (call) => {
      const { playerId, username, tokenHash: session } = call.caller
      const unproved = await requireProof(db, session)
      return unproved ?? passkeyOptions(deps, { playerId, username, session, party: partyOf(call) })
    }),

    bind(wire.addPasskey, async (call) => {
      const { playerId, tokenHash: session } = call.caller
      return addPasskey(deps, { ...call.input, playerId, session, party: partyOf(call) })
    }),

    bind(
      wire.removePasskey,
      async ({ caller: { playerId, tokenHash: session }, input: { id } }) => {
        return (await requireProof(db, session)) ?? removePasskey(deps, { playerId, session, id })
      },
    ),

    bind(wire.secondFactor, async ({ caller: { playerId } }) => {
      const factor = await factorOf(db, playerId)
      return {
        since: factor ? unixSeconds(factor.since) : null,
        app: factor !== undefined && factor.totpKeyId !== null,
        recovery_codes: factor?.codesLeft ?? 0,
      }
    }),

    bind(wire.authenticatorSetup, async ({ caller }) => {
      const { playerId, username, tokenHash: session } = caller
      const unproved = await requireProof(db, session)
      return unproved ?? setUpAuthenticator(deps.cipher, { playerId, session, username })
    }),

    bind(
      wire.switchFactorOn,
      async (call) => {
        const { playerId, tokenHash: session } = call.caller
        const { setup, code } = call.input
        const unproved = await requireProof(db, session)
        if (unproved) return unproved
        if (!setup !== !code) return malformed({ [setup ? 'code' : 'setup']: 'required' })
        const app = setup && code ? { setup, code } : null
        const codes = await switchFactorOn(deps, { playerId, session, app })
        if (!isRefusal(codes)) {
          call.extras.committed(null)
          await keepRemembered(call)
        }
        return codesReply(codes)
      },
      {
        store: () => null,
        async replay(call) {
          await keepRemembered(call)
          return renewed(call.caller)
        },
      },
    ),

    bind(wire.newRecoveryCodes, ({ caller }) => renewed(caller), {
      store: () => null,
      replay: ({ caller }) => renewed(caller),
    }),

    bind(wire.switchFactorOff, async ({ caller: { playerId, tokenHash: session } }) => {
      return (await requireProof(db, session)) ?? switchFactorOff(deps, { playerId, session })
    }),

    bind(wire.takeBack, async ({ input: { link } }) => {
      const address = await takeBack(deps, link)
      return isRefusal(address) ? address : { address }
    }),

    bind(wire.mailAddressCodes, async ({ caller, input: { email }, lang, address, extras }) => {
      const unproved = await requireProof(db, caller.tokenHash)
      if (unproved) return unproved
      extras.say('success.code_sent')
      return sendAddressCodes(deps, { playerId: caller.playerId, email, network: address, lang })
    }),

    bind(wire.changeAddress, async ({ caller, input, address, origin, extras }) => {
      const { playerId, tokenHash: session } = caller
      const unproved = await requireProof(db, session)
      if (unproved) return unproved
      extras.say('success.saved')
      return changeEmail(deps, {
        playerId,
        session,
        email: input.email,
        network: address,
        oldCode: input.old_code,
        newCode: input.new_code,
        url: deps.publicUrl ?? origin,
      })
    }),
  ]

  /** A repeated call gets new codes: none are stored. */
  async function renewed({ playerId, tokenHash: session }: Caller) {
    const unproved = await requireProof(db, session)
    return unproved ?? codesReply(await renewRecoveryCodes(deps, { playerId, session }))
  }
}

function codesReply(codes: string[] | Refusal) {
  return isRefusal(codes) ? codes : { recovery_codes: codes }
}
