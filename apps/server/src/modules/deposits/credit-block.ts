import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { SolidBlock } from '#src/adapters/chain/chain-watcher.ts'
import type { Database } from '#src/db/database.ts'
import { tellOfDeposits } from '#src/modules/protection/tell-of-deposits.ts'
import { type Credited, ownAddresses, takeBlock } from './deposit-store.ts'

/** Anybody can send dust to an address: below this a credit is in the statement and tells nobody. */
const TOLD_FROM: Amount = MICRO

/**
 * Takes a solidified block: transfers to addresses of ours are recorded, those to members credited
 * and, from 1 u on, told of, once per transaction and log, and the watcher's place moves with all of it or not at
 * all. A frozen member is credited like any other, so that no money is lost: he cannot use it. What
 * reached an address of ours that no member has is kept unmatched, for staff.
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
    const told = credited.filter(({ amount }) => amount >= TOLD_FROM)
    await tellOfDeposits(tx, told)
    return credited
  })
}
