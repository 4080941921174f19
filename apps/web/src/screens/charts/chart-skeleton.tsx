import { Card } from '@sum28/ui/card.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import styles from '#src/screens/charts/charts.module.css'

/** The placeholder of a chart's card, as high as the card, so that nothing below it moves. */
export function ChartSkeleton() {
  return (
    <Card className="stack-3" aria-hidden="true">
      <Skeleton height={44} width="52%" />
      <Skeleton height={31} width="70%" />
      <Skeleton height={36} />
      <ChartPlace />
      <Skeleton height={132} />
      <Skeleton height={50} />
      <Skeleton height={98} width="70%" />
    </Card>
  )
}

/** The placeholder of the chart while its code is loading. */
export function ChartPlace() {
  return (
    <div className={styles.place}>
      <Skeleton height={220} />
    </div>
  )
}
