import {
  type AccountKey,
  deriveDepositAddress,
} from '#src/adapters/chain/derive-deposit-address.ts'
import type { Database } from '#src/db/database.ts'
import { addressOfPlayer, setAddress, takeIndex, watcherHeight } from './deposit-store.ts'

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
