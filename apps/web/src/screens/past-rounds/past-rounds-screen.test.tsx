import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { issueList } from '@sum28/contract/lottery-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'
import { sampleOf } from '#src/testing/sample-of.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { GAME } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('a game without past rounds says none yet in a toast, and can be loaded again', async () => {
  const { person } = await showApp(href('pastRounds', { game_id: '2', name: GAME.name }))
  expect(await screen.findByText('None yet')).toBeTruthy()
  const list = [wireResult({ roundId: '20261122001', digits: [7, 8, 0] })]
  server().answer(issueList, ({ input }) => (input.page ? { list, total: 1, page: 1 } : list))
  await person.click(await screen.findByRole('button', { name: 'Load again' }))
  await screen.findByText('1 entry')
  expect(screen.queryByRole('button', { name: 'Load again' })).toBe(null)
})

it('a draw whose published digits are others than those in the list does not pass for checked', async () => {
  vi.stubGlobal('IntersectionObserver', SeenAtOnce)
  const list = [wireResult({ roundId: '20261122001', digits: [7, 8, 0] })]
  server().answer(issueList, ({ input }) => (input.page ? { list, total: 1, page: 1 } : list))
  server().answer(fairnessRound, {
    ...(sampleOf(fairnessRound.reply) as ReplyOf<typeof fairnessRound>),
    game_id: 2,
    issue: '20261122001',
    digits: [7, 8, 1],
  })
  await showApp(href('pastRounds', { game_id: '2', name: GAME.name }))
  const row = await screen.findByRole('link', { name: /Check this draw/ })
  await waitFor(() => expect(row.textContent).toContain('Something does not fit'))
  expect(server().requestsOf(fairnessRound)).toHaveLength(1)
})

/** Everything is on the screen. */
class SeenAtOnce {
  readonly listener: (entries: { isIntersecting: boolean }[]) => void
  constructor(listener: SeenAtOnce['listener']) {
    this.listener = listener
  }
  observe() {
    this.listener([{ isIntersecting: true }])
  }
  disconnect() {}
}
