/** The deposits module's SQL: addresses, the watcher's height, and received transfers. */
import type { recharge } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { SolidBlock } from '#src/adapters/chain/chain-watcher.ts'
import type { UsdtTransfer } from '#src/adapters/chain/usdt-transfers.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { NOTIFY_FROM } from '#src/modules/inbox/notify.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'

/** The last block that was completely handled, or null if the chain was never watched. */
export async function watcherHeight(db: Queryable, chain: string): Promise<number | null> {
  const text = 'select block::float8 as block from deposits.watcher_height where chain = $1'
  return (await db.first<{ block: number | null }>(text, [chain]))?.block ?? null
}

/**
 * Starts to watch a chain after a block; does nothing if it is watched already. Without a block (null) the chain is
 * awaited: from now on it is late while none is read.
 */
export async function beginWatching(
  db: Queryable,
  chain: string,
  block: number | null,
): Promise<void> {
  await callFunction(db, 'deposits.begin_watching', chain, block)
}

/** Transfers as the database's functions take them, in JSON. */
export function transferRows(transfers: readonly UsdtTransfer[]): string {
  const rows = transfers.map(
    ({ txId, logIndex, from, to, amountMicro, blockNumber, blockTime }) => ({
      tx_id: txId,
      log_index: logIndex,
      from_address: from,
      to_address: to,
      amount: String(amountMicro),
      block: blockNumber,
      block_at: blockTime,
    }),
  )
  return JSON.stringify(rows)
}

/**
 * Stores the transfers seen in a range of blocks, so that every process can show them. Removes transfers of the range
 * that have disappeared or are credited.
 */
export async function noteSeen(
  db: Queryable,
  seen: {
    chain: string
    /** The last block that was completely handled. */
    height: number
    /** The first and the last block that was read. */
    from: number
    to: number
    /** Blocks up to this one cannot be replaced. */
    solidHeight: number
    /** Which may still be replaced. */
    transfers: readonly UsdtTransfer[]
  },
): Promise<void> {
  const { chain, height, from, to, solidHeight, transfers } = seen
  await callFunction(
    ...[db, 'deposits.note_seen', chain, height, from, to, solidHeight, transferRows(transfers)],
  )
}

/** A transfer to a player, as he is shown it. */
export type ShownTransfer = {
  txId: string
  logIndex: number
  amount: Amount
  /** The block's time; null if the node did not say. */
  at: number | null
  status: ReplyOf<typeof recharge>['transfers'][number]['status']
  /** Of one that is not credited: how many blocks confirm it, its own counted, and how many the newest solidified one. */
  confirmations: number | null
  confirmationsNeeded: number | null
}

/** Transfers to an address that are in a block and not credited yet, the earliest first. */
export function seenTo(
  db: Queryable,
  { chain, address }: { chain: string; address: string },
): Promise<ShownTransfer[]> {
  return db.query(
    `select tx_id as "txId", log_index as "logIndex", amount, case when solid then 'solid' else 'seen' end as status,
       (extract(epoch from block_at) * 1000)::float8 as at,
       greatest(seen_block - transfer.block + 1, 1)::integer as confirmations,
       (seen_block - solid_block + 1)::integer as "confirmationsNeeded"
     from deposits.seen_transfer transfer join deposits.watcher_height using (chain)
     where to_address = $2 and chain = $1 and transfer.block > watcher_height.block
     order by transfer.block, log_index`,
    [chain, address],
  )
}

/** A deposit that was credited, or held back for staff. */
export type Credited = { playerId: number; amount: Amount; txId: string; held: boolean }

/** Which of these addresses are derived from our account key, members' or spare: other transfers are not stored. */
export async function ownAddresses(
  db: Queryable,
  addresses: readonly string[],
): Promise<Set<string>> {
  const own = 'select address from deposits.spare_address where address = any ($1)'
  return new Set(await db.column<string>(own, [addresses]))
}

/** Whether an address is for deposits: what comes to it is credited to a player, or left for staff. */
export async function isDepositAddress(db: Queryable, address: string): Promise<boolean> {
  const isGiven = await db.exists('select from deposits.address where address = $1', [address])
  return isGiven || (await ownAddresses(db, [address])).size > 0
}

/** Whether an address is, or was, listed as one of the house's own. */
export function isHouseAddress(db: Queryable, address: string): Promise<boolean> {
  return db.exists('select from deposits.house_address where address = $1', [address])
}

/** Transfers to a player's address, newest first. */
export function transfersOf(
  db: Queryable,
  playerId: number,
  limit: number,
): Promise<ShownTransfer[]> {
  // A held deposit has arrived, but is not in the balance.
  return db.query(
    `select tx_id as "txId", log_index as "logIndex", transfer.amount, block_at as at,
       case when protection.is_unresolved(held) then 'solid'
         when held.state = 'refunded' then 'returned' else 'credited' end as status,
       null as confirmations, null as "confirmationsNeeded"
     from deposits.transfer left join protection.held_deposit held
       on held.reference = deposits.reference_of(tx_id, log_index, assignment)
     where transfer.player_id = $1 order by block desc, log_index desc, tx_id limit $2`,
    [playerId, limit],
  )
}

/**
 * Processes a solidified block: records transfers to our addresses, credits those to members, once per transaction
 * and log, notifies the members from 1 u on, and moves the watcher's height; all of it or nothing. A frozen member
 * is credited like any other, so that no money is lost; he cannot use it. A transfer to an address of ours without a
 * member, or from one, is stored as unmatched, for staff.
 *
 * @param deps `again`: the block was processed before, without a transfer that a node hid
 * @returns what was credited or held now
 */
export async function creditBlock(
  deps: { db: Database; chain: string; timeZone: string; now: () => number; again?: boolean },
  { blockNumber, blockTime, transfers }: SolidBlock,
): Promise<Credited[]> {
  return deps.db.transaction(async (tx) => {
    const ours = transfers.length
      ? await ownAddresses(tx, [...new Set(transfers.map(({ to }) => to))])
      : new Set<string>()
    const arrived = transfers.filter(({ to }) => ours.has(to))
    // When it came says whose address it was.
    if (arrived.length > 0 && blockTime === null) {
      throw new Error(
        `block ${blockNumber} has a transfer to us, and the node does not say its time`,
      )
    }
    const at = blockTime ?? new Date(deps.now())
    const onDay = dayOf(deps.timeZone, deps.now())
    const credited = await tx.query<Credited>(
      `select player_id as "playerId", amount, tx_id as "txId", held
       from deposits.take_block($1, $2, $3, $4::jsonb, $5, $6)`,
      [deps.chain, blockNumber, at, transferRows(arrived), onDay, deps.again ?? false],
    )
    const notified = credited.filter(({ amount }) => amount >= NOTIFY_FROM)
    await notifyOfDeposits(tx, notified)
    return credited
  })
}
