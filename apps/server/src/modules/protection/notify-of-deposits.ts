import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Transaction } from '#src/db/database.ts'
import { notifyAll } from '#src/modules/inbox/notify.ts'

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
