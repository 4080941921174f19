import { Card } from '@sum28/ui/card.tsx'
import { Skeleton, SkeletonRows } from '@sum28/ui/skeleton.tsx'
import styles from '#src/screens/news/news-skeleton.module.css'

/** The placeholder of the news. */
export function NewsSkeleton() {
  return (
    <>
      <SkeletonRows count={3} />
      <Skeleton height={44} width="70%" />
      <Card aria-hidden="true">
        {[0, 1, 2].map((at) => (
          <div key={at} className={styles.row}>
            <div className={styles.words}>
              <Skeleton height={16} width="80%" />
              <Skeleton height={14} />
              <Skeleton height={12} width="34%" />
            </div>
            <Skeleton height={84} width="84px" />
          </div>
        ))}
      </Card>
    </>
  )
}
