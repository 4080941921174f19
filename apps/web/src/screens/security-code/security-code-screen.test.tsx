import { safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

it('the first code is sent with its sixth digit', async () => {
  const { person } = await showApp(href('securityCode', { isTrue: 'false' }))
  await fillIn(person, { 'Choose six digits': '246810' })
  await screen.findByRole('alertdialog', { name: 'Security code saved' })
  expect(server().requestsOf(setSafety)[0]?.input).toEqual({ new_code: '246810' })
})

it('a code is changed with the old one', async () => {
  server().answer(safetyInfo, { isTrue: true })
  const { person } = await showApp(href('securityCode', { isTrue: 'true' }))
  await fillIn(person, { 'Old security code': '111111', 'New security code': '246810' })
  await person.click(screen.getByRole('button', { name: 'Change code' }))
  await screen.findByRole('alertdialog', { name: 'Security code saved' })
  expect(server().requestsOf(setSafety)[0]?.input).toEqual({
    old_code: '111111',
    new_code: '246810',
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
  await fillIn(person, { 'Old security code': '111111', 'New security code': '246810' })
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
  await fillIn(person, { 'Choose six digits': '246810' })
  await screen.findByRole('heading', { name: 'Log in' })
  expect(server().requestsOf(setSafety)).toEqual([])
})
