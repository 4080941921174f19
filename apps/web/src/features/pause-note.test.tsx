import { lobby } from '@sum28/contract/lottery-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { GAME, wireTime } from '#src/testing/usual-replies.ts'

const server = useMockServer()

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
    await showApp(href('hall', {}))
    const title = await screen.findByText('Betting pauses')
    expect(title.parentElement?.textContent).toContain(words)
  },
)
