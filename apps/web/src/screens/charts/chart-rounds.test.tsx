import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { bringIntoView } from '@sum28/ui/testing/browser.ts'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { Providers } from '#src/app/providers.tsx'
import type { ChartRound } from '#src/data/rounds/candles.ts'
import { RoundHead } from '#src/screens/charts/chart-rounds.tsx'
import { sampleOf } from '#src/testing/sample-of.ts'
import { useMockServer } from '#src/testing/show-app.tsx'
import { showComponent } from '#src/testing/show-component.tsx'

const server = useMockServer()

const ROUNDS: ChartRound[] = ['20261122098', '20261122099'].map((roundId, at) => ({
  roundId,
  digits: [at, 2, 3],
  witnessed: true,
  candle: { open: 1 + at, close: 2 - at, low: 1, high: 2 },
}))

/** The head of a chart at its latest round, or the chosen one; a press of `Draw` adds a round. */
function Head() {
  const [count, setCount] = useState(1)
  const [chosen, setChosen] = useState<string | null>(null)
  const rounds = ROUNDS.slice(0, count)
  const at = chosen ? rounds.findIndex(({ roundId }) => roundId === chosen) : count - 1
  const round = rounds[at]
  if (!round) return null
  return (
    <Providers>
      <RoundHead
        gameId={2}
        round={round}
        live={at === count - 1}
        earlier={rounds[at - 1]?.roundId ?? null}
        later={rounds[at + 1]?.roundId ?? null}
        onChoose={setChosen}
      />
      <button type="button" onClick={() => setCount(count + 1)}>
        Draw
      </button>
    </Providers>
  )
}

it('each round that a chart shows is checked once it has been seen for a moment', async () => {
  // What is published is another round.
  server().answer(fairnessRound, sampleOf(fairnessRound.reply) as ReplyOf<typeof fairnessRound>)
  const person = await showComponent(<Head />)
  const asked = () => server().inputsOf(fairnessRound)
  for (const [at, { roundId }] of ROUNDS.entries()) {
    if (at > 0) await person.click(screen.getByRole('button', { name: 'Draw' }))
    screen.getByRole('link', { name: 'Check this draw' })
    expect(asked()).toHaveLength(at)
    bringIntoView()
    await screen.findByRole('link', { name: 'Something does not fit' })
    expect(asked()[at]).toEqual({ game_id: 2, issue: roundId })
  }
})

it('a draw that comes while its chart is shown has its label, index and check only after its tiles have turned', async () => {
  const person = await showComponent(<Head />)
  const waits = () =>
    ['Short-even', 'Index 2.0 → 1.0', 'Check this draw'].map((words) =>
      Boolean(screen.getByText(words).closest('[class*="_late_"]')),
    )
  await person.click(screen.getByRole('button', { name: 'Draw' }))
  expect(waits()).toEqual([true, true, true])
  // What was revealed is not revealed again.
  await person.click(screen.getByRole('button', { name: 'Earlier round' }))
  expect(screen.getByText('Short-odd').closest('[class*="_late_"]')).toBe(null)
})
