import { Skeleton } from '@sum28/ui/skeleton.tsx'
import type { ReactNode } from 'react'
import { WAITING_TITLE } from '#src/app/arrival.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import styles from '#src/screens/room/room.module.css'

type RoomSkeletonProps = { header?: ReactNode; game?: string | undefined }

/** The placeholder of a room before its first news. */
export function RoomSkeleton({ header, game }: RoomSkeletonProps) {
  return (
    <div className={styles.room} data-game={game} aria-busy="true">
      {header ?? <PageHeader title={WAITING_TITLE} back />}
      <main className={styles.main}>
        <Skeleton height={140} />
        <Skeleton height={98} />
        <Skeleton height={240} />
      </main>
      <div className={styles.footer}>
        <Skeleton height={52} />
      </div>
    </div>
  )
}
