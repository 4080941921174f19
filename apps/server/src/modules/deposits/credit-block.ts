import { dayOf } from '@sum28/domain/schedule.ts'
import type { SolidBlock } from '#src/adapters/chain/chain-watcher.ts'
import type { Database } from '#src/db/database.ts'
import { type Credited, knownAddresses, takeBlock } from './deposit-store.ts'

/**
 * Takes a solidified block: transfers to members are recorded and credited, once per transaction
 * and log, and the watcher's place moves with them or not at all.
 *
 * @returns what was credited now
 */
export async function creditBlock(
  deps: { db: Database; chain: string; timeZone: string; now: () => number },
  { blockNumber, blockTime, transfers }: SolidBlock,
): Promise<Credited[]> {
  const known = transfers.length
    ? await knownAddresses(deps.db, [...new Set(transfers.map(({ to }) => to))])
    : new Set<string>()
  return takeBlock(deps.db, {
    chain: deps.chain,
    number: blockNumber,
    at: blockTime ?? new Date(deps.now()),
    onDay: dayOf(deps.timeZone, deps.now()),
    transfers: transfers
      .filter(({ to }) => known.has(to))
      .map(({ txId, logIndex, from, to, amountMicro }) => ({
        tx_id: txId,
        log_index: logIndex,
        from_address: from,
        to_address: to,
        amount: String(amountMicro),
      })),
  })
}
