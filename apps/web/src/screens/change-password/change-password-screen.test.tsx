import { newPass } from '@sum28/contract/money-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { pressTwice } from '#src/testing/press-twice.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const ENTERED = {
  'Old password': 'a long password',
  'New password': 'another password',
  'Confirm password': 'another password',
}

const confirm = () => screen.getByRole('button', { name: 'Change password' })

it('a password is changed with the old one', async () => {
  const { person } = await showApp(href('changePassword'))
  await fillIn(person, ENTERED)
  await person.click(confirm())
  await screen.findByRole('alertdialog', { name: 'Password changed' })
  expect(Object.values(server().requestsOf(newPass)[0]?.input ?? {}).sort()).toEqual([
    'a long password',
    'another password',
  ])
})

it('a wrong old password is marked', async () => {
  server().refuse(newPass, { reason: 'old_password_wrong', msg: 'The old password is wrong' })
  const { person } = await showApp(href('changePassword'))
  await fillIn(person, ENTERED)
  await person.click(confirm())
  await screen.findAllByText('The old password is wrong')
  expect(screen.getByLabelText('Old password').getAttribute('aria-invalid')).toBe('true')
})

it('a second press at once sends nothing, and the change is not reported as failed', async () => {
  const { person } = await showApp(href('changePassword'))
  await fillIn(person, ENTERED)
  const answer = server().hold(newPass)
  await pressTwice(confirm())
  answer()
  await screen.findByRole('alertdialog', { name: 'Password changed' })
  expect(server().requestsOf(newPass)).toHaveLength(1)
})
