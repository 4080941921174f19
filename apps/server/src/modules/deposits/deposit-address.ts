import {
  type AccountKey,
  deriveDepositAddress,
} from '#src/adapters/chain/derive-deposit-address.ts'
import type { Database } from '#src/db/database.ts'
import { addressOfPlayer, setAddress, takeIndex } from './deposit-store.ts'

/**
 * A member's own TRON address, made the first time it is asked for: the next index under the
 * account's extended public key, so that no private key is ever on the server.
 */
export async function depositAddress(
  db: Database,
  key: AccountKey,
  playerId: number,
): Promise<string> {
  const known = await addressOfPlayer(db, playerId)
  if (known) return known
  return db.transaction(async (tx) => {
    const address = deriveDepositAddress(key, await takeIndex(tx, playerId))
    await setAddress(tx, { playerId, address })
    return address
  })
}
