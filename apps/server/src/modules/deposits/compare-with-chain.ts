import type { UsdtTransfer } from '#src/adapters/chain/usdt-transfers.ts'
import type { Database } from '#src/db/database.ts'
import { type Difference, keepDifferences, moveRescanPlace } from './difference-store.ts'

/**
 * Compares what the chain has in the blocks above `after` up to `last` with what was recorded and
 * credited of them, and moves the comparison's place with the differences that it keeps.
 *
 * @param transfers all of the token's transfers in those blocks, whosever they are
 * @returns the differences that were not known yet
 */
export function compareWithChain(
  db: Database,
  {
    chain,
    transfers,
    after,
    last,
  }: { chain: string; transfers: readonly UsdtTransfer[]; after: number; last: number },
): Promise<Difference[]> {
  return db.transaction(async (tx) => {
    const found = await keepDifferences(tx, {
      after,
      last,
      transfers: transfers.map(({ txId, logIndex, blockNumber, to, amountMicro }) => ({
        tx_id: txId,
        log_index: logIndex,
        block: blockNumber,
        to_address: to,
        amount: String(amountMicro),
      })),
    })
    await moveRescanPlace(tx, { chain, block: last })
    return found
  })
}
