/** The page of a round. */
import { oneRound, type RoundPage } from '@sum28/contract/staff-timeline-routes.ts'
import { act, screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/games/rounds.tsx'

it('a round is fetched again until nothing is to come of it, and once it is settled only each minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const round = sample(oneRound)
  const settled = { ...round, state: 'settled', settled_at: 60 } satisfies RoundPage
  const drawn = { ...settled.proof, status: 'settled', seed: '00' } satisfies RoundPage['proof']
  const entry = { text: '', index: 0, path: [], checkpoint: '' }
  const logged = {
    ...drawn,
    log: {
      keys: [],
      key_changes: [],
      checkpoint: '',
      chain: entry,
      announcement: entry,
      book: entry,
      end: entry,
      rules: null,
    },
  }
  const { mock } = await showConsole('/rounds/1-20261120001/show', (mock) =>
    mock.answer(oneRound, round),
  )
  const asked = () => mock.requestsOf(oneRound).length
  const pass = async (ms: number) => {
    act(() => vi.advanceTimersByTime(ms))
    await expect.poll(() => queryClient.isFetching()).toBe(0)
  }
  await screen.findByRole('heading', { name: /Proof/ })
  expect(asked()).toBe(1)
  const replies: [number, RoundPage][] = [
    [3_000, round],
    [3_000, settled],
    [60_000, { ...settled, proof: drawn }],
    [60_000, { ...settled, proof: logged }],
  ]
  for (const [at, [everyMs, reply]] of replies.entries()) {
    mock.answer(oneRound, reply)
    await pass(everyMs - 1_000)
    expect(asked()).toBe(at + 1)
    await pass(1_000)
    expect(asked()).toBe(at + 2)
  }
  await pass(60_000)
  // The member’s own fetch is the only one.
  await act(() => queryClient.refetchQueries())
  expect(asked()).toBe(6)
})
