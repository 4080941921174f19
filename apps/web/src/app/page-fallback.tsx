import { Page } from '@sum28/ui/page.tsx'
import { Skeleton, SkeletonRows } from '@sum28/ui/skeleton.tsx'

/** The placeholder of a page while its code or its session is loading. */
export function PageFallback() {
  return (
    <Page>
      <Skeleton height={28} width="40%" />
      <Skeleton height={132} />
      <SkeletonRows count={4} />
    </Page>
  )
}
