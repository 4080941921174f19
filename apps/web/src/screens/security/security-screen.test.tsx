import {
  devices,
  endOtherDevices,
  newRecoveryCodes,
  secondFactor,
} from '@sum28/contract/passkey-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

it('all other devices are logged out also if the list has none: one that was used long ago is not in it', async () => {
  const own = { id: 'own', name: 'Firefox · Linux', current: true }
  server().answer(devices, {
    list: [{ ...own, createtime: 1_795_000_000, usedtime: 1_795_000_000 }],
  })
  server().answer(endOtherDevices, null)
  const { person } = await showApp(href('security'))
  await screen.findByText('This device')
  await person.click(screen.getByRole('button', { name: 'Log out all other devices' }))
  await waitFor(() => expect(server().requestsOf(endOtherDevices)).toHaveLength(1))
  await screen.findByText('Logged out there')
})

it('recovery codes, which are shown once, stay until the player says that he has kept them', async () => {
  server().answer(secondFactor, { since: 1_795_000_000, app: true, recovery_codes: 10 })
  server().answer(newRecoveryCodes, { recovery_codes: ['aaaa-1111', 'bbbb-2222'] })
  const { person } = await showApp(href('security'))
  await person.click(await screen.findByRole('button', { name: 'New recovery codes' }))
  await screen.findByText('aaaa-1111')
  const sheet = screen.getByRole('dialog', { name: 'Your recovery codes' })
  for (const beside of document.querySelectorAll(
    'body > [data-base-ui-portal] [role="presentation"]',
  )) {
    if (!beside.contains(sheet)) await person.click(beside)
  }
  await person.keyboard('{Escape}')
  // A closing sheet loses this mark before it has left.
  expect(sheet.hasAttribute('data-open')).toBe(true)
  await person.click(screen.getByRole('button', { name: 'I have kept them' }))
  await waitFor(() => expect(screen.queryByText('aaaa-1111')).toBeNull())
})
