import type { Day } from '@sum28/domain/schedule.ts'
import { dayText } from '@sum28/ui/day-text.ts'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useGameZone } from '#src/data/game-zone.ts'
import type { Game } from '#src/data/games.ts'
import { useLatestDraws } from '#src/data/live-draws.ts'
import { type PastDraw, withLatest } from '#src/data/past-draw.ts'
import { dayDrawsQuery } from '#src/data/past-draws.ts'
import { trendOfDraws } from '#src/data/trend-rounds.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useNoneYet } from '#src/features/use-none-yet.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/trend/trend.module.css'
import { TrendTable } from '#src/screens/trend/trend-table.tsx'

type TrendDayProps = { game: Game; day: Day }

/** One game's table of one day, with the states that it has before it is there. */
export function TrendDay({ game, day }: TrendDayProps) {
  const t = useText()
  const draws = useDayDraws({ game, day })
  useNoneYet(draws.data?.length === 0, `${game.id} ${day}`)
  return (
    <Loaded
      query={draws}
      skeleton={<Skeleton height={420} />}
      empty={(list) =>
        list.length === 0 ? (
          <EmptyState
            icon="calendar"
            title={t('trend.none')}
            hint={t('trend.noneHint')}
            onReload={() => draws.refetch()}
          />
        ) : null
      }
    >
      {(list) => <Table game={game} day={day} draws={list} />}
    </Loaded>
  )
}

function Table({ game, day, draws }: TrendDayProps & { draws: readonly PastDraw[] }) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const trend = useMemo(() => trendOfDraws(draws), [draws])
  return (
    <>
      <TrendTable
        trend={trend}
        caption={t('trend.caption', { game: game.name, day: dayText(day, { tag, today }) })}
      />
      <p className={styles.explain}>{t('trend.explain')}</p>
    </>
  )
}

/** A day's rounds, newest first; those that end while one looks are added. */
function useDayDraws({ game, day }: TrendDayProps) {
  const queries = useQueryClient()
  const draws = useQuery(dayDrawsQuery({ gameId: game.id, day }))
  const latest = useLatestDraws(game)
  const { data } = draws

  useEffect(() => {
    if (!data || !latest) return
    const { queryKey } = dayDrawsQuery({ gameId: game.id, day })
    const grown = withLatest(data, latest, day)
    if (grown === null) queries.invalidateQueries({ queryKey, exact: true })
    else if (grown !== data) queries.setQueryData(queryKey, grown)
  }, [data, latest, game.id, day, queries])

  return draws
}
