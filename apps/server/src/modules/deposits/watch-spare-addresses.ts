import {
  type AccountKey,
  accountName,
  deriveDepositAddress,
} from '#src/adapters/chain/derive-deposit-address.ts'
import type { Database } from '#src/db/database.ts'
import { addSpareAddresses, unwatchedIndices } from './deposit-store.ts'

/** How many addresses beyond the last that a member has are watched: the gap limit of BIP-44. */
const AHEAD = 20

/** So many are derived in one go, which takes some milliseconds each; others get their turn between. */
const BATCH = 5

/**
 * Notes addresses under our account key that are no member's, so that what arrives there is kept:
 * the ones that come next, and those that were taken and never given to anybody. Costs one short
 * query where there is nothing new.
 */
export async function watchSpareAddresses(db: Database, key: AccountKey): Promise<void> {
  const account = accountName(key)
  const indices = await unwatchedIndices(db, { account, ahead: AHEAD })
  for (let done = 0; done < indices.length; done += BATCH) {
    const spare = indices
      .slice(done, done + BATCH)
      .map((index) => ({ index, address: deriveDepositAddress(key, index) }))
    await addSpareAddresses(db, account, spare)
  }
}
