import { byDay, dayText } from '@sum28/ui/days.ts'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useGameZone } from '#src/data/game-zone.ts'
import { itemsOf, type ListPage } from '#src/data/list-page.ts'
import { DaySection } from '#src/features/day-section.tsx'
import { EndlessList } from '#src/features/endless-list.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useEmptyListToast } from '#src/features/use-empty-list-toast.ts'
import { useText } from '#src/i18n/text.ts'

type HistoryListProps<Item> = {
  query: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>, Error>
  keyOf: (item: Item) => string | number
  /** Milliseconds since 1970. */
  at: (item: Item) => number
  /** The chosen days and kind, as one text. */
  range: string
  /** Shown if the list is empty. */
  empty: { title: string; hint: string }
  /** One row; the rows of a day share a card. */
  children: (item: Item) => ReactNode
}

/** A list of records, newest first, by day, loaded page by page. */
export function HistoryList<Item>({
  query,
  keyOf,
  at,
  range,
  empty,
  children,
}: HistoryListProps<Item>) {
  const t = useText()
  const { tag } = useLocale()
  const { zone, today } = useGameZone()
  const none = query.data?.pages.every(({ list }) => list.length === 0) ?? false
  useEmptyListToast(none, range)

  return (
    <Loaded
      query={query}
      skeleton={<SkeletonRows count={6} />}
      empty={() =>
        none && (
          <EmptyState title={empty.title} hint={empty.hint} onReload={() => query.refetch()} />
        )
      }
    >
      {({ pages }) => {
        const items = itemsOf(pages, keyOf)
        return (
          <EndlessList query={query} end={t('list.end', { count: items.length })}>
            {byDay(items, { zone, at }).map(({ day, items: ofDay }) => (
              <DaySection key={day} heading={dayText(day, { tag, today })}>
                {ofDay.map((item) => (
                  <li key={keyOf(item)}>{children(item)}</li>
                ))}
              </DaySection>
            ))}
          </EndlessList>
        )
      }}
    </Loaded>
  )
}
