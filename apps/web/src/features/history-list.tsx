import { dayOf } from '@sum28/domain/schedule.ts'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { failureText } from '#src/data/failure.ts'
import { useGameZone } from '#src/data/game-day.ts'
import { itemsOf, type ListPage } from '#src/data/list-page.ts'
import { Loaded, mayHaveGrown } from '#src/features/loaded.tsx'
import { byDay, dayText } from '#src/i18n/days.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { RecordList } from '#src/parts/record-row.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'

type HistoryListProps<Item> = {
  query: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>, Error>
  keyOf: (item: Item) => string | number
  /** Milliseconds since 1970. */
  at: (item: Item) => number
  /** The chosen days and kind, as one text. */
  range: string
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
  useEmptyListToast(none && !mayHaveGrown(query), range)

  return (
    <Loaded query={query} skeleton={<SkeletonRows count={6} />} empty={() => none && empty}>
      {({ pages }) => {
        const items = itemsOf(pages, keyOf)
        return (
          <EndlessList query={query} end={t('list.end', { count: items.length })}>
            {byDay(items, (item) => dayOf(zone, at(item))).map(({ day, items: ofDay }) => (
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

/** One day of a list: its heading, and a card with its rows, each an `li`. */
export function DaySection({ heading, children }: { heading: ReactNode; children: ReactNode }) {
  return (
    <section className="stack-2 shrink">
      <h2 className="quiet inset">{heading}</h2>
      <Card kind="rows">
        <RecordList>{children}</RecordList>
      </Card>
    </section>
  )
}

/** How far below the screen's edge the next page is loaded. */
const AHEAD = '600px'

type EndlessListProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
  /** Shown after the last item, such as the number of items. */
  end: string
  children: ReactNode
}

/** A list that loads its next page before its end is reached. */
export function EndlessList({ query, end, children }: EndlessListProps) {
  const t = useText()
  const mark = useRef<HTMLDivElement>(null)
  const { hasNextPage: hasMore, fetchNextPage } = query
  const failed = query.isFetchNextPageError
  const waiting = hasMore && !query.isFetching && !failed
  useEffect(() => {
    if (!waiting || !mark.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [waiting, fetchNextPage])

  /** The button goes then, and the focus stays at the end of the rows. */
  function retry(): void {
    mark.current?.focus({ preventScroll: true })
    fetchNextPage()
  }

  return (
    <>
      {children}
      <div ref={mark} tabIndex={-1} />
      {hasMore && failed ? (
        <div className="caption row-text centered" role="alert">
          <p>{failureText(query.error)}</p>
          <Button kind="plain" size="s" onClick={retry}>
            {t('action.retry')}
          </Button>
        </div>
      ) : hasMore ? (
        <SkeletonRows count={2} />
      ) : (
        <p className="caption row-text centered">{end}</p>
      )}
    </>
  )
}

/**
 * Shows 'none yet' in a toast if a list is empty.
 *
 * @param range the chosen days and filters, as one text: each new choice shows the toast again
 */
export function useEmptyListToast(none: boolean, range: string): void {
  const t = useText()
  useEffect(() => {
    if (none) showToast(t('list.noneYet'))
  }, [none, range, t])
}
