import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import { useState } from 'react'
import type { HiddenTypes } from '#src/data/rounds/candles.ts'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { ChartSkeleton, GameChart } from '#src/screens/charts/game-chart.tsx'

/** A game's rounds as candles, live. */
export function ChartsScreen() {
  const t = useText()
  // In the address, so that the same game is shown after going back.
  const [query, setQuery] = useRouteQuery('charts')
  const [hidden, setHidden] = useState<HiddenTypes>(new Set())

  function toggle(type: NamedOutcome) {
    const next = new Set(hidden)
    if (!next.delete(type)) next.add(type)
    setHidden(next)
  }

  return (
    <Screen title={t('charts.title')}>
      <GameTabs
        open={query.game_id}
        onOpen={(id) => setQuery({ game_id: id })}
        skeleton={
          <>
            <Skeleton height={50} />
            <ChartSkeleton />
          </>
        }
      >
        {(game) => <GameChart key={game.id} game={game} hidden={hidden} onToggle={toggle} />}
      </GameTabs>
    </Screen>
  )
}
