import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { SolidBlock } from '#src/adapters/chain/chain-watcher.ts'
import type { Database } from '#src/db/database.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { type Credited, ownAddresses, takeBlock } from './deposit-store.ts'

/** Anybody can send dust to an address: a credit below this is in the statement, without a notification. */
const NOTIFY_FROM: Amount = MICRO

/**
 * Processes a solidified block: records transfers to our addresses, credits those to members, once per transaction
 * and log, notifies the members from 1 u on, and moves the watcher's position; all of it or nothing. A frozen member
 * is credited like any other, so that no money is lost; he cannot use it. A transfer to an address of ours without a
 * member is stored as unmatched, for staff.
 *
 * @returns what was credited now
 */
export async function creditBlock(
  deps: { db: Database; chain: string; timeZone: string; now: () => number },
  { blockNumber, blockTime, transfers }: SolidBlock,
): Promise<Credited[]> {
  return deps.db.transaction(async (tx) => {
    const ours = transfers.length
      ? await ownAddresses(tx, [...new Set(transfers.map(({ to }) => to))])
      : new Set<string>()
    const credited = await takeBlock(tx, {
      chain: deps.chain,
      number: blockNumber,
      at: blockTime ?? new Date(deps.now()),
      onDay: dayOf(deps.timeZone, deps.now()),
      transfers: transfers
        .filter(({ to }) => ours.has(to))
        .map(({ txId, logIndex, from, to, amountMicro }) => ({
          tx_id: txId,
          log_index: logIndex,
          from_address: from,
          to_address: to,
          amount: String(amountMicro),
        })),
    })
    const notified = credited.filter(({ amount }) => amount >= NOTIFY_FROM)
    await notifyOfDeposits(tx, notified)
    return credited
  })
}
