import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StartError } from '#src/process/start-error.ts'
import { publishedRoot } from '#testing/hosts/served-local-node.ts'
import { accountName, deriveDepositAddress, openAccountKey } from './derive-deposit-address.ts'
import { tronAddressOfPublicKey } from './tron-address.ts'

const root = publishedRoot()
const account = root.derive("m/44'/195'/0'")

/** Why a text is no account key; null for a key. */
function faultOf(text: string): string | null {
  try {
    openAccountKey(text)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }
}

const PRIVATE = 'TRON_XPUB cannot be used: this is an extended private key'
const MALFORMED = 'TRON_XPUB cannot be used: this is not an extended public key'
const LEVEL = 'TRON_XPUB cannot be used: this extended key is of level'

describe('a deposit address', () => {
  test('is of the key that the page for operators makes of the words of a wallet', () => {
    const folder = new URL('../../../../../', import.meta.url)
    const page = readFileSync(new URL('docs/operating.md', folder), 'utf8')
    const [, command = ''] = /```sh\n(node --input-type=module[\s\S]+?)```/.exec(page) ?? []
    const made = spawnSync('bash', ['-c', command], {
      cwd: folder,
      input: `${'abandon '.repeat(11)}about\n`,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      encoding: 'utf8',
    })
    expect(made.stdout.trim(), made.stderr).toBe(account.publicExtendedKey)
  })

  test('has the known values for the public test mnemonic, and is the one that its private key can spend from', () => {
    const key = openAccountKey(account.publicExtendedKey)
    expect(deriveDepositAddress(key, 0)).toBe('TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH')
    expect(deriveDepositAddress(key, 1)).toBe('TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK')
    for (const index of [2, 77, 2 ** 31 - 1]) {
      const { publicKey } = root.derive(`m/44'/195'/0'/0/${index}`)
      expect(publicKey && tronAddressOfPublicKey(publicKey)).toBe(deriveDepositAddress(key, index))
    }
    for (const index of [-1, 0.5, 2 ** 31, Number.NaN])
      expect(() => deriveDepositAddress(key, index)).toThrow(RangeError)
  })

  test('belongs to an account with its own identifier, which reveals nothing of its key', () => {
    const key = openAccountKey(account.publicExtendedKey)
    const other = openAccountKey(root.derive("m/44'/195'/1'").publicExtendedKey)
    expect(accountName(key)).toMatch(/^[0-9a-f]{40}$/)
    expect(accountName(key)).toBe(accountName(openAccountKey(account.publicExtendedKey)))
    expect(accountName(key)).not.toBe(accountName(other))
  })
})

describe('an account key', () => {
  test('that is private is refused, and not repeated in the message', () => {
    const secret = account.privateExtendedKey
    expect(faultOf(secret)).toContain(PRIVATE)
    expect(faultOf(secret)).not.toContain(secret.slice(4, 30))
    expect(faultOf(secret.slice(0, 50))).toContain(PRIVATE)
  })

  test('that is mistyped, cut or something else is refused as malformed', () => {
    const xpub = account.publicExtendedKey
    const mistyped = `${xpub.slice(0, 20)}${xpub[20] === 'A' ? 'B' : 'A'}${xpub.slice(21)}`
    for (const text of ['', xpub.slice(0, -1), mistyped, 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'])
      expect(faultOf(text)).toContain(MALFORMED)
  })

  test('of another level than the account is refused, since no wallet would find the money', () => {
    expect(faultOf(root.publicExtendedKey)).toContain(LEVEL)
    expect(faultOf(account.deriveChild(0).publicExtendedKey)).toContain(LEVEL)
    expect(faultOf(root.derive("m/44'/195'/1").publicExtendedKey)).toContain(LEVEL)
    expect(faultOf(root.derive("m/44'/195'/1'").publicExtendedKey)).toBeNull()
  })
})
