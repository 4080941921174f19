import type { ReplyOf } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-books-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { csvText } from '#src/formats/csv.ts'
import { bind, type RouteBinding } from '#src/http/call.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import { DIFFERENCE_IS_DUE } from '#src/modules/deposits/compare-with-chain.ts'
import { auditExport } from '#src/modules/staff/audit.ts'
import { isRefusal, malformed } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { type RowOf, unixSeconds, wireOf } from '#src/wire-form.ts'

type BooksDeps = Pick<Resources, 'db' | 'timeZone' | 'now'>
type FileDeps = BooksDeps & Pick<Resources, 'fileDb'>

export function booksRoutes({ db, timeZone, now }: BooksDeps): RouteBinding[] {
  return [
    bind(wire.trialBalance, async ({ input }) => {
      const balance = await balanceOfDay({ db, timeZone, now }, input.day)
      if (isRefusal(balance)) return balance
      const { day, until, moves } = balance
      const sum = (side: 'debit' | 'credit') => formatAmount(total(moves, side))
      return {
        day,
        until: unixSeconds(until),
        list: accountsOf(moves),
        debit: sum('debit'),
        credit: sum('credit'),
      }
    }),
    bind(wire.chainAgainstBooks, async () => wireOf(await chainSums(db, now() + DAY_MS))),
  ]
}

export function booksDownloads(deps: FileDeps): DownloadBinding[] {
  return [
    bindDownload(wire.trialBalanceCsv, async ({ input, caller }) => {
      const balance = await balanceOfDay({ ...deps, db: deps.fileDb }, input.day)
      if (isRefusal(balance)) return balance
      const exported = { session: caller.token, list: 'money-trialBalance' }
      const unlogged = await auditExport(deps.db, { ...exported, ask: { day: balance.day } })
      if (unlogged) return unlogged
      const chunks = csvText(['account', 'kind', 'debit', 'credit'], [balance.moves], {
        cells: ({ account, kind, debit, credit }) => [
          ...[account, kind, formatAmount(debit), formatAmount(credit)],
        ],
      })
      return { name: `trial-balance-${balance.day}.csv`, chunks }
    }),
  ]
}

/** The moves of all accounts until the end of a day, by default of today; or what is malformed. */
async function balanceOfDay({ db, timeZone, now }: BooksDeps, asked: string | undefined) {
  const today = dayOf(timeZone, now())
  const day = asked ?? today
  if (day > today) return malformed({ day: 'invalid' })
  const until = startOfDay(timeZone, addDays(day, 1))
  return { day, until, moves: await trialBalance(db, until) }
}

/** Later than every present posting, whatever the clock was. */
const DAY_MS = 86_400_000

function total(moves: readonly AccountMoves[], side: 'debit' | 'credit'): Amount {
  return moves.reduce((sum, move) => sum + move[side], 0n)
}

/** Each account with its kinds, in the order of the rows. */
function accountsOf(moves: readonly AccountMoves[]): wire.AccountBalance[] {
  const accounts = Map.groupBy(moves, ({ account }) => account)
  return [...accounts].map(([account, kinds]) => {
    const [debit, credit] = [total(kinds, 'debit'), total(kinds, 'credit')]
    return {
      ...wireOf({ account, debit, credit, balance: debit - credit }),
      kinds: kinds.map(({ account: _, ...kind }) => wireOf(kind)),
    }
  })
}

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

/** Stores balances and deposits as marks, of each hour up to an hour ago; the signal ends it earlier. */
export async function snapshotBalances(db: Queryable, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const more = await callFunction<boolean>(db, 'console_money.snapshot_balances')
    if (!more || signal?.aborted) return
  }
}

type ChainSums = RowOf<
  ReplyOf<typeof wire.chainAgainstBooks>,
  'received' | 'matched' | 'unmatched' | 'booked' | 'difference'
>

/**
 * Compares chain and ledger in one statement: a simultaneous credit is in both sums or in neither. It reads marks of both
 * and what came since, and the transfers that are unmatched.
 *
 * @param until in milliseconds since 1970: later than every posting and credit
 */
function chainSums(db: Queryable, until: number): Promise<ChainSums> {
  return db.one<ChainSums>(
    `select (matched + unmatched)::bigint as received, sums.*, matched - booked as difference,
       (select max(block)::integer from deposits.watcher_height) as block,
       (select count(*)::integer from deposits.chain_difference found where ${DIFFERENCE_IS_DUE}) as differences
     from (select by_chain::bigint as matched, waiting.amount as unmatched, (booked.debit - by_bank)::bigint as booked
       from console_money.deposited_before($1) seen,
         (select coalesce(sum(amount), 0)::bigint as amount from deposits.transfer where player_id is null) waiting,
         (select coalesce(sum(case when kind like '%taken_back' then -debit else debit end), 0)::bigint as debit
          from (select max(at) as at from console_money.balance_snapshot where at <= $1) mark, lateral (
            select kind, debit from console_money.balance_snapshot marked where marked.at = mark.at
            union all
            -- Found without the stakes and payouts.
            select kind, amount from ledger.posting
            where posted_at >= coalesce(mark.at, '-infinity') and kind not in ('stake', 'payout', 'refund')) moved
          where kind in ('deposit', 'deposit_held', 'deposit_taken_back', 'held_taken_back')) booked) sums`,
    [new Date(until)],
  )
}
