import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { gameAsked } from '#src/data/asked-game.ts'
import type { HiddenTypes } from '#src/data/chart-round.ts'
import { useLiveGames } from '#src/data/live-games.ts'
import { useText } from '#src/i18n/text.ts'
import { ChartSkeleton } from '#src/screens/find/chart-skeleton.tsx'
import { GameChart } from '#src/screens/find/game-chart.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { gameCode } from '#src/ui/game-code.ts'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'

/** The charts: a game's rounds as candles, live. */
export function FindScreen() {
  const t = useText()
  const games = useLiveGames()
  // In the address, so that coming back from a round's check finds the same game.
  const [search, setSearch] = useSearchParams()
  const [hidden, setHidden] = useState<HiddenTypes>(new Set())

  function toggle(type: NamedOutcome) {
    const next = new Set(hidden)
    if (!next.delete(type)) next.add(type)
    setHidden(next)
  }

  return (
    <Page header={<PageHeader title={t('find.title')} />}>
      <Loaded
        query={games}
        skeleton={
          <>
            <Skeleton height={50} />
            <ChartSkeleton />
          </>
        }
        empty={(list) =>
          list.length === 0 ? <EmptyState onReload={() => games.refetch()} /> : null
        }
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
