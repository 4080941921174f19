import { Button } from '@sum28/ui/button.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { type ReactNode, useEffect, useRef } from 'react'
import { failureText } from '#src/data/failure.ts'
import styles from '#src/features/endless-list.module.css'
import { useText } from '#src/i18n/text.ts'

/** How far under the screen's edge the next page is asked for. */
const AHEAD = '600px'

type EndlessListProps = {
  hasMore: boolean
  loading: boolean
  /** Why the page after these did not come, or null. */
  error: unknown
  onMore: () => void
  /** Said under the last item, such as how many there are. */
  end: string
  children: ReactNode
}

/** A list that asks for its next page before one reaches its end. */
export function EndlessList({ hasMore, loading, error, onMore, end, children }: EndlessListProps) {
  const t = useText()
  const mark = useRef<HTMLDivElement>(null)
  const waiting = hasMore && !loading && !error
  useEffect(() => {
    if (!waiting || !mark.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onMore()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [waiting, onMore])

  return (
    <>
      {children}
      <div ref={mark} />
      {hasMore && error ? (
        <div className={styles.foot} role="alert">
          <p>{failureText(error)}</p>
          <Button kind="plain" size="s" onClick={onMore}>
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
