import type { Day } from '@sum28/domain/schedule.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { Game } from '#src/data/games.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { currentGameDay, requestedDay, requestedGame } from '#src/data/requested-game.ts'
import { useDayTrend } from '#src/data/rounds/use-rounds.ts'
import { OneDayChip } from '#src/features/day-chip.tsx'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { useEmptyListToast } from '#src/features/history-list.tsx'
import { Loaded, mayHaveGrown } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { dayText } from '#src/i18n/days.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { Skeleton, Skeletons } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/trend/trend.module.css'
import { TrendTable } from '#src/screens/trend/trend-table.tsx'

/** A game day's rounds as a table of hits and misses; today's grows live. */
export function TrendScreen() {
  const t = useText()
  const { today } = useGameZone()
  const games = useLiveGames()
  const [query, setQuery] = useRouteQuery('trend')
  const game = requestedGame(games.data ?? [], query.game_id) ?? games.data?.[0]
  const requested = requestedDay(query.date, today)
  const day = requested ?? (game ? currentGameDay(game, today) : today)

  /** A chosen day stays when the game changes. */
  function show(next: { gameId?: string; date?: string }) {
    const id = next.gameId ?? String(game?.id)
    const name = games.data?.find((each) => String(each.id) === id)?.name ?? ''
    const date = next.date ?? requested
    setQuery({ game_id: id, name, ...(date && { date }) })
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

type TrendDayProps = { game: Game; day: Day }

/** One game's trend table of one day, with its loading states. */
function TrendDay({ game, day }: TrendDayProps) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const trend = useDayTrend({ gameId: game.id, day })
  const none = trend.data?.rows.length === 0
  useEmptyListToast(none && !mayHaveGrown(trend), `${game.id} ${day}`)
  return (
    <Loaded
      query={trend}
      skeleton={<Skeleton height={420} />}
      empty={() => none && { icon: 'calendar', title: t('trend.none'), hint: t('trend.noneHint') }}
    >
      {(data) => (
        <>
          <TrendTable
            trend={data}
            caption={t('trend.caption', { game: game.name, day: dayText(day, { tag, today }) })}
          />
          <p className={styles.explain}>{t('trend.explain')}</p>
        </>
      )}
    </Loaded>
  )
}
