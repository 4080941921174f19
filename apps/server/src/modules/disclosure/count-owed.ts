/** Counts what the house owes to people, and what its addresses hold on the chain. */

import { reserveStatement } from '@sum28/contract/staff-reserve-routes.ts'
import { commonSolidHead } from '#src/adapters/chain/chain-watcher.ts'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import { signTronMessage, tronAddressOfPrivateKey } from '#src/adapters/chain/tron-address.ts'
import type { TronNode } from '#src/adapters/chain/tron-node.ts'
import { callFunction, type Database } from '#src/db/database.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { listedAddresses } from './disclosure-store.ts'

/** `second`: a node of another operator, which has to say the same. */
export type ReserveReader = { node: TronNode; second?: TronNode | null; contract: string }

const STALE_MS = 3_600_000

/**
 * Counts, and writes the result into the public log, unless that was done since `orderedAt`.
 *
 * @returns the count's number
 * @throws if the chain cannot be read, balances change meanwhile, or a node stands still for an hour: a count without what
 * is held would look like a house that holds nothing, and old balances like those of today
 */
export async function countOwed(
  db: Database,
  reader: ReserveReader,
  { orderedAt, signal }: { orderedAt?: Date; signal?: AbortSignal } = {},
): Promise<number> {
  const addresses = await listedAddresses(db)
  // A node tells a balance of its newest block alone: what it says before and after a block was held at that block.
  const amounts = await balancesOf(reader, addresses, signal)
  const head = addresses.length > 0 ? await commonSolidHead(reader, signal) : null
  if (head && !head.ok) throw new Error(`the chain’s head: ${head.failure.message}`)
  const later = await balancesOf(reader, addresses, signal)
  if (amounts.some((amount, at) => amount !== later[at])) {
    throw new Error('the balances changed while they were read')
  }
  const now = await db.value<number>('select app.now()')
  const at = head?.value.blockTime?.getTime() ?? now
  if (at < now - STALE_MS) throw new Error(`the chain’s node stands still since ${new Date(at)}`)
  return callFunction<number>(
    db,
    'disclosure.count_owed',
    addresses.map(({ id }) => id),
    amounts,
    head?.ok ? head.value.blockNumber : null,
    orderedAt ?? null,
  )
}

async function balancesOf(
  { node, second, contract }: ReserveReader,
  addresses: readonly { address: string }[],
  signal?: AbortSignal,
): Promise<bigint[]> {
  const amounts: bigint[] = []
  for (const { address } of addresses) {
    const said = new Set<bigint>()
    for (const each of second ? [node, second] : [node]) {
      const balance = await each.solidBalance({ contract, address }, signal)
      if (!balance.ok) throw new Error(`the balance of ${address}: ${balance.failure.message}`)
      said.add(balance.value)
    }
    const [amount, ...others] = said
    if (amount === undefined || others.length > 0) {
      throw new Error(`the balance of ${address}: the nodes do not say the same`)
    }
    amounts.push(amount)
  }
  return amounts
}

/** What the demo's own address is given: play money. */
const OWN_RESERVES = 10_000_000_000_000n

/** Gives the demo an address of its own on the local chain, with a signed statement and play money, once. */
export async function addOwnAddress(
  db: Database,
  {
    local,
    secretKey,
    host,
    day,
  }: { local: LocalTronNode; secretKey: string; host: string; day: string },
): Promise<void> {
  const key = deriveKey(secretKey, 'reserves of the demo')
  const address = tronAddressOfPrivateKey(key)
  const statement = reserveStatement({ host, address, day })
  const signature = signTronMessage(statement, key)
  const added = await callFunction<boolean>(
    db,
    'disclosure.add_own_address',
    ...[address, statement, signature],
  )
  if (added) await local.transfer({ to: address, amountMicro: OWN_RESERVES })
}
