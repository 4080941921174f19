import { OneDayChip } from '@sum28/ui/one-day-chip.tsx'
import { Skeletons } from '@sum28/ui/skeleton.tsx'
import { useSearchParams } from '#src/app/navigation.tsx'
import { useGameZone } from '#src/data/game-zone.ts'
import { useLiveGames } from '#src/data/live/use-live-games.ts'
import { currentGameDay, requestedDay, requestedGame } from '#src/data/requested-game.ts'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { TrendDay } from '#src/screens/trend/trend-day.tsx'

/** A game day's rounds as a table of hits and misses; today's grows live. */
export function TrendScreen() {
  const t = useText()
  const { today } = useGameZone()
  const games = useLiveGames()
  const [search, setSearch] = useSearchParams()
  const game = requestedGame(games.data ?? [], search.get('game_id')) ?? games.data?.[0]
  const requested = requestedDay(search.get('date'), today)
  const day = requested ?? (game ? currentGameDay(game, today) : today)

  /** A chosen day stays when the game changes. */
  function show(next: { gameId?: string; date?: string }) {
    const id = next.gameId ?? String(game?.id)
    const name = games.data?.find((each) => String(each.id) === id)?.name ?? ''
    const date = next.date ?? requested
    setSearch({ game_id: id, name, ...(date && { date }) }, { replace: true })
  }

  return (
    <Screen
      title={t('menu.trend')}
      back
      action={
        <OneDayChip day={day} today={today} withAll={false} onChange={(date) => show({ date })} />
      }
    >
      <GameTabs
        open={String(game?.id)}
        onOpen={(gameId) => show({ gameId })}
        skeleton={<Skeletons heights={[50, 420]} />}
      >
        {(each) => <TrendDay key={`${each.id} ${day}`} game={each} day={day} />}
      </GameTabs>
    </Screen>
  )
}
