import type { Day } from '@sum28/domain/schedule.ts'
import { dayText } from '@sum28/ui/day-text.ts'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { Game } from '#src/data/games.ts'
import { byGameDay } from '#src/data/rounds/past-round.ts'
import { usePastRounds } from '#src/data/rounds/use-rounds.ts'
import { DaySection } from '#src/features/day-section.tsx'
import { EndlessList } from '#src/features/endless-list.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useEmptyListToast } from '#src/features/use-empty-list-toast.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/past-rounds/past-rounds.module.css'
import { RoundRow } from '#src/screens/past-rounds/round-row.tsx'

/** Past rounds, newest first, by game day, loaded page by page. */
export function PastRounds({ game, day }: { game: Game; day: Day | null }) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const rounds = usePastRounds({ gameId: game.id, day })
  const none = rounds.data?.length === 0
  useEmptyListToast(none, `${game.id} ${day}`)
  return (
    <Loaded
      query={rounds}
      skeleton={<SkeletonRows count={8} />}
      empty={() =>
        none && (
          <EmptyState
            icon={day ? 'calendar' : 'empty'}
            title={day ? t('trend.none') : t('charts.none')}
            hint={day ? t('trend.noneHint') : t('charts.noneHint')}
            onReload={() => rounds.refetch()}
          />
        )
      }
    >
      {(list) => (
        <EndlessList query={rounds} end={t('list.end', { count: list.length })}>
          {byGameDay(list).map((group) => (
            <DaySection key={group.day} heading={dayText(group.day, { tag, today })}>
              {group.rounds.map((round) => (
                <li key={round.issue} className={styles.item}>
                  <RoundRow gameId={game.id} round={round} />
                </li>
              ))}
            </DaySection>
          ))}
        </EndlessList>
      )}
    </Loaded>
  )
}
