import { devices, endOtherDevices } from '@sum28/contract/passkey-routes.ts'
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
