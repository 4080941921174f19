/** Passwords: Argon2id in the PHC string format, and the list of those that are too common. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'

/** The minimum of OWASP and NIST for Argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** A secret of a hash that is not stored with it. The hash names its key, and so outlives a change of the key. */
export type Pepper = { readonly keyId: string; of(keyId: string): Buffer }

const COMMON_COUNT = 10_000

let common: Set<string> | undefined

/** Whether a password is among the 10,000 most common, whatever its case. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(dictionary['passwords-common'].slice(0, COMMON_COUNT))
  return common.has(password.toLowerCase())
}

/** Whether two passwords are equal: accents may have been typed in two ways. */
export function isSamePassword(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC')
}

/** Hashes a password for storage. Takes tens of milliseconds, outside of the main thread. */
export async function hashPassword(password: string, pepper?: Pepper): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive(password, salt, COST, pepper?.of(pepper.keyId))
  const { memory, passes, parallelism } = COST
  const key = pepper ? `,keyid=${pepper.keyId}` : ''
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}${key}$${base64(salt)}$${base64(tag)}`
}

/**
 * Checks a password against a stored hash. Without a hash (no such account) it takes as long and returns false, so
 * that the time reveals nothing. Throws if the key that the hash names is not known.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  pepper?: Pepper,
): Promise<boolean> {
  const match =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)(?:,keyid=(\w+))?\$([^$]+)\$([^$]+)$/.exec(
      stored ?? '',
    )
  if (!match) {
    await derive(password, randomBytes(16), COST)
    return false
  }
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
  const secret = pepper?.of(match[4] ?? pepper.keyId)
  const salt = Buffer.from(match[5] ?? '', 'base64')
  const tag = Buffer.from(match[6] ?? '', 'base64')
  const cost = { memory, passes, parallelism, tagLength: tag.length }
  const derived = await derive(password, salt, cost, secret)
  return timingSafeEqual(derived, tag)
}

function derive(
  password: string,
  salt: Buffer,
  cost: { memory: number; passes: number; parallelism: number; tagLength: number },
  secret?: Buffer,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { ...cost, message: password.normalize('NFC'), nonce: salt, ...(secret && { secret }) },
      (error, tag) => {
        if (error) reject(error)
        else resolve(tag)
      },
    )
  })
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
