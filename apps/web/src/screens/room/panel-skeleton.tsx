import { Skeleton } from '@sum28/ui/skeleton.tsx'

/** The placeholder of the outcomes. */
export function PanelSkeleton() {
  return (
    <>
      <Skeleton height={52} />
      <Skeleton height={52} />
      <Skeleton height={20} width="30%" />
      <Skeleton height={180} />
    </>
  )
}
