import { lobby } from '@sum28/contract/lottery-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { GAME, wireTime } from '#src/testing/usual-replies.ts'

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

it.each([
  ['in the operator’s time zone', 'Asia/Singapore', 'From 21:00 until 22:30. New servers'],
  [
    'in another one, which is named',
    'Asia/Tokyo',
    'From 22:00 GMT+9 until 23:30 GMT+9. New servers',
  ],
])(
  'a planned stop of betting is told with its times to a player %s, and the operator’s words',
  async (_, zone, words) => {
    vi.stubEnv('TZ', zone)
    const [begins_at, ends_at] = ['13:00', '14:30'].map((time) =>
      wireTime(Date.parse(`2026-11-20T${time}:00Z`)),
    ) as [number, number]
    const pause = { plan_id: null, begins_at, ends_at, text: 'New servers' }
    server().answer(lobby, { gameList: [{ ...GAME, pauses: [pause] }] })
    await showApp(href('hall'))
    const title = await screen.findByText('Betting pauses')
    expect(title.parentElement?.textContent).toContain(words)
  },
)

it('a game without a round says its opening hours, whose time zone is named where the player’s is another', async () => {
  const issue = { ...GAME.issue, issue: '' }
  server().answer(lobby, { gameList: [{ ...GAME, issue }] })
  vi.stubEnv('TZ', 'Asia/Tokyo')
  await showApp(href('hall'))
  await screen.findByText(/10:00–02:00 GMT\+8/)
})

it('the hall says that the last round was voided', async () => {
  server().answer(lobby, { gameList: [{ ...GAME, issue: { ...GAME.issue, last_code: '' } }] })
  await showApp(href('hall'))
  const words = 'Voided, stakes refunded'
  await screen.findByText(words)
  screen.getByRole('img', { name: words })
})
