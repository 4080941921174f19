import * as wire from '@sum28/contract/passkey-routes.ts'
import type { Userinfo } from '@sum28/contract/replies.ts'
import { bind, type CallFor, type RouteBinding } from '#src/http/call.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/wire-form.ts'
import type { Account } from './account-store.ts'
import {
  addPasskey,
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

/** @param signedIn begins the session of a player who may sign in; with `remember` the device needs no proof again */
export function passkeyRoutes(
  deps: PasskeyDeps & { publicUrl: string | null },
  signedIn: (
    account: Account,
    call: Pick<
      CallFor<typeof wire.passkeyLogin>,
      'address' | 'device' | 'extras' | 'rememberCookie'
    >,
    remember: boolean,
  ) => Promise<{ userinfo: Userinfo } | Refusal>,
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
        if (isRefusal(account)) return account
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
          ...{ id, name, cloned },
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
        const { password, ...answer } = call.input
        const { credential_id, client_data, authenticator_data, signature } = answer
        const isAnswer = credential_id && client_data && authenticator_data && signature
        if ((password === undefined) === !isAnswer) return malformed({ password: 'required' })
        const proof = isAnswer
          ? { ...answer, credential_id, client_data, authenticator_data, signature }
          : (password ?? '')
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
      const { transports = '', ...made } = call.input
      const listed = transports.split(',').filter(Boolean)
      return addPasskey(deps, {
        ...{ ...made, playerId, session, party: partyOf(call), transports: listed },
      })
    }),

    bind(
      wire.removePasskey,
      async ({ caller: { playerId, tokenHash: session }, input: { id } }) => {
        return (await requireProof(db, session)) ?? removePasskey(deps, { playerId, session, id })
      },
    ),
  ]
}
