import { Card } from '@sum28/ui/card.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import styles from '#src/screens/charts/charts.module.css'

/** A chart's card on its way. */
export function ChartSkeleton() {
  return (
    <Card className="stack-3" aria-hidden="true">
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
