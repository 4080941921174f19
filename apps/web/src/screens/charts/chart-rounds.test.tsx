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
  candle: { open: 1, close: 2, low: 1, high: 2 },
}))

/** The head of a chart, whose chosen round is changed by its own buttons. */
function Head({ rounds }: { rounds: readonly ChartRound[] }) {
  const [chosen, setChosen] = useState(rounds[0]?.roundId)
  const at = rounds.findIndex(({ roundId }) => roundId === chosen)
  const round = rounds[at]
  if (!round) return null
  return (
    <Providers>
      <RoundHead
        gameId={2}
        round={round}
        live={at === rounds.length - 1}
        earlier={rounds[at - 1]?.roundId ?? null}
        later={rounds[at + 1]?.roundId ?? null}
        onChoose={setChosen}
      />
    </Providers>
  )
}

it('each chosen round of a chart is checked once it has been seen for a moment', async () => {
  // What is published is another round.
  server().answer(fairnessRound, sampleOf(fairnessRound.reply) as ReplyOf<typeof fairnessRound>)
  const person = await showComponent(<Head rounds={ROUNDS} />)
  const asked = () => server().inputsOf(fairnessRound)
  for (const [at, { roundId }] of ROUNDS.entries()) {
    if (at > 0) await person.click(screen.getByRole('button', { name: 'Later round' }))
    screen.getByRole('link', { name: 'Check this draw' })
    expect(asked()).toHaveLength(at)
    bringIntoView()
    await screen.findByRole('link', { name: 'Something does not fit' })
    expect(asked()[at]).toEqual({ game_id: 2, issue: roundId })
  }
})
