import { Skeleton } from '@sum28/ui/skeleton.tsx'

/** The shape of the outcomes while their odds are on the way. */
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
