import {
  type AccountKey,
  accountName,
  deriveDepositAddress,
} from '#src/adapters/chain/derive-deposit-address.ts'
import { callFunction, type Database } from '#src/db/database.ts'
import { areClocksApart } from '#src/modules/games/catalog.ts'
import { watcherHeight } from './deposit-store.ts'

/**
 * A member's own TRON address, made at its first request: the next index under the account's extended public key, so
 * that the server never has a private key. A transfer may have reached the address before it was his (it was watched as a
 * spare address, or the watcher is behind): it cannot have been meant for him, so it is unmatched, and staff decide on it.
 *
 * @param chain the chain that is watched
 * @returns null while the chain has never been watched, that is before the first contact with its node: the watcher
 * begins at the chain's head, so an earlier transfer would never be read; and while the clocks disagree, but for an address
 * that he has: one that is given by a clock that is ahead would not be his until then
 */
export async function depositAddress(
  db: Database,
  { key, chain, playerId }: { key: AccountKey; chain: string; playerId: number },
): Promise<string | null> {
  const known = 'select address from deposits.address where player_id = $1'
  const existing = await db.first<{ address: string | null }>(known, [playerId])
  if (existing?.address) return existing.address
  if ((await watcherHeight(db, chain)) === null || (await areClocksApart(db))) return null
  return db.transaction(async (tx) => {
    const index = await callFunction<number>(tx, 'deposits.take_index', playerId)
    const address = deriveDepositAddress(key, index)
    await callFunction(tx, 'deposits.put_address', playerId, address)
    return address
  })
}

/** How many addresses beyond the last index that was taken are watched: the gap limit of BIP-44. */
const AHEAD = 20

/** How many are derived without a pause; each takes some milliseconds, and other work runs in the pauses. */
const BATCH = 5

/**
 * Records addresses under our account key, so that transfers to them are stored: the next ones, those that were reserved
 * but not given to a member, or passed over after a restore because somebody may know them, and those that members took
 * since. A member's address counts only if it is the one recorded here for its index. Costs one short query if there are
 * no new ones. Under another account key those that members have from before are left out.
 */
export async function watchSpareAddresses(db: Database, key: AccountKey): Promise<void> {
  const account = accountName(key)
  const indices = await db.column<number>(
    `select index::integer from generate_series(
       (select coalesce(max(derivation_index) + 1, (select seqmin from pg_sequence
          where seqrelid = 'deposits.address_derivation_index_seq'::regclass))
        from deposits.spare_address where account = $1),
       (select last_value - (not is_called)::integer + $2::integer
        from deposits.address_derivation_index_seq)) index
     where not exists (select from deposits.address join deposits.spare_address using (derivation_index, address)
       where derivation_index = index)
     order by index`,
    [account, AHEAD],
  )
  for (let done = 0; done < indices.length; done += BATCH) {
    const spare = indices
      .slice(done, done + BATCH)
      .map((index) => ({ index, address: deriveDepositAddress(key, index) }))
    await db.query(
      `insert into deposits.spare_address (account, derivation_index, address)
       select $1, index, address from jsonb_to_recordset($2::jsonb) as spare (index integer, address text)
       on conflict do nothing`,
      [account, JSON.stringify(spare)],
    )
  }
}
