import { argon2Sync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useRealArgon2 } from '#testing/product/cheap-passwords.ts'
import { hashPassword, isCommonPassword, verifyPassword } from './password.ts'

useRealArgon2()

describe('a stored password', () => {
  it('is Argon2id in PHC form, at 19 MiB, two passes and one lane or more, with its own salt', async () => {
    const first = await hashPassword('correct horse')
    const parts =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(first)
    const [memory, passes, lanes] = (parts ?? []).slice(1, 4).map(Number)
    expect(memory).toBeGreaterThanOrEqual(19_456)
    expect(passes).toBeGreaterThanOrEqual(2)
    expect(lanes).toBe(1)
    expect(Buffer.from(parts?.[4] ?? '', 'base64')).toHaveLength(16)
    expect(Buffer.from(parts?.[5] ?? '', 'base64')).toHaveLength(32)
    expect(await hashPassword('correct horse')).not.toBe(first)
  })

  it('is recognised, and no other is', async () => {
    const stored = await hashPassword('correct horse')
    expect(await verifyPassword('correct horse', stored)).toBe(true)
    for (const wrong of ['Correct horse', 'correct horse ', 'correct hors', '']) {
      expect(await verifyPassword(wrong, stored)).toBe(false)
    }
  })

  it('is the same however its accents were typed', async () => {
    const stored = await hashPassword('mật khẩu é'.normalize('NFD'))
    expect(await verifyPassword('mật khẩu é'.normalize('NFC'), stored)).toBe(true)
    expect(await verifyPassword('mat khau e', stored)).toBe(false)
  })

  it('is checked with the cost of its time after the cost has been raised', async () => {
    const nonce = Buffer.alloc(16, 7)
    const tag = argon2Sync('argon2id', {
      message: 'an old one',
      nonce,
      memory: 64,
      passes: 1,
      parallelism: 1,
      tagLength: 24,
    })
    const stored = `$argon2id$v=19$m=64,t=1,p=1$${nonce.toString('base64').replace(/=+$/, '')}$${tag.toString('base64')}`
    expect(await verifyPassword('an old one', stored)).toBe(true)
    expect(await verifyPassword('a new one', stored)).toBe(false)
  })

  it('is never right if there is none, or if it is no hash', async () => {
    expect(await verifyPassword('anything', null)).toBe(false)
    expect(await verifyPassword('anything', 'anything')).toBe(false)
  })
})

it('the commonest passwords are known in any case, and no long phrase is one', () => {
  for (const word of ['password', '12345678', 'QWERTYUIOP', 'iloveyou', 'Sunshine']) {
    expect(isCommonPassword(word), word).toBe(true)
  }
  expect(isCommonPassword('a long enough passphrase')).toBe(false)
})
