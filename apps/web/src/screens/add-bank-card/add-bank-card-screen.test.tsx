import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import type { PayItem } from '@sum28/contract/replies.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const CARD: PayItem = {
  id: 3,
  acc: 'Ann Lee',
  acc_name: '1111',
  acc_bank: 'First Bank',
  sub: '',
  sub_name: '',
  status: '1',
}

const ENTERED = {
  'Card holder': ' Ann Lee ',
  'Card number': '4111111111111111',
  'Bank name': 'First Bank',
}

it('a card is saved without the spaces in its number, and then shown', async () => {
  server().answer(setPayInfo, CARD)
  server().answer(payInfo, CARD)
  const { person } = await showApp(href('addBankCard'))
  await fillIn(person, ENTERED)
  const number = screen.getByLabelText<HTMLInputElement>('Card number')
  expect(number.value).toBe('4111 1111 1111 1111')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Ann Lee')
  expect(server().requestsOf(setPayInfo)[0]?.input).toEqual({
    type: 0,
    acc: 'Ann Lee',
    acc_name: '4111111111111111',
    acc_bank: 'First Bank',
    sub: undefined,
    sub_name: undefined,
  })
})

it('a number with a wrong digit is reported before it is sent', async () => {
  const { person } = await showApp(href('addBankCard'))
  await fillIn(person, { ...ENTERED, 'Card number': '4111111111111112' })
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findAllByText('This is not a card number: please check the digits')
  expect(server().requestsOf(setPayInfo)).toEqual([])
})

it('the server’s message about a field is under that field', async () => {
  server().refuse(setPayInfo, {
    reason: 'invalid_input',
    msg: 'Please check what you entered',
    code: 400,
    data: { fields: { acc_bank: 'There is no such bank' } },
  })
  const { person } = await showApp(href('addBankCard'))
  await fillIn(person, ENTERED)
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('There is no such bank')
  expect(screen.getByLabelText('Bank name').getAttribute('aria-invalid')).toBe('true')
})
