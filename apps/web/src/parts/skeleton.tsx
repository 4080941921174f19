import { Card } from '#src/parts/card.tsx'
import styles from '#src/parts/skeleton.module.css'

type SkeletonProps = {
  /** Pixels. */
  height: number
  /** CSS width; 100% by default. */
  width?: string
}

/** A placeholder in the size of the loading content. */
export function Skeleton({ height, width = '100%' }: SkeletonProps) {
  return <div className={styles.bone} style={{ height, width }} aria-hidden="true" />
}

/** The placeholder of a card with list rows. */
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

type SkeletonsProps = {
  /** Pixels of each block. */
  heights: readonly number[]
  /** The number of list rows in a card below the blocks; without it there is no card. */
  rows?: number
}

/** The placeholder of a page: blocks of these heights, and list rows. */
export function Skeletons({ heights, rows }: SkeletonsProps) {
  return (
    <>
      {heights.map((height, at) => (
        <Skeleton key={at} height={height} />
      ))}
      {rows && <SkeletonRows count={rows} />}
    </>
  )
}
