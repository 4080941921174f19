import { safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import { prove } from '@sum28/contract/passkey-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const FIRST = { 'Choose six digits': '271828', 'The same six digits again': '271828' }

it('the first code is typed twice, is sent with its last digit, and asks for the password', async () => {
  server().refuse(setSafety, { reason: 'proof_required', msg: 'Please confirm that it is you' })
  const { person } = await showApp(href('securityCode', { isTrue: 'false' }))
  await fillIn(person, FIRST)
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Login password')))
  server().answer(prove, null)
  server().answer(setSafety, null)
  await fillIn(person, { 'Login password': 'a long password' })
  await person.click(screen.getByRole('button', { name: 'Confirm' }))
  await screen.findByRole('alertdialog', { name: 'Security code saved' })
  expect(server().requestsOf(prove)[0]?.input).toEqual({ password: 'a long password' })
  expect(server().inputsOf(setSafety)).toEqual(
    Array(2).fill({ new_code: '271828', repeated_code: '271828' }),
  )
})

it('a code that is guessed first is refused before it is sent, and so are two that differ', async () => {
  const { person } = await showApp(href('securityCode', { isTrue: 'false' }))
  for (const common of ['123456', '111111', '310180']) {
    await fillIn(person, { 'Choose six digits': common })
    await screen.findByText(/^This code is one of the first that are guessed/)
  }
  await fillIn(person, { ...FIRST, 'The same six digits again': '271829' })
  await screen.findByText(/^These digits differ/)
  expect(server().requestsOf(setSafety)).toEqual([])
})

it('a code is changed with the old one', async () => {
  server().answer(safetyInfo, { isTrue: true })
  const { person } = await showApp(href('securityCode', { isTrue: 'true' }))
  await fillIn(person, { 'Old security code': '111111', 'New security code': '271828' })
  await person.click(screen.getByRole('button', { name: 'Change code' }))
  await screen.findByRole('alertdialog', { name: 'Security code saved' })
  expect(server().requestsOf(setSafety)[0]?.input).toEqual({
    old_code: '111111',
    new_code: '271828',
  })
})

it('a wrong old code says how many tries are left', async () => {
  server().answer(safetyInfo, { isTrue: true })
  server().refuse(setSafety, {
    reason: 'security_code_wrong',
    msg: 'The code is wrong',
    data: { tries_left: 3 },
  })
  const { person } = await showApp(href('securityCode', { isTrue: 'true' }))
  await fillIn(person, { 'Old security code': '111111', 'New security code': '271828' })
  await person.click(screen.getByRole('button', { name: 'Change code' }))
  await screen.findByText('The code is wrong · 3 tries left')
})

it('if the server cannot be asked whether there is a code, the screen shows an error', async () => {
  server().refuse(safetyInfo, { reason: 'unavailable', msg: 'Please try again later', code: 503 })
  const { person } = await showApp(href('securityCode', { isTrue: 'true' }))
  await screen.findByText('Please try again later')
  server().answer(safetyInfo, { isTrue: true })
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findAllByLabelText('Old security code')
})

it('a stranger who enters a code is sent to the login, and nothing is sent to the server', async () => {
  const { person } = await showApp(href('securityCode', { isTrue: 'false' }), { stranger: true })
  await fillIn(person, FIRST)
  await screen.findByText('Please log in')
  await screen.findByRole('heading', { name: 'Log in' })
  expect(server().requestsOf(setSafety)).toEqual([])
})
