import { register, userInfo } from '@sum28/contract/user-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('home shows a stranger no balance, and requests none', async () => {
  await showApp(href('home'), { stranger: true })
  await screen.findByRole('navigation', { name: 'Main screens' })
  expect(screen.queryByText('Balance')).toBe(null)
  expect(server().requestsOf(userInfo)).toEqual([])
})

it('home shows the balance of a player', async () => {
  await showApp(href('home'))
  const link = await screen.findByRole('link', { name: /^Balance/ })
  expect(link.textContent).toContain('100.00')
})

it('after registration limits are offered once, with two equal answers', async () => {
  server().answer(register, { userinfo: USERINFO })
  const { person } = await showApp(href('register'), { stranger: true })
  await fillIn(person, {
    Username: 'ann',
    Email: 'ann@example.com',
    'Verification code': '123456',
    Password: 'a long password',
  })
  await person.click(screen.getByRole('checkbox'))
  await person.click(screen.getByRole('button', { name: 'Create account' }))
  const offer = within(await screen.findByRole('region', { name: 'Would you like to set limits?' }))
  const [set, skip] = [
    offer.getByRole('link', { name: 'Set limits' }),
    offer.getByRole('button', { name: 'Not now' }),
  ]
  expect(skip.className).toContain(set.className)
  await person.click(skip)
  expect(screen.queryByRole('region', { name: 'Would you like to set limits?' })).toBe(null)
})
