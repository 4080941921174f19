import { Card } from '#src/card.tsx'
import styles from '#src/skeleton.module.css'

type SkeletonProps = {
  /** Pixels. */
  height: number
  /** CSS width; all there is unless told. */
  width?: string
}

/** The place of something on its way, in its size. */
export function Skeleton({ height, width = '100%' }: SkeletonProps) {
  return <div className={styles.bone} style={{ height, width }} aria-hidden="true" />
}

/** A card of list rows on their way. */
export function SkeletonRows({ count = 5 }: { count?: number }) {
  return (
    <Card kind="rows" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className={styles.row}>
          <Skeleton height={14} width={`${34 + ((at * 17) % 30)}%`} />
          <Skeleton height={14} width="18%" />
        </div>
      ))}
    </Card>
  )
}
