import type { Day } from '@sum28/domain/schedule.ts'
import { dayText } from '@sum28/ui/day-text.ts'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { Game } from '#src/data/games.ts'
import { useDayTrend } from '#src/data/rounds/use-rounds.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useEmptyListToast } from '#src/features/use-empty-list-toast.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/trend/trend.module.css'
import { TrendTable } from '#src/screens/trend/trend-table.tsx'

type TrendDayProps = { game: Game; day: Day }

/** One game's trend table of one day, with its loading states. */
export function TrendDay({ game, day }: TrendDayProps) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const trend = useDayTrend({ gameId: game.id, day })
  useEmptyListToast(trend.data?.rows.length === 0, `${game.id} ${day}`)
  return (
    <Loaded
      query={trend}
      skeleton={<Skeleton height={420} />}
      empty={({ rows }) =>
        rows.length === 0 && (
          <EmptyState
            icon="calendar"
            title={t('trend.none')}
            hint={t('trend.noneHint')}
            onReload={() => trend.refetch()}
          />
        )
      }
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
