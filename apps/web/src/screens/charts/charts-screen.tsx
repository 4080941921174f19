import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { gameCode } from '@sum28/ui/game-code.ts'
import { Page } from '@sum28/ui/page.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { Tabs } from '@sum28/ui/tabs.tsx'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { gameAsked } from '#src/data/asked-game.ts'
import { useLiveGames } from '#src/data/live/use-live-games.ts'
import type { HiddenTypes } from '#src/data/rounds/candles.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { PageHeader } from '#src/features/page-header.tsx'
import { useText } from '#src/i18n/text.ts'
import { ChartSkeleton } from '#src/screens/charts/chart-skeleton.tsx'
import { GameChart } from '#src/screens/charts/game-chart.tsx'

/** A game's rounds as candles, live. */
export function ChartsScreen() {
  const t = useText()
  const games = useLiveGames()
  // In the address, so that the same game is shown after going back.
  const [search, setSearch] = useSearchParams()
  const [hidden, setHidden] = useState<HiddenTypes>(new Set())

  function toggle(type: NamedOutcome) {
    const next = new Set(hidden)
    if (!next.delete(type)) next.add(type)
    setHidden(next)
  }

  return (
    <Page header={<PageHeader title={t('charts.title')} />}>
      <Loaded
        query={games}
        skeleton={
          <>
            <Skeleton height={50} />
            <ChartSkeleton />
          </>
        }
        empty={(list) => list.length === 0 && <EmptyState onReload={() => games.refetch()} />}
      >
        {(list) => (
          <Tabs
            label={t('hall.games')}
            value={String((gameAsked(list, search.get('game_id')) ?? list[0])?.id)}
            onChange={(id) => setSearch({ game_id: id }, { replace: true })}
            tabs={list.map((game) => ({
              value: String(game.id),
              label: game.name,
              game: gameCode(game.id) ?? '',
              content: <GameChart key={game.id} game={game} hidden={hidden} onToggle={toggle} />,
            }))}
          />
        )}
      </Loaded>
    </Page>
  )
}
