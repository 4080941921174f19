import { userInfo } from '@sum28/contract/user-routes.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

it.each([
  ['a player enters a room once his balance is known', '/betRoom'],
  ['a player who has left the hall meanwhile is not taken into the room', href('news')],
])('%s', async (_, end) => {
  const { person } = await showApp(href('hall'))
  const enter = await screen.findByRole('button', { name: /Enter/ })
  const comes = server().hold(userInfo)
  const before = server().requestsOf(userInfo).length
  await person.click(enter)
  await waitFor(() => expect(server().requestsOf(userInfo)).toHaveLength(before + 1))
  if (end === href('news')) await person.click(screen.getByRole('link', { name: 'News' }))
  await act(async () => comes())
  await waitFor(() => expect(location.pathname).toBe(end))
  await act(() => new Promise((done) => setTimeout(done, 0)))
  expect(location.pathname).toBe(end)
})
