/** The deposits module's SQL: addresses, the watcher's place, and what arrived. */
import type { Amount } from '@sum28/domain/money.ts'
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

export async function addressOfPlayer(db: Queryable, playerId: number): Promise<string | null> {
  const [row] = await db.query<{ address: string | null }>(
    `select address from deposits.address where player_id = $1`,
    [playerId],
  )
  return row?.address ?? null
}

/** Takes the next derivation index for a player, or gives the one he has. */
export async function takeIndex(tx: Transaction, playerId: number): Promise<number> {
  await tx.query(
    `insert into deposits.address (player_id) values ($1) on conflict (player_id) do nothing`,
    [playerId],
  )
  return only(
    await tx.query<{ index: number }>(
      `select derivation_index as index from deposits.address where player_id = $1`,
      [playerId],
    ),
  ).index
}

export async function setAddress(
  tx: Transaction,
  { playerId, address }: { playerId: number; address: string },
): Promise<void> {
  await tx.query(`update deposits.address set address = $2 where player_id = $1`, [
    playerId,
    address,
  ])
}

/** The last block that was wholly done, or null where the chain was never watched. */
export async function watcherPlace(db: Queryable, chain: string): Promise<number | null> {
  const [row] = await db.query<{ block: bigint }>(
    `select block from deposits.watcher_place where chain = $1`,
    [chain],
  )
  return row ? Number(row.block) : null
}

/** Begins to watch a chain after a block; does nothing where it is watched already. */
export async function beginWatching(db: Queryable, chain: string, block: number): Promise<void> {
  await db.query(
    `insert into deposits.watcher_place (chain, block) values ($1, $2) on conflict do nothing`,
    [chain, block],
  )
}

export type ArrivedTransfer = {
  tx_id: string
  log_index: number
  from_address: string
  to_address: string
  /** Micro-units as text. */
  amount: string
}

export type Credited = { playerId: number; amount: Amount; txId: string }

/** Records a block's transfers, credits them and moves the place: all in one statement. */
export function takeBlock(
  db: Queryable,
  block: { chain: string; number: number; at: Date; transfers: ArrivedTransfer[]; onDay: string },
): Promise<Credited[]> {
  return db.query<Credited>(
    `select player_id as "playerId", amount, tx_id as "txId"
     from deposits.take_block($1, $2, $3, $4::jsonb, $5)`,
    [block.chain, block.number, block.at, JSON.stringify(block.transfers), block.onDay],
  )
}

/** Which of some addresses belong to members: of all other transfers nothing is kept. */
export async function knownAddresses(
  db: Queryable,
  addresses: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ address: string }>(
    `select address from deposits.address where address = any ($1)`,
    [addresses],
  )
  return new Set(rows.map(({ address }) => address))
}

export type Transfer = { txId: string; amount: Amount; at: number; creditedAt: number | null }

/** What reached a player's address, newest first. */
export function transfersOf(db: Queryable, playerId: number, limit: number): Promise<Transfer[]> {
  return db.query<Transfer>(
    `select tx_id as "txId", amount, block_at as at, credited_at as "creditedAt"
     from deposits.transfer where player_id = $1 order by block desc, log_index desc limit $2`,
    [playerId, limit],
  )
}
