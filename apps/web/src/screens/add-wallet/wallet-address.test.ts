import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walletAddressFault } from '#src/screens/add-wallet/wallet-address.ts'

/** The USDT contract, and the first addresses of the mnemonic 'abandon … about'. */
const KNOWN = [
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
]
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

describe('a wallet address', () => {
  it.each(KNOWN)('%s is one', async (address) => {
    expect(await walletAddressFault(address)).toBeNull()
  })

  it.each([
    '',
    ' TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6tt',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj60',
    'R7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6tt',
    '0xa614f803B6FD780986A42c78Ec9c7f77e6DeD13C',
  ])('is not %j: its form is another', async (address) => {
    expect(await walletAddressFault(address)).toBe('form')
  })

  it('is refused if any one character is changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...KNOWN),
        fc.integer({ min: 1, max: 33 }),
        fc.constantFrom(...BASE58),
        async (address, at, character) => {
          fc.pre(address[at] !== character)
          const wrong = address.slice(0, at) + character + address.slice(at + 1)
          expect(await walletAddressFault(wrong)).toBe('checksum')
        },
      ),
    )
  })

  it('is refused if only length and characters are valid', async () => {
    for (const character of BASE58) {
      expect(await walletAddressFault(`T${character.repeat(33)}`)).toBe('checksum')
    }
  })
})
