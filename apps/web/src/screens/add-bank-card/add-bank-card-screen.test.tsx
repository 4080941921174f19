import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import { bareCardNumber } from '@sum28/domain/card-number.ts'
import { screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { caretInGroups, groupedDigits } from '#src/screens/add-bank-card/add-bank-card-screen.tsx'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CARD } from '#src/testing/usual-replies.ts'

const server = useMockServer()

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
  expect(number.inputMode).toBe('numeric')
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

it('a number with a wrong digit is reported once, and sent when it is saved again: it may be an account’s', async () => {
  server().answer(setPayInfo, CARD)
  server().answer(payInfo, CARD)
  const { person } = await showApp(href('addBankCard'))
  await fillIn(person, { ...ENTERED, 'Card number': '4111111111111112' })
  const number = screen.getByLabelText('Card number')
  const save = () => person.click(screen.getByRole('button', { name: 'Save' }))
  const reported = () => screen.findByText(/^This is not a card number: .*account number, save it/)
  await save()
  await reported()
  await waitFor(() => expect(document.activeElement).toBe(number))
  // Another number is doubted anew, and a fault goes away with a change.
  await person.clear(number)
  expect(screen.queryByText(/^This is not a card number/)).toBeNull()
  await person.type(number, '4111111111111113')
  await save()
  await reported()
  expect(server().requestsOf(setPayInfo)).toEqual([])
  await save()
  await screen.findByText('Ann Lee')
  expect(server().requestsOf(setPayInfo)[0]?.input).toMatchObject({ acc_name: '4111111111111113' })
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

describe('a card number while it is typed', () => {
  it.each([
    ['', ''],
    ['4', '4'],
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242-4242-4242-4242', '4242 4242 4242 4242'],
    ['４２４２４', '4242 4'],
    ['6304 1000 0000 0000 008', '6304 1000 0000 0000 008'],
    ['4242x', '4242'],
  ])('stands in groups of four: %j as %j', (typed, shown) => {
    expect(groupedDigits(typed)).toBe(shown)
  })

  it('keeps every digit, in order, however often it is grouped', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d -]{0,40}$/), (typed) => {
        const shown = groupedDigits(typed)
        expect(bareCardNumber(shown)).toBe(bareCardNumber(typed))
        expect(groupedDigits(shown)).toBe(shown)
      }),
    )
  })

  it.each([
    // typed at the end, across a group's end, in the middle, and a gap deleted
    { text: '42424', caret: 5, after: 6 },
    { text: '4242', caret: 4, after: 4 },
    { text: '49242 4242', caret: 2, after: 2 },
    { text: '424294 242', caret: 5, after: 6 },
    { text: '42424242', caret: 4, after: 4 },
    { text: '', caret: 0, after: 0 },
  ])('keeps the caret behind its digit: $text at $caret', ({ text, caret, after }) => {
    expect(caretInGroups(text, caret)).toBe(after)
  })

  it('never puts the caret outside of the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.nat({ max: 30 }), (text, at) => {
        const caret = Math.min(at, text.length)
        expect(caretInGroups(text, caret)).toBeLessThanOrEqual(groupedDigits(text).length)
      }),
    )
  })
})
