import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { NOTIFY_FROM, notifyAll } from '#src/modules/inbox/notify.ts'
import { releaseDeposits } from './protection-store.ts'

/** Notifies players that their deposits were credited, or are held. */
export function notifyOfDeposits(
  tx: Transaction,
  deposits: readonly { playerId: number; amount: Amount; held: boolean }[],
): Promise<void> {
  return notifyAll(
    tx,
    deposits.map(({ playerId, amount, held }) => ({
      playerId,
      kind: held ? 'deposit_held' : 'deposit_credited',
      facts: { amount: formatAmount(amount) },
    })),
  )
}

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
