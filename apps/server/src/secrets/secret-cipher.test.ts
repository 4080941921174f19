import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveKey, secretCipher } from '#src/secrets/secret-cipher.ts'

const KEY = 'a secret key of at least thirty-two characters'

describe('an encrypted secret', () => {
  it('is decrypted with the same key and purpose, and contains nothing readable', () => {
    const secret = randomBytes(32)
    const encrypted = secretCipher(KEY).encrypt(secret, 'chain')
    expect(secretCipher(KEY).decrypt(encrypted, 'chain')).toEqual(secret)
    expect(encrypted.includes(secret)).toBe(false)
    expect(encrypted).toHaveLength(12 + 32 + 16)
  })

  it('differs each time', () => {
    const { encrypt } = secretCipher(KEY)
    const secret = Buffer.from('the same secret')
    expect(encrypt(secret, 'chain')).not.toEqual(encrypt(secret, 'chain'))
  })

  it('cannot be decrypted with another key, for another purpose, or with a changed bit', () => {
    const { encrypt, decrypt } = secretCipher(KEY)
    const encrypted = encrypt(randomBytes(32), 'chain')
    expect(() => secretCipher(`${KEY}!`).decrypt(encrypted, 'chain')).toThrow()
    expect(() => decrypt(encrypted, 'card')).toThrow()
    for (let byte = 0; byte < encrypted.length; byte += 1) {
      const changed = Buffer.from(encrypted)
      changed.writeUInt8(changed.readUInt8(byte) ^ 1, byte)
      expect(() => decrypt(changed, 'chain')).toThrow()
    }
    expect(() => decrypt(encrypted.subarray(0, 27), 'chain')).toThrow()
    expect(() => decrypt(Buffer.alloc(0), 'chain')).toThrow()
  })

  it('names the key that it needs, without revealing the key', () => {
    const { keyId } = secretCipher(KEY)
    expect(keyId).toMatch(/^[0-9a-f]{8}$/)
    expect(secretCipher(KEY).keyId).toBe(keyId)
    expect(secretCipher(`${KEY}!`).keyId).not.toBe(keyId)
    expect(deriveKey(KEY, 'seal').toString('hex')).not.toContain(keyId)
  })
})

describe('keys', () => {
  it('differ for each purpose', () => {
    expect(deriveKey(KEY, 'mailed codes')).toHaveLength(32)
    expect(deriveKey(KEY, 'mailed codes')).toEqual(deriveKey(KEY, 'mailed codes'))
    expect(deriveKey(KEY, 'mailed codes')).not.toEqual(deriveKey(KEY, 'seal'))
  })
})
