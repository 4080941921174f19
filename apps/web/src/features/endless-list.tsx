import { Button } from '@sum28/ui/button.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { failureText } from '#src/data/failure.ts'
import styles from '#src/features/endless-list.module.css'
import { useText } from '#src/i18n/text.ts'

/** How far under the screen's edge the next page is asked for. */
const AHEAD = '600px'

type EndlessListProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
  /** Said under the last item, such as how many there are. */
  end: string
  children: ReactNode
}

/** A list that asks for its next page before one reaches its end. */
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
