/** A player's own figures: in all, in the last twelve months, and in each of them. */
import type { figures } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { unixSeconds } from '#src/wire-form.ts'

type FiguresReply = ReplyOf<typeof figures>

/** @param now milliseconds since 1970 */
export async function ownFigures(
  db: Queryable,
  { playerId, timeZone, now }: { playerId: number; timeZone: string; now: number },
): Promise<FiguresReply> {
  const [since, all] = await Promise.all([
    db.value<number>('select created_at from accounts.player where id = $1', [playerId], {
      prepared: true,
    }),
    figuresByMonth(db, { playerId, timeZone }),
  ])
  const months = twelveMonthsUntil(dayOf(timeZone, now)).map(
    (month) => all.find((each) => each.month === month) ?? { month, ...NOTHING },
  )
  return {
    since: unixSeconds(since),
    lifetime: shown(sumOf(all)),
    year: shown(sumOf(months)),
    months: months.map((each) => ({ month: each.month, ...shown(each) })),
  }
}

/** For a day such as `2026-11-22` the months from `2025-12` to `2026-11`. */
function twelveMonthsUntil(day: string): string[] {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  )
}

function sumOf(months: readonly Figures[]): Figures {
  return months.reduce(
    (sum, { deposited, withdrawn, staked, won }) => ({
      deposited: sum.deposited + deposited,
      withdrawn: sum.withdrawn + withdrawn,
      staked: sum.staked + staked,
      won: sum.won + won,
    }),
    NOTHING,
  )
}

function shown({ deposited, withdrawn, staked, won }: Figures): FiguresReply['lifetime'] {
  return {
    deposited: formatAmount(deposited),
    withdrawn: formatAmount(withdrawn),
    net_deposited: formatAmount(deposited - withdrawn),
    staked: formatAmount(staked),
    won: formatAmount(won),
    net: formatAmount(won - staked),
  }
}

/** Micro-units. */
type Figures = { deposited: Amount; withdrawn: Amount; staked: Amount; won: Amount }

const NOTHING: Figures = { deposited: 0n, withdrawn: 0n, staked: 0n, won: 0n }

type FiguresOfMonth = Figures & { month: string }

/**
 * A deposit counts on the day that it was credited, or is subtracted on the day that it was taken back, a withdrawal on
 * the day that it was approved, or subtracted on the day that it came back, a bet on the day that it was settled, all in
 * the operator's time zone. Not counted are held deposits, withdrawals that are pending, were rejected or could not be
 * paid, running bets and refunded stakes. Postings are found by their kind, and bets have a row for each day, so a
 * million of them take no longer.
 *
 * @returns a row for each month, such as `2026-11`, in which anything counts
 */
function figuresByMonth(
  db: Queryable,
  { playerId, timeZone }: { playerId: number; timeZone: string },
): Promise<FiguresOfMonth[]> {
  return db.query<FiguresOfMonth>(
    `with moved as (
       select date_trunc('month', posted_at at time zone $2)::date as month,
         sum(case when kind in ('deposit', 'deposit_released') then amount
           when kind = 'deposit_taken_back' then -amount end) as deposited,
         sum(case kind when 'withdrawal_paid' then amount when 'withdrawal_reversed' then -amount end) as withdrawn
       from ledger.posting where holder_id = $1
         and kind in ('deposit', 'deposit_released', 'deposit_taken_back', 'withdrawal_paid', 'withdrawal_reversed')
       group by 1
     ), played as (
       select date_trunc('month', day)::date as month, sum(staked) as staked, sum(paid) as won
       from bets.player_day where player_id = $1 group by 1
     )
     select to_char(month, 'YYYY-MM') as month, coalesce(deposited, 0)::bigint as deposited,
       coalesce(withdrawn, 0)::bigint as withdrawn, coalesce(staked, 0)::bigint as staked,
       coalesce(won, 0)::bigint as won
     from moved full join played using (month)`,
    [playerId, timeZone],
    { prepared: true },
  )
}
