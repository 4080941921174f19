import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { deriveKey, MAC_PURPOSES, PURPOSES, secretCipher } from '#src/secrets/secret-cipher.ts'

const KEY = 'a secret key of at least thirty-two characters'

describe('an encrypted secret', () => {
  it('is decrypted with the same key and purpose, contains nothing readable, and differs each time', () => {
    const secret = randomBytes(32)
    const encrypted = secretCipher(KEY).encrypt(secret, 'chain')
    expect(secretCipher(KEY).decrypt(encrypted, 'chain')).toEqual(secret)
    expect(encrypted.includes(secret)).toBe(false)
    expect(encrypted).toHaveLength(12 + 32 + 16)
    expect(secretCipher(KEY).encrypt(secret, 'chain')).not.toEqual(encrypted)
  })

  it('cannot be decrypted with another key, for another purpose, or with a changed bit', () => {
    const { encrypt, decrypt } = secretCipher(KEY)
    const encrypted = encrypt(randomBytes(32), 'chain')
    expect(() => secretCipher(`${KEY}!`).decrypt(encrypted, 'chain')).toThrow()
    expect(() => decrypt(encrypted, 'card')).toThrow()
    const changed = Array.from(encrypted.keys(), (byte) =>
      Buffer.from(encrypted.map((each, at) => (at === byte ? each ^ 1 : each))),
    )
    for (const wrong of [...changed, encrypted.subarray(0, 27), Buffer.alloc(0)])
      expect(() => decrypt(wrong, 'chain')).toThrow()
  })

  it('names the key that it needs, without revealing the key', () => {
    const { keyId } = secretCipher(KEY)
    expect(keyId).toMatch(/^[0-9a-f]{8}$/)
    expect(secretCipher(KEY).keyId).toBe(keyId)
    expect(secretCipher(`${KEY}!`).keyId).not.toBe(keyId)
    expect(deriveKey(KEY, 'encrypt').toString('hex')).not.toContain(keyId)
  })
})

describe('keys', () => {
  it('differ for each purpose', () => {
    expect(deriveKey(KEY, 'mailed codes')).toHaveLength(32)
    expect(deriveKey(KEY, 'mailed codes')).toEqual(deriveKey(KEY, 'mailed codes'))
    expect(deriveKey(KEY, 'mailed codes')).not.toEqual(deriveKey(KEY, 'encrypt'))
  })

  it('have one use each: no two places of the source name the same purpose', () => {
    const folder = new URL('../', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.ts$/.test(name) && !/\.test\.ts$|secret-cipher\.ts$/.test(name),
    )
    const texts = files.map((name) => readFileSync(new URL(name, folder), 'utf8'))
    const uses = (pattern: RegExp) => texts.flatMap((text) => text.match(pattern) ?? []).length
    const named = [...PURPOSES, ...MAC_PURPOSES].map((purpose) => `'${purpose}'`)
    const used = named.map((purpose) => [purpose, uses(new RegExp(purpose, 'g'))])
    expect(used).toEqual(named.map((purpose) => [purpose, 1]))
    expect([uses(/`login of \$/g), uses(/`likeness of \$/g)]).toEqual([1, 1])
    // What a secret is bound to begins with its kind.
    const bound = texts.flatMap(
      (text) => /function purposeOf\(.*\n\s*return `([a-z ]+) /.exec(text)?.[1] ?? [],
    )
    const kinds = ['document', 'mail', 'own data', 'pay method', 'staff totp', 'totp of']
    expect(bound.sort()).toEqual(kinds)
  })
})
