import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useState } from 'react'
import { useSearchParams } from '#src/app/navigation.tsx'
import type { HiddenTypes } from '#src/data/rounds/candles.ts'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { ChartSkeleton, GameChart } from '#src/screens/charts/game-chart.tsx'

/** A game's rounds as candles, live. */
export function ChartsScreen() {
  const t = useText()
  // In the address, so that the same game is shown after going back.
  const [search, setSearch] = useSearchParams()
  const [hidden, setHidden] = useState<HiddenTypes>(new Set())

  function toggle(type: NamedOutcome) {
    const next = new Set(hidden)
    if (!next.delete(type)) next.add(type)
    setHidden(next)
  }

  return (
    <Screen title={t('charts.title')}>
      <GameTabs
        open={search.get('game_id')}
        onOpen={(id) => setSearch({ game_id: id }, { replace: true })}
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
