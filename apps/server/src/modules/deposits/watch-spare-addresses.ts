import {
  type AccountKey,
  accountName,
  deriveDepositAddress,
} from '#src/adapters/chain/derive-deposit-address.ts'
import type { Database } from '#src/db/database.ts'
import { addSpareAddresses, unwatchedIndices } from './deposit-store.ts'

/** How many addresses beyond the last that a member has are watched: the gap limit of BIP-44. */
const AHEAD = 20

/** How many are derived without a pause; each takes some milliseconds, and other work runs in the pauses. */
const BATCH = 5

/**
 * Records addresses under our account key that belong to no member, so that transfers to them are stored: the next
 * ones, and those that were reserved but not given to a member. Costs one short query if there are no new ones.
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
