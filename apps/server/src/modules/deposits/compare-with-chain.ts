import type { UsdtTransfer } from '#src/adapters/chain/usdt-transfers.ts'
import type { Database } from '#src/db/database.ts'
import { type Difference, keepDifferences, moveRescanPosition } from './difference-store.ts'

/**
 * Compares the chain's blocks above `after` up to `last` with the recorded and credited transfers, and moves the
 * comparison's position together with storing the differences.
 *
 * @param transfers all of the token's transfers in those blocks, to any address
 * @returns the differences that are new
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
    const newDifferences = await keepDifferences(tx, {
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
    await moveRescanPosition(tx, { chain, block: last })
    return newDifferences
  })
}
