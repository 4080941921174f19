import type { Day } from '@sum28/domain/schedule.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { Game } from '#src/data/games.ts'
import { itemsOf } from '#src/data/list-page.ts'
import { byGameDay } from '#src/data/past-draw.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/screens/lottery-detail/past-rounds.module.css'
import { RoundRow } from '#src/screens/lottery-detail/round-row.tsx'
import { usePastRounds } from '#src/screens/lottery-detail/use-past-rounds.ts'
import { Card } from '#src/ui/card.tsx'
import { dayText } from '#src/ui/day-text.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { EndlessList } from '#src/ui/endless-list.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { RecordList } from '#src/ui/record-row.tsx'
import { SkeletonRows } from '#src/ui/skeleton.tsx'
import { useNoneYet } from '#src/ui/use-none-yet.ts'

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
