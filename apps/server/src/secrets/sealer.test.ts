import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveKey, sealer } from '#src/secrets/sealer.ts'

const KEY = 'a secret key of at least thirty-two characters'

describe('a sealed secret', () => {
  it('is decrypted with the same key and purpose, and contains nothing readable', () => {
    const secret = randomBytes(32)
    const sealed = sealer(KEY).seal(secret, 'chain')
    expect(sealer(KEY).open(sealed, 'chain')).toEqual(secret)
    expect(sealed.includes(secret)).toBe(false)
    expect(sealed).toHaveLength(12 + 32 + 16)
  })

  it('differs each time', () => {
    const { seal } = sealer(KEY)
    const secret = Buffer.from('the same secret')
    expect(seal(secret, 'chain')).not.toEqual(seal(secret, 'chain'))
  })

  it('cannot be decrypted with another key, for another purpose, or with a changed bit', () => {
    const { seal, open } = sealer(KEY)
    const sealed = seal(randomBytes(32), 'chain')
    expect(() => sealer(`${KEY}!`).open(sealed, 'chain')).toThrow()
    expect(() => open(sealed, 'card')).toThrow()
    for (let byte = 0; byte < sealed.length; byte += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(byte) ^ 1, byte)
      expect(() => open(changed, 'chain')).toThrow()
    }
    expect(() => open(sealed.subarray(0, 27), 'chain')).toThrow()
    expect(() => open(Buffer.alloc(0), 'chain')).toThrow()
  })

  it('names the key that it needs, without revealing the key', () => {
    const { keyId } = sealer(KEY)
    expect(keyId).toMatch(/^[0-9a-f]{8}$/)
    expect(sealer(KEY).keyId).toBe(keyId)
    expect(sealer(`${KEY}!`).keyId).not.toBe(keyId)
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
