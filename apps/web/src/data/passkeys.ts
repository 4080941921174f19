/** Passkeys in the browser: made, used to sign in and to prove that it is the player. Loaded with the screens that use them. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { Refusal } from '@sum28/contract/client.ts'
import * as routes from '@sum28/contract/passkey-routes.ts'
import type { Userinfo } from '@sum28/contract/replies.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { answerOf, forgetUnknown, makePasskey } from '@sum28/ui/passkey-ceremony.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { signInSignal } from '#src/data/session.ts'

export type Passkey = ReplyOf<typeof routes.passkeys>['list'][number]

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(routes.passkeys, {}, { signal })).list,
})

/** Whether a passkey proves that it is the player. */
export function isUsable({ cloned }: Passkey): boolean {
  return !cloned
}

/** Whether the player has such a passkey, or may have one: his list could not be loaded. False while it is awaited. */
export function useMayHavePasskey(): boolean {
  const { data, isError } = useQuery(passkeysQuery)
  return data?.some(isUsable) ?? isError
}

export const supportsPasskeys = browserSupportsWebAuthn

/** Whether the player has pressed the button and the sign-in has not ended: an offer would cancel the browser's window. */
let isAskedFor = false

/**
 * Signs in with a passkey that the player chooses; the device can be remembered as with a password. The caller begins the
 * session.
 *
 * @param how `autofill`: as an offer in the form; rejects as a cancelled one if the player asks for it himself meanwhile
 */
export async function signInWithPasskey(
  rememberDevice: () => boolean,
  { autofill = false } = {},
): Promise<{ userinfo: Userinfo; remember: boolean }> {
  if (!autofill) isAskedFor = true
  try {
    const challenge = await call(routes.passkeyChallenge, {})
    if (autofill && isAskedFor)
      throw new DOMException('the player asks for it himself', 'AbortError')
    const answer = await answerOf(challenge, autofill)
    const remember = rememberDevice()
    const request = { ...answer, remember }
    const { userinfo } = await call(routes.passkeyLogin, request, {
      signal: signInSignal(),
    }).catch((error) => {
      if (error instanceof Refusal && error.data.reason === 'passkey_unknown')
        forgetUnknown(challenge, answer.credential_id)
      throw error
    })
    return { userinfo, remember }
  } finally {
    if (!autofill) isAskedFor = false
  }
}

/** A challenge is good for five minutes; a form may be open for longer. */
const NEW_CHALLENGE_MS = 240_000

/**
 * Offers passkeys in the form's field of the user name, if the browser can: calls `signIn`, and again with a new
 * challenge as long as the form is open.
 *
 * @returns a function that ends it
 */
export function offerInForm(signIn: () => void): () => void {
  let open = true
  async function offer() {
    if ((await browserSupportsWebAuthnAutofill()) && open && !isAskedFor) signIn()
  }
  void offer()
  const anew = setInterval(offer, NEW_CHALLENGE_MS)
  return () => {
    open = false
    clearInterval(anew)
    WebAuthnAbortService.cancelCeremony()
  }
}

/** Makes a passkey in this device, or in one that the browser reaches, and adds it to the account. */
export async function addPasskey(name: string): Promise<void> {
  await call(routes.addPasskey, {
    name,
    ...(await makePasskey(await call(routes.passkeyOptions, {}))),
  })
}

export const factorQuery = queryOptions({
  queryKey: ['second-factor'],
  staleTime: 0,
  queryFn: ({ signal }) => call(routes.secondFactor, {}, { signal }),
})

/** The server's message about a code of the second factor; undefined if the failure is about something else. */
export function factorFault(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  const { reason, fields } = error.data
  const isOfCode = reason === 'second_factor_wrong' || reason === 'second_factor_used'
  return isOfCode ? error.message : fields?.code
}

/** Whether a sign-in or a proof was refused until the code of the second factor is given. */
export function needsFactor(error: unknown): boolean {
  return error instanceof Refusal && error.data.reason === 'second_factor_required'
}

/** Proves by the password that it is the player, and by a code if his second factor is on; for five minutes. */
export async function proveByPassword(
  { password, code }: { password: string; code: string },
  idempotencyKey: string,
): Promise<void> {
  await call(routes.prove, { password, code: code || undefined }, { idempotencyKey })
}

/** The same by one of his passkeys. */
export async function proveByPasskey(): Promise<void> {
  await call(routes.prove, await answerOf(await call(routes.proofOptions, {})))
}

/** Whether a call was refused until the player proves that it is him. */
export function needsProof(error: unknown): boolean {
  return error instanceof Refusal && error.data.reason === 'proof_required'
}

/** Whether the server refused, so that its message tells why. */
export function isRefused(error: unknown): boolean {
  return error instanceof Refusal
}
