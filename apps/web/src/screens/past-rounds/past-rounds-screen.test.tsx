import { chains, fairnessRound, logGrowth } from '@sum28/contract/fairness-routes.ts'
import { issueList, lobby } from '@sum28/contract/lottery-routes.ts'
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { entriesTo, growthIn, logged } from '@sum28/fairness/testing/logged.ts'
import { publishedRound } from '@sum28/fairness/testing/published-round.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { CheckWorker } from '#src/testing/check-worker.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { GAME } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const settled = publishedRound()
const voided = {
  ...settled,
  status: 'voided' as const,
  digits: null,
  beacon: { ...settled.beacon, signature: null, randomness: null },
  void: { reason: 'beacon_late' as const, voided_at: settled.voids_at, digits: null },
}

it('a game without past rounds says none yet in a toast, and can be loaded again', async () => {
  const { person } = await showApp(href('pastRounds', { game_id: '2', name: GAME.name }))
  expect(await screen.findByText('None yet')).toBeTruthy()
  const list = [wireResult({ roundId: '20261122001', digits: [7, 8, 0] })]
  server().answer(issueList, ({ input }) => (input.page ? { list, total: 1, page: 1 } : list))
  await person.click(await screen.findByRole('button', { name: 'Load again' }))
  await screen.findByText('1 entry')
  expect(screen.queryByRole('button', { name: 'Load again' })).toBe(null)
})

const DIFFERS = 'Something does not fit'
const UNSEEN = 'Fits, but was not witnessed'

it.each<[string, PublishedRoundOnWire, string]>([
  ['others than those in the list', logged({ ...settled, digits: [2, 5, 2] }), DIFFERS],
  ['none, because it was voided', logged(voided), DIFFERS],
  ['those in the list, but not witnessed,', logged(settled, { witnessedAt: null }), UNSEEN],
])('a draw whose published digits are %s does not pass for checked', async (_, round, words) => {
  vi.stubGlobal('IntersectionObserver', SeenAtOnce)
  vi.stubGlobal('Worker', CheckWorker)
  server().answer(lobby, { gameList: [{ ...GAME, id: settled.game_id }] })
  const list = [wireResult({ roundId: round.issue, digits: settled.digits })]
  server().answer(issueList, ({ input }) => (input.page ? { list, total: 1, page: 1 } : list))
  server().answer(fairnessRound, round)
  const growth = await growthIn(entriesTo(round))
  server().answer(logGrowth, ({ input: { sizes } }) => ({ proofs: growth(sizes) }))
  const { commitment, ends_at } = settled
  const chain = {
    id: 1,
    game_id: settled.game_id,
    length: 8,
    commitment,
    committed_at: ends_at - 86_400,
    used: 1,
  }
  server().answer(chains, [chain])
  await showApp(href('pastRounds', { game_id: String(settled.game_id), name: GAME.name }))
  const row = await screen.findByRole('link', { name: /^Round/ })
  await waitFor(() => expect(row.textContent).toContain(words))
  expect(row.textContent).not.toContain('Checked')
  // Not by its colour alone: the sign of a warning, a triangle, and not the shield.
  expect(row.querySelector('path[d^="M12 4.5L21"]')).toBeTruthy()
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
