import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { NOTIFY_FROM, notifyAll } from '#src/modules/inbox/notify.ts'
import { releaseDeposits } from './protection-store.ts'

/** Credits the held deposits that no limit and no exclusion blocks any more, and notifies their players. */
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
    await notifyAll(
      tx,
      released
        .filter(({ amount }) => amount >= NOTIFY_FROM)
        .map(({ playerId, amount }) => ({
          playerId,
          kind: 'deposit_released',
          facts: { amount: formatAmount(amount) },
        })),
    )
  })
}
