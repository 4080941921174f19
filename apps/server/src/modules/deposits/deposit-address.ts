import {
  type AccountKey,
  accountName,
  deriveDepositAddress,
} from '#src/adapters/chain/derive-deposit-address.ts'
import type { Database } from '#src/db/database.ts'
import {
  addressOfPlayer,
  addSpareAddresses,
  setAddress,
  takeIndex,
  unwatchedIndices,
  watcherHeight,
} from './deposit-store.ts'

/**
 * A member's own TRON address, made at its first request: the next index under the account's extended public key, so
 * that the server never has a private key.
 *
 * @param chain the chain that is watched
 * @returns null while the chain has never been watched, that is before the first contact with its node: the watcher
 * begins at the chain's head, so an earlier transfer would never be read
 */
export async function depositAddress(
  db: Database,
  { key, chain, playerId }: { key: AccountKey; chain: string; playerId: number },
): Promise<string | null> {
  const existing = await addressOfPlayer(db, playerId)
  if (existing) return existing
  if ((await watcherHeight(db, chain)) === null) return null
  return db.transaction(async (tx) => {
    const address = deriveDepositAddress(key, await takeIndex(tx, playerId))
    await setAddress(tx, { playerId, address })
    return address
  })
}

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
