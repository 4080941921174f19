import type { Day } from '@sum28/domain/schedule.ts'
import { Card } from '@sum28/ui/card.tsx'
import { dayText } from '@sum28/ui/day-text.ts'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { RecordList } from '@sum28/ui/record-row.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { Game } from '#src/data/games.ts'
import { itemsOf } from '#src/data/list-page.ts'
import { byGameDay } from '#src/data/past-draw.ts'
import { EndlessList } from '#src/features/endless-list.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useNoneYet } from '#src/features/use-none-yet.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/past-rounds/past-rounds.module.css'
import { RoundRow } from '#src/screens/past-rounds/round-row.tsx'
import { usePastRounds } from '#src/screens/past-rounds/use-past-rounds.ts'

/** Past rounds, newest first, game day by game day, loaded as one reads on. */
export function PastRounds({ game, day }: { game: Game; day: Day | null }) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const rounds = usePastRounds({ game, day })
  const none = rounds.data?.pages.every(({ list }) => list.length === 0) ?? false
  useNoneYet(none, `${game.id} ${day}`)
  return (
    <Loaded
      query={rounds}
      skeleton={<SkeletonRows count={8} />}
      empty={() =>
        none ? (
          <EmptyState
            icon={day ? 'calendar' : 'empty'}
            title={day ? t('trend.none') : t('find.none')}
            hint={day ? t('trend.noneHint') : t('find.noneHint')}
            onReload={() => rounds.refetch()}
          />
        ) : null
      }
    >
      {({ pages }) => {
        const items = itemsOf(pages, ({ issue }) => issue)
        return (
          <EndlessList
            hasMore={rounds.hasNextPage}
            loading={rounds.isFetching}
            error={rounds.isFetchNextPageError ? rounds.error : null}
            onMore={rounds.fetchNextPage}
            end={t('list.end', { count: items.length })}
          >
            {byGameDay(items).map((group) => (
              <section key={group.day} className={styles.day}>
                <h2 className={styles.heading}>{dayText(group.day, { tag, today })}</h2>
                <Card kind="rows">
                  <RecordList>
                    {group.draws.map((draw) => (
                      <li key={draw.issue}>
                        <RoundRow gameId={game.id} draw={draw} />
                      </li>
                    ))}
                  </RecordList>
                </Card>
              </section>
            ))}
          </EndlessList>
        )
      }}
    </Loaded>
  )
}
