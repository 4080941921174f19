/**
 * Tests sign in some thousand times, so their passwords are hashed at the least cost that the product verifies. Tests
 * of the hashing itself call `vi.unmock`.
 */
import { argon2Sync, randomBytes } from 'node:crypto'
import { vi } from 'vitest'

vi.mock('#src/modules/accounts/password.ts', async (original) => {
  const real = await original<typeof import('#src/modules/accounts/password.ts')>()

  async function hashPassword(password: string): Promise<string> {
    const nonce = randomBytes(16)
    const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
    const tag = argon2Sync('argon2id', { ...cost, message: password.normalize('NFC'), nonce })
    const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
    return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`
  }

  const ofNobody = await hashPassword(randomBytes(16).toString('hex'))
  return {
    ...real,
    hashPassword,
    verifyPassword: (password: string, stored: string | null) =>
      real.verifyPassword(password, stored ?? ofNobody),
  }
})
