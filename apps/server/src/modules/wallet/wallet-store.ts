/** The wallet's SQL: balances and the statement. */
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import { readPage } from '#src/db/list.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { Balance } from '#src/wire-form.ts'

export async function balancesOf(
  db: Queryable,
  playerIds: readonly number[],
): Promise<Map<number, Balance>> {
  const rows = await db.query<Balance & { id: number }>(
    `select holder_id as id, cash, held, last_posting as version from ledger.balance
     where holder_id = any ($1::integer[])`,
    [playerIds],
    { prepared: true },
  )
  return new Map(rows.map(({ id, ...balance }) => [id, balance]))
}

export type StatementRow = {
  id: bigint
  postedAt: number
  kind:
    | 'deposit'
    | 'deposit_released'
    | 'deposit_taken_back'
    | 'stake'
    | 'payout'
    | 'refund'
    | 'withdrawal'
    | 'withdrawal_released'
    | 'withdrawal_reversed'
    | 'bonus'
    | 'adjustment_credit'
    | 'adjustment_debit'
  /** For a withdrawal: the state of the money that was reserved. */
  outcome: 'waiting' | 'done' | 'restored'
  /** Its effect on the free balance, signed. */
  change: Amount
  cashAfter: Amount
  reference: string
  /** For a bonus, a correction or a deposit that was taken back: the reason that staff gave. */
  reason: string | null
  /** Of a payout: all that was staked with its bet; of anything else null. */
  stake: Amount | null
}

export type StatementQuery = {
  playerId: number
  /** Instants; the end is exclusive. */
  from: number
  until: number
  kinds: readonly string[]
  limit: number
  offset: number
}

/** Whether a posting's cause has another posting of a kind, booked on the same day. */
function followedBy(kind: string): string {
  return `exists (select from ledger.posting later
    where (later.holder_id, later.kind, later.reference, later.booked_on, later.amount)
      = (posting.holder_id, '${kind}', posting.reference, posting.booked_on, posting.amount))`
}

/** A player's movements of free money, newest first, and their total number. */
export async function statementOf(
  db: Queryable,
  { playerId, from, until, kinds, limit, offset }: StatementQuery,
): Promise<{ rows: StatementRow[]; total: number }> {
  const values = [playerId, new Date(from), new Date(until), kinds]
  const inTime = `holder_id = $1 and posted_at >= $2 and posted_at < $3 and kind = any ($4)
    and (source = 'cash' or destination = 'cash') and booked_on <= ($3::timestamptz + interval '2 days')::date`
  // A bet's money is booked near the time at which it moves. That of a withdrawal is booked on the day of its request,
  // and returns however much later: an index has what is not of bets. Bets are not read at all for other kinds.
  const found = `with found as materialized (
       select * from ledger.posting where ${inTime} and kind in ('stake', 'payout', 'refund')
         and $4 && '{stake,payout,refund}'::text[]
         and booked_on >= ($2::timestamptz - interval '31 days')::date
       union all
       select * from ledger.posting where ${inTime} and kind not in ('stake', 'payout', 'refund'))`
  const count = `${found} select count(*) as "allRows" from found`
  const page = `${found} select id, posted_at as "postedAt", kind, cash_after as "cashAfter", reference,
       case when destination = 'cash' then amount else -amount end as change,
       case when kind <> 'withdrawal' then 'done'
         when ${followedBy('withdrawal_released')} or ${followedBy('withdrawal_reversed')} then 'restored'
         when ${followedBy('withdrawal_paid')} then 'done' else 'waiting' end as outcome,
       case when kind = 'payout' then (select amount from ledger.posting staked
         where (staked.holder_id, staked.kind, staked.reference, staked.booked_on)
           = (posting.holder_id, 'stake', posting.reference, posting.booked_on)) end as stake,
       (select proposal.reason from staff.proposal
        where proposal.player_id = holder_id and 'adjustment:' || proposal.id = reference) as reason,
       (select count(*) from found) as "allRows"
     from (select * from found order by id desc limit $5 offset $6) posting
     order by id desc`
  return readPage<StatementRow>(db, { page, count }, { values, limit, offset })
}

/** Reads a player's balance; simultaneous callers share one statement. */
export type ReadBalance = (playerId: number) => Promise<Balance>

export function balanceReader(db: Queryable): ReadBalance {
  const read = readTogether<number, Balance>((ids) => balancesOf(db, ids))
  return async (playerId) => {
    const balance = await read(playerId)
    if (balance === undefined) throw new Error(`player ${playerId} has no wallet`)
    return balance
  }
}
