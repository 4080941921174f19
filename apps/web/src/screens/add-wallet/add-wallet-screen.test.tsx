import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import type { PayItem } from '@sum28/contract/replies.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'

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

it('another type must be entered', async () => {
  const { person } = await showApp(href('addWallet'))
  await fillIn(person, { 'Wallet address': ADDRESS })
  await person.click(screen.getByRole('radio', { name: 'Other' }))
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findAllByText('Please enter the wallet type')
  expect(server().requestsOf(setPayInfo)).toEqual([])
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
