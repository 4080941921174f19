import { PageHeader } from '#src/features/page.tsx'
import { WAITING_TITLE } from '#src/navigation/arrival.ts'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/room/room.module.css'

/** The placeholder of a room that is not known yet. */
export function RoomSkeleton() {
  return (
    <div className={styles.room} aria-busy="true">
      <PageHeader title={WAITING_TITLE} back />
      <RoomContentSkeleton />
    </div>
  )
}

/** The placeholder of what is below a room's header, before its first update. */
export function RoomContentSkeleton() {
  return (
    <>
      <main className={styles.main}>
        <Skeleton height={140} />
        <Skeleton height={98} />
        <Skeleton height={240} />
      </main>
      <div className={styles.footer}>
        <Skeleton height={52} />
      </div>
    </>
  )
}
