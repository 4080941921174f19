import styles from '#src/screens/find/find.module.css'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** A chart's card on its way. */
export function ChartSkeleton() {
  return (
    <Card className={styles.card} aria-hidden="true">
      <Skeleton height={44} width="52%" />
      <Skeleton height={31} width="70%" />
      <ChartPlace />
      <Skeleton height={92} />
    </Card>
  )
}

/** The chart's own place while its code is on its way. */
export function ChartPlace() {
  return (
    <div className={styles.place}>
      <Skeleton height={220} />
    </div>
  )
}
