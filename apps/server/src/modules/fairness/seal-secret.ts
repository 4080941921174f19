/** Secrets at rest: encrypted with AES-256-GCM under a key that is not in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export type Sealer = {
  /** Names the key, so that it can be told which one a secret was sealed with. */
  readonly keyId: string
  /** @param purpose binds the secret to its place: it opens nowhere else */
  seal(secret: Uint8Array, purpose: string): Buffer
  open(sealed: Uint8Array, purpose: string): Buffer
}

/** A key of its own for each purpose, from the product's one secret. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'sum28', purpose, 32))
}

export function sealer(secretKey: string): Sealer {
  const key = deriveKey(secretKey, 'seal')
  const keyId = deriveKey(secretKey, 'seal key id').toString('hex').slice(0, 8)
  return {
    keyId,
    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([nonce, body, cipher.getAuthTag()])
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
        decipher.final(),
      ])
    },
  }
}
