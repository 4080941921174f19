/** The ceremonies of passkeys in the browser, by WebAuthn. Loaded with the screens that use them. */
import {
  type AuthenticatorTransport,
  sendSignal,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

type Asked = { challenge: string; rp_id: string; passkeys?: Descriptor[] }
type Descriptor = { id: string; transports: string[] }

function descriptors(passkeys: Descriptor[] = []) {
  return passkeys.map(({ id, transports }) => ({
    id,
    type: 'public-key' as const,
    transports: transports as AuthenticatorTransport[],
  }))
}

/** Has a challenge signed; `autofill`: when its user picks a passkey in a form's field. */
export async function answerOf({ challenge, rp_id, passkeys }: Asked, autofill = false) {
  const begun = startAuthentication({
    optionsJSON: {
      challenge,
      rpId: rp_id,
      allowCredentials: descriptors(passkeys),
      userVerification: 'required',
    },
    useBrowserAutofill: autofill,
  })
  const { id, response } = await (autofill ? begun : inWindow(begun))
  return {
    credential_id: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle,
  }
}

/** Has the browser offer a passkey no more that the server does not know, if it can (WebAuthn 3, 5.1.10.2). */
export function forgetUnknown({ rp_id }: Asked, credentialId: string): void {
  const signal = {
    signalName: 'unknownCredential',
    rpID: rp_id,
    credentialID: credentialId,
  } as const
  sendSignal(signal).catch(() => {})
}

/** Makes a passkey in this device, or in one that the browser reaches. */
export async function makePasskey({
  challenge,
  rp_id,
  user,
  passkeys,
}: Asked & { user: { id: string; name: string } }) {
  const begun = startRegistration({
    optionsJSON: {
      challenge,
      rp: { id: rp_id, name: 'Sum28' },
      user: { ...user, displayName: user.name },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: descriptors(passkeys),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  })
  const { response } = await inWindow(begun)
  return {
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports?.join(','),
  }
}

/** Nobody closes a window so soon: none was shown. */
const AT_ONCE_MS = 500

/** Browsers inside other apps refuse a ceremony at once, by the same error as where its user closes the window. */
async function inWindow<Made>(ceremony: Promise<Made>): Promise<Made> {
  const begunAt = performance.now()
  try {
    return await ceremony
  } catch (error) {
    const isRefused = (error as Error).name === 'NotAllowedError'
    if (!isRefused || performance.now() - begunAt >= AT_ONCE_MS) throw error
    throw new DOMException('no window was shown', 'NotSupportedError')
  }
}

/** Why a ceremony of the browser failed: its user closed it, has this passkey already, or it cannot be used here. */
export function ceremonyFault(error: unknown): 'closed' | 'already' | 'unsupported' | null {
  const { name } = error as Error
  if (name === 'NotAllowedError' || name === 'AbortError') return 'closed'
  if (name === 'InvalidStateError') return 'already'
  return ['SecurityError', 'NotSupportedError', 'ConstraintError'].includes(name)
    ? 'unsupported'
    : null
}
