import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import type { PayItem } from '@sum28/contract/replies.ts'
import { act, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { walletAddressFault } from '#src/screens/add-wallet/add-wallet-screen.tsx'
import { fillIn, leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

const WALLET: PayItem = {
  id: 4,
  acc: ADDRESS,
  acc_name: 'TRC20 (USDT)',
  acc_bank: '',
  sub: '',
  sub_name: '',
  status: '0',
}

it('a wallet is saved with the usual type unless another is entered', async () => {
  server().answer(setPayInfo, WALLET)
  server().answer(payInfo, WALLET)
  const { person } = await showApp(href('addWallet'))
  await fillIn(person, { 'Wallet address': ADDRESS })
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Change virtual wallet')
  expect(server().requestsOf(setPayInfo)[0]?.input).toMatchObject({
    type: 1,
    acc: ADDRESS,
    acc_name: 'TRC20 (USDT)',
  })
})

it('a player who has left before his wallet was saved is told of it, and not moved', async () => {
  server().answer(setPayInfo, WALLET)
  const comes = server().hold(setPayInfo)
  const { person } = await showApp(href('addWallet'))
  await fillIn(person, { 'Wallet address': ADDRESS })
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server().requestsOf(setPayInfo)).toHaveLength(1))
  await leaveFor(href('me'))
  await act(async () => comes())
  await screen.findByText('Saved')
  expect(location.pathname).toBe(href('me'))
})

it.each([
  ['0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae', /^This is not a TRON address/],
  [ADDRESS.replace('R7', 'R8'), /^A character of the address is wrong/],
])('the address %s is reported as wrong before it is sent', async (address, words) => {
  const { person } = await showApp(href('addWallet'))
  await fillIn(person, { 'Wallet address': address })
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findAllByText(words)
  expect(server().requestsOf(setPayInfo)).toEqual([])
})

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
