/**
 * Encrypts stored secrets with AES-256-GCM under a key that is not in the database. Keys can be changed: each secret
 * is stored with the id of its key; new ones use the present key, and older ones can be decrypted as long as their
 * key is configured.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SecretCipher = {
  /** Names the key that `seal` uses; store it together with the secret. */
  readonly keyId: string
  /** Names every configured key, the present one first. */
  readonly keyIds: readonly string[]
  /** @param purpose binds the secret to its context: elsewhere it cannot be decrypted */
  encrypt(secret: Uint8Array, purpose: string): Buffer
  /**
   * @param keyId the key that encrypted it; by default the present one
   * @throws if the key is not configured; {@link DecryptionFailed} if the secret was altered
   */
  decrypt(encrypted: Uint8Array, purpose: string, keyId?: string): Buffer
  /** Whether a secret of this key can be decrypted. */
  knows(keyId: string): boolean
  /**
   * A keyed hash (HMAC-SHA256), which cannot be made from the database alone.
   *
   * @param keyId the key to use; by default the present one
   * @throws if the key is not configured
   */
  mac(message: Uint8Array, purpose: MacPurpose, keyId?: string): Buffer
}

/** A secret that cannot be decrypted although its key is configured. */
export class DecryptionFailed extends Error {}

/** What keys are derived for. Each purpose has one use: a test looks for its text in the source. */
export const PURPOSES = [
  ...(['mailed codes', 'sign-ins of staff', 'passkeys of staff', 'counts of calls'] as const),
  ...(['pseudonyms of feeds', 'inputs of idempotency keys', 'local beacon'] as const),
  ...(['local chain', 'seeds'] as const),
  ...(['key of the public log', 'key of the own witness', 'reserves of the demo'] as const),
] as const

/** The same for keyed hashes. */
export const MAC_PURPOSES = [
  ...(['audit log', 'numbers of a network', 'documents of a network', 'webhooks'] as const),
  'hashes of security codes',
] as const

type MacPurpose = (typeof MAC_PURPOSES)[number] | `likeness of ${string}`
export type Purpose =
  | (typeof PURPOSES)[number]
  | `login of ${string}`
  | `mac ${MacPurpose}`
  | 'encrypt'
  | 'key id'

/** A separate key for each purpose, derived from SECRET_KEY or SEED_KEY. */
export function deriveKey(secretKey: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'sum28', purpose, 32))
}

/** @param earlierKeys those whose secrets must be decrypted too */
export function secretCipher(secretKey: string, earlierKeys: readonly string[] = []): SecretCipher {
  const secrets = new Map([secretKey, ...earlierKeys].map((secret) => [keyIdOf(secret), secret]))
  const keys = new Map([...secrets].map(([id, secret]) => [id, deriveKey(secret, 'encrypt')]))
  const keyId = keyIdOf(secretKey)

  function keyOf(id: string): Buffer {
    const key = keys.get(id)
    if (!key) {
      throw new Error(`a secret is encrypted with key ${id}, which is none of the configured ones`)
    }
    return key
  }

  return {
    keyId,
    keyIds: [...keys.keys()],
    knows: (id) => keys.has(id),
    mac(message, purpose, id = keyId) {
      const secret = secrets.get(id)
      if (secret === undefined) throw new Error(`the key ${id} of a keyed hash is not given`)
      return createHmac('sha256', deriveKey(secret, `mac ${purpose}`))
        .update(message)
        .digest()
    },
    encrypt(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const aes = createCipheriv('aes-256-gcm', keyOf(keyId), nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([aes.update(secret), aes.final()])
      return Buffer.concat([nonce, body, aes.getAuthTag()])
    },
    decrypt(encrypted, purpose, id = keyId) {
      const key = keyOf(id)
      const bytes = Buffer.from(encrypted)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(-TAG_BYTES))
        return Buffer.concat([
          decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
          decipher.final(),
        ])
      } catch (cause) {
        throw new DecryptionFailed(
          'an encrypted secret was altered, or is in a place that it was not encrypted for',
          {
            cause,
          },
        )
      }
    },
  }
}

/** Names a secret key; it tells nothing of it. */
function keyIdOf(secretKey: string): string {
  return deriveKey(secretKey, 'key id').toString('hex').slice(0, 8)
}
