/** The SQL of the comparison of chain and ledger: how far it came, and what it found. */
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

export type DifferenceKind =
  | 'missing_in_ledger'
  | 'missing_on_chain'
  | 'amount_differs'
  | 'unmatched'

export type Difference = {
  id: number
  foundAt: number
  kind: DifferenceKind
  txId: string
  logIndex: number
  /** The block, the player's id and the amounts in micro-units that there are; no address. */
  details: Record<string, unknown>
}

const DIFFERENCE = `id::integer, found_at as "foundAt", kind, tx_id as "txId",
  log_index as "logIndex", details`

export type RescanPlace = {
  /** The block after which the chain was first watched: nothing before it was ever recorded. */
  begunAfter: number
  /** The last block that was compared. */
  block: number
}

/**
 * How far the comparison has come. A chain that was watched before there was a comparison begins
 * before its first recorded transfer.
 */
export async function rescanPlace(db: Queryable, chain: string): Promise<RescanPlace | null> {
  await db.query(
    `insert into deposits.rescan_place (chain, begun_after, block)
     select chain, begun, begun from deposits.watcher_place,
       lateral (select greatest(0, least(watcher_place.block, min(transfer.block) - 1)) as begun
         from deposits.transfer) first
     where chain = $1 on conflict do nothing`,
    [chain],
  )
  const [row] = await db.query<{ begunAfter: bigint; block: bigint }>(
    `select begun_after as "begunAfter", block from deposits.rescan_place where chain = $1`,
    [chain],
  )
  return row ? { begunAfter: Number(row.begunAfter), block: Number(row.block) } : null
}

/** Moves the comparison's place on; it never goes back. */
export async function moveRescanPlace(
  tx: Transaction,
  { chain, block }: { chain: string; block: number },
): Promise<void> {
  await tx.query(
    `update deposits.rescan_place set block = greatest(block, $2), moved_at = app.now()
     where chain = $1`,
    [chain, block],
  )
}

export type ChainTransfer = {
  tx_id: string
  log_index: number
  block: number
  to_address: string
  /** Micro-units as text. */
  amount: string
}

/** Compares some blocks with the ledger and keeps what differs: only what is new is answered. */
export function keepDifferences(
  tx: Transaction,
  { transfers, after, last }: { transfers: readonly ChainTransfer[]; after: number; last: number },
): Promise<Difference[]> {
  return tx.query<Difference>(
    `insert into deposits.chain_difference (kind, tx_id, log_index, details)
     select kind, tx_id, log_index, details from deposits.compare_with_chain($1::jsonb, $2, $3)
     on conflict on constraint reported_once do nothing returning ${DIFFERENCE}`,
    [JSON.stringify(transfers), after, last],
  )
}

/** Keeps deposits of the last days that were booked without any transfer: only new ones. */
export function keepStrayDeposits(db: Queryable, days: number): Promise<Difference[]> {
  return db.query<Difference>(
    `insert into deposits.chain_difference (kind, tx_id, log_index, details)
     select 'missing_on_chain', tx_id, log_index, details
     from deposits.stray_deposits((app.now() - make_interval(days => $1))::date)
     on conflict on constraint reported_once do nothing returning ${DIFFERENCE}`,
    [days],
  )
}

/** A difference, and what staff have made since of one that is `unmatched`. */
export type ListedDifference = Difference & { settled: 'assigned' | 'dismissed' | null }

/** What was found, newest first, and how much there is. */
export async function differences(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ListedDifference[]; total: number }> {
  const rows = await db.query<ListedDifference>(
    `select ${DIFFERENCE}, (
       select case when player_id is null then 'dismissed' else 'assigned' end
       from deposits.assignment
       where kind = 'unmatched' and state = 'confirmed'
         and (assignment.tx_id, assignment.log_index) = (found.tx_id, found.log_index)) as settled
     from deposits.chain_difference found order by id desc limit $1 offset $2`,
    [limit, offset],
  )
  const { total } = only(
    await db.query<{ total: number }>(
      `select count(*)::integer as total from deposits.chain_difference`,
    ),
  )
  return { rows, total }
}
