import { choosePush, push } from '@sum28/contract/own-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

it('the box that is ticked keeps the focus while the choice is sent, and is sent once', async () => {
  server().answer(push, { key: 'B', topics: [], amounts: false, here: true, devices: 1 })
  const answer = server().hold(choosePush)
  const { person } = await showApp(href('settings', { type: '1' }))
  const box = await screen.findByRole('checkbox', { name: 'Messages from support' })
  await person.click(box)
  await waitFor(() => expect(box.getAttribute('aria-disabled')).toBe('true'))
  await person.keyboard(' ')
  expect(document.activeElement).toBe(box)
  answer()
  await waitFor(() => expect(box.getAttribute('aria-disabled')).toBe('false'))
  expect(server().requestsOf(choosePush)).toHaveLength(1)
})
