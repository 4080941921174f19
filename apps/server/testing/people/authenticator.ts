/** An authenticator of WebAuthn in software, which makes and uses passkeys as a phone does, and errs when it is told to. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Challenge = { challenge: string; rp_id: string }

/** In what an answer differs from a right one. */
export type Twist = {
  origin?: string
  rpId?: string
  type?: string
  crossOrigin?: boolean
  /** Of user present and user verified: 1 and 4. */
  flags?: number
  count?: number
  userHandle?: string
  format?: string
}

/** What makes an answer to a sign-in wrong. */
export const WRONG_ANSWERS: readonly [what: string, Twist][] = [
  ['made for another site', { origin: 'https://sum28.example' }],
  ['made for another RP id', { rpId: 'sum28.example' }],
  ['made in a frame of another site', { crossOrigin: true }],
  ['of the ceremony that makes a passkey', { type: 'webauthn.create' }],
  ['given without a finger, face or PIN', { flags: 1 }],
  ['given without a person', { flags: 4 }],
  ['that names another account', { userHandle: Buffer.alloc(32).toString('base64url') }],
  ['that names no account', { userHandle: '' }],
]

export class Authenticator {
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  readonly id = randomBytes(16)
  readonly #origin: string
  #userHandle = ''
  /** How often it has signed; many count nothing. */
  count = 0

  constructor(origin: string) {
    this.#origin = origin
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** Makes its passkey. */
  create(options: Challenge & { user: { id: string } }, twist: Twist = {}) {
    this.#userHandle = options.user.id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    // A COSE key: elliptic curve, ES256, P-256.
    const publicKey = isoCBOR.encode(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, publicKey])
    const ATTESTED = 64
    const authData = Buffer.concat([this.#data(options, twist, ATTESTED), credential])
    const attestation = isoCBOR.encode(
      new Map<string, string | Buffer | Map<string, string>>([
        ['fmt', twist.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    const client_data = this.#clientData(options, { type: 'webauthn.create', ...twist })
    return {
      client_data,
      attestation: Buffer.from(attestation).toString('base64url'),
      transports: 'internal',
    }
  }

  /** Signs a challenge with its passkey. */
  answer(options: Challenge, twist: Twist = {}) {
    const client_data = this.#clientData(options, { type: 'webauthn.get', ...twist })
    const data = this.#data(options, twist, 0)
    const clientHash = sha256(Buffer.from(client_data, 'base64url'))
    const signature = sign('sha256', Buffer.concat([data, clientHash]), this.#keys.privateKey)
    return {
      credential_id: this.id.toString('base64url'),
      client_data,
      authenticator_data: data.toString('base64url'),
      signature: signature.toString('base64url'),
      user_handle: twist.userHandle ?? this.#userHandle,
    }
  }

  #data({ rp_id }: Challenge, { rpId = rp_id, flags = 5, count }: Twist, more: number): Buffer {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(count ?? this.count)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags | more]), counted])
  }

  #clientData(
    { challenge }: Challenge,
    { type, origin = this.#origin, crossOrigin = false }: Twist,
  ) {
    const data = { type, challenge, origin, crossOrigin }
    return Buffer.from(JSON.stringify(data)).toString('base64url')
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
