import type { DIFFERENCE_KINDS, listChainDifferences } from '@sum28/contract/staff-routes.ts'
import type { UsdtTransfer } from '#src/adapters/chain/usdt-transfers.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { type Ask, type ItemOf, pageOf } from '#src/db/list.ts'
import { actAsStaff } from '#src/modules/staff/audit.ts'
import type { Done, Refusal } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'
import { transferRows } from './deposit-store.ts'

/**
 * Compares the chain's blocks above `after` up to `last` with the recorded and credited transfers, and moves the
 * comparison's position together with storing the differences.
 *
 * @param chain whose position is moved; null: none
 * @param transfers all of the token's transfers in those blocks, to any address
 * @returns the differences that are new
 */
export function compareWithChain(
  db: Database,
  {
    chain,
    transfers,
    after,
    last,
  }: { chain: string | null; transfers: readonly UsdtTransfer[]; after: number; last: number },
): Promise<Difference[]> {
  return db.transaction(async (tx) => {
    const newDifferences = await tx.query<Difference>(
      `insert into deposits.chain_difference (kind, tx_id, log_index, details)
       select kind, tx_id, log_index, details from deposits.compare_with_chain($1::jsonb, $2, $3)
       on conflict on constraint reported_once do nothing returning ${DIFFERENCE}`,
      [transferRows(transfers), after, last],
    )
    await tx.query(
      `update deposits.rescan_height set block = greatest(block, $2) where chain = $1`,
      [chain, last],
    )
    return newDifferences
  })
}

/** Notes that a comparison came to its end: staff are told if none does for a day. */
export async function noteCompared(db: Queryable, chain: string): Promise<void> {
  await db.query('update deposits.rescan_height set finished_at = app.now() where chain = $1', [
    chain,
  ])
}

export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

export type Difference = {
  id: number
  foundAt: number
  kind: DifferenceKind
  txId: string
  logIndex: number
  /** The block, the player's id and the amounts in micro-units, as far as known; no address. */
  details: Record<string, unknown>
}

const DIFFERENCE = `id::integer, found_at as "foundAt", kind, tx_id as "txId",
  log_index as "logIndex", details`

export type RescanPosition = {
  /** The block after which the chain was first watched: nothing before it was ever recorded. */
  begunAfter: number
  /** The last block that was compared. */
  block: number
}

/** The comparison's position, or null if the chain was never watched. */
export async function rescanPosition(db: Queryable, chain: string): Promise<RescanPosition | null> {
  const position = await db.first<RescanPosition>(
    `select begun_after::float8 as "begunAfter", block::float8 as block
     from deposits.rescan_height where chain = $1`,
    [chain],
  )
  return position ?? null
}

/** The blocks with transfers that were credited in the last days, the earliest first. */
export function creditedBlocks(db: Queryable, days: number): Promise<number[]> {
  return db.column(
    `select distinct block::float8 as block from deposits.transfer
     where credited_at >= app.now() - make_interval(days => $1) order by block`,
    [days],
  )
}

/** Stores deposits of the last days that were booked without any transfer; returns only new ones. */
export function keepStrayDeposits(db: Queryable, days: number): Promise<Difference[]> {
  return db.query<Difference>(
    `insert into deposits.chain_difference (kind, tx_id, log_index, details)
     select 'missing_on_chain', tx_id, log_index, details
     from deposits.stray_deposits((app.now() - make_interval(days => $1))::date)
     on conflict on constraint reported_once do nothing returning ${DIFFERENCE}`,
    [days],
  )
}

/** The conditions of a transfer that is on the chain and nowhere in the books, and that nobody has credited or dismissed. */
const IS_NOWHERE = 'deposits.is_nowhere(found)'
const IS_OPEN = `not exists (select from deposits.transfer left join deposits.dismissal using (tx_id, log_index)
  where (tx_id, log_index) = (found.tx_id, found.log_index) and (credited_at is not null or dismissed_at is not null))`

/**
 * The condition of the differences that the start page counts: until staff have explained it, and of a transfer that is
 * missing until it is not. Unmatched transfers have their own list.
 */
export const DIFFERENCE_IS_DUE = `found.kind = any ('{missing_in_ledger,missing_on_chain,amount_differs,sent_later}')
  and not exists (select from deposits.explanation where difference_id = found.id)
  and (not ${IS_NOWHERE} or ${IS_OPEN})`

const DIFFERENCES = {
  columns: `${DIFFERENCE}, (
    select case when dismissal.tx_id is not null then 'dismissed' when player_id is not null then 'assigned' end
    from deposits.transfer left join deposits.dismissal using (tx_id, log_index)
    where kind = 'unmatched' and (tx_id, log_index) = (found.tx_id, found.log_index)) as decision,
  ${DIFFERENCE_IS_DUE} and deposits.may_be_explained(found) as "toExplain",
  reason as explanation, explained_at as "explainedAt",
  (select name from staff.member where id = explained_by) as "explainedBy"`,
  from: 'deposits.chain_difference found left join deposits.explanation on difference_id = found.id',
  id: { sql: 'found.id', type: 'bigint' },
} as const

/** The blocks with transfers that are missing in the books, the earliest first; also if staff have explained them. */
export function missedBlocks(db: Queryable): Promise<number[]> {
  return db.column(
    `select distinct (found.details ->> 'block')::integer as block from deposits.chain_difference found
     where ${IS_NOWHERE} and ${IS_OPEN} order by block`,
  )
}

/**
 * Notes that both nodes answered for a block, and its missing transfers are not in the books even so: one that is still
 * missing on the next day may be explained.
 */
export async function noteAbsent(db: Queryable, block: number): Promise<void> {
  await db.query(
    `update deposits.chain_difference found set absent_at = app.now()
     where ${IS_NOWHERE} and (details ->> 'block')::integer = $1 and not exists (select from deposits.transfer
       where (transfer.tx_id, transfer.log_index) = (found.tx_id, found.log_index))`,
    [block],
  )
}

/**
 * The differences, each with what staff have since decided on an `unmatched` one.
 *
 * @param ask `q`: the beginning of the transaction
 */
export function differencePage(
  db: Queryable,
  ask: Ask<{ kind: DifferenceKind; due: 'now'; q: string }>,
) {
  return pageOf<RowOf<ItemOf<typeof listChainDifferences>>>(db, DIFFERENCES, ask, {
    'kind = ?': ask.kind,
    ...(ask.due && { [DIFFERENCE_IS_DUE]: true }),
    "found.tx_id >= lower(?) and found.tx_id < lower(?) || 'g'": ask.q,
  })
}

/**
 * Keeps why a difference needs nothing more; then it is counted no longer. It moves no money, so one person is enough;
 * for a refund that left later than it may, one who cannot have sent it.
 *
 * @returns null, or not_found (also of a transfer that has to be credited or dismissed, unless one node alone names it
 *   for a day), already_decided or second_person_needed
 */
export function explainDifference(
  db: Database,
  { id, reason, session }: { id: number; reason: string; session: string },
): Promise<null | Refusal> {
  return actAsStaff(db, {
    call: ['deposits.explain_difference', id, session, reason],
    done: 'explained',
    field: 'id',
    decider: (tx) =>
      tx.one<Done>(
        `select name as by, explained_at as at from deposits.explanation join staff.member on member.id = explained_by
         where difference_id = $1`,
        [id],
      ),
    entry: {
      session,
      action: 'difference_explained',
      subject: `difference:${id}`,
      details: { reason },
    },
  })
}
