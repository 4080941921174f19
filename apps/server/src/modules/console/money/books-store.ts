/** The SQL of the books as staff see them: the trial balance, and the comparison of chain and ledger. */
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, only, type Queryable } from '#src/db/database.ts'

export type AccountMoves = {
  account: string
  kind: string
  /** The account's credits and debits. */
  debit: Amount
  credit: Amount
}

/**
 * The credits and debits of all accounts before a moment, by kind. It reads the last mark before the moment and the
 * postings since, so its cost does not grow over the years.
 *
 * @param until in milliseconds since 1970
 */
export function trialBalance(db: Queryable, until: number): Promise<AccountMoves[]> {
  return db.query<AccountMoves>(
    `select account, kind, debit::bigint as debit, credit::bigint as credit
     from console_money.trial_balance($1) order by account, kind`,
    [new Date(until)],
  )
}

/** Stores the balances as marks, six hours to a day apart, up to a few hours ago; the signal ends it earlier. */
export async function snapshotBalances(db: Queryable, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const more = await callFunction<boolean>(db, 'console_money.snapshot_balances')
    if (!more || signal?.aborted) return
  }
}

export type ChainSums = {
  /**
   * Transfers to the operator's addresses on the chain, and how much of them was credited or held for a member, or is
   * unmatched.
   */
  received: Amount
  matched: Amount
  unmatched: Amount
  /** Deposits in the ledger, without confirmed bank deposits. */
  booked: Amount
  /** The last block that was read. */
  block: bigint | null
  /** Results of the daily comparison in the last seven days, without unmatched transfers. */
  differences: number
}

/**
 * Compares chain and ledger in one statement: a simultaneous credit is in both sums or in neither.
 *
 * @param until in milliseconds since 1970: later than every posting
 */
export async function chainSums(db: Queryable, until: number): Promise<ChainSums> {
  return only(
    await db.query<ChainSums>(
      `select received, matched, received - matched as unmatched,
         booked.debit - by_bank.amount as booked,
         (select max(block) from deposits.watcher_height) as block,
         (select count(*)::integer from deposits.chain_difference
          where kind <> 'unmatched' and found_at > app.now() - interval '7 days') as differences
       from (select coalesce(sum(amount), 0)::bigint as received,
           coalesce(sum(amount) filter (where credited_at is not null), 0)::bigint as matched
         from deposits.transfer) seen,
         (select coalesce(sum(amount), 0)::bigint as amount
          from deposits.bank_deposit where state = 'confirmed') by_bank,
         (select coalesce(sum(debit), 0)::bigint as debit from console_money.trial_balance($1)
          where kind in ('deposit', 'deposit_held')) booked`,
      [new Date(until)],
    ),
  )
}
