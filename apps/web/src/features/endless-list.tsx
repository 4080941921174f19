import { Button } from '@sum28/ui/button.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { failureText } from '#src/data/failure.ts'
import styles from '#src/features/endless-list.module.css'
import { useText } from '#src/i18n/text.ts'

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

  return (
    <>
      {children}
      <div ref={mark} />
      {hasMore && failed ? (
        <div className={styles.foot} role="alert">
          <p>{failureText(query.error)}</p>
          <Button kind="plain" size="s" onClick={() => fetchNextPage()}>
            {t('action.retry')}
          </Button>
        </div>
      ) : hasMore ? (
        <SkeletonRows count={2} />
      ) : (
        <p className={styles.foot}>{end}</p>
      )}
    </>
  )
}
