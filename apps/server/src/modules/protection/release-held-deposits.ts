import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { releaseDeposits } from './protection-store.ts'
import { tellOfDeposits } from './tell-of-deposits.ts'

/** Credits the held deposits that no limit and no exclusion holds any more, and tells their players. */
export async function releaseHeldDeposits({
  db,
  timeZone,
  now,
}: {
  db: Database
  timeZone: string
  now: () => number
}): Promise<void> {
  await db.transaction(async (tx) => {
    const released = await releaseDeposits(tx, { onDay: dayOf(timeZone, now()) })
    await tellOfDeposits(
      tx,
      released.map((deposit) => ({ ...deposit, held: false })),
    )
  })
}
