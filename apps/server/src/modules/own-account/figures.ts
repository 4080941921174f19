/** A player's own figures: in all, in the last twelve months, and in each of them. */
import type { figures } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import { only, type Queryable } from '#src/db/database.ts'
import { unixSeconds } from '#src/wire-form.ts'

type FiguresReply = ReplyOf<typeof figures>

/** @param now milliseconds since 1970 */
export async function ownFigures(
  db: Queryable,
  { playerId, timeZone, now }: { playerId: number; timeZone: string; now: number },
): Promise<FiguresReply> {
  const fromMonth = elevenMonthsBefore(dayOf(timeZone, now))
  const { since, lifetime, months } = await readFigures(db, { playerId, timeZone, fromMonth })
  return {
    since: unixSeconds(since),
    lifetime: shown(lifetime),
    year: shown(sumOf(months)),
    months: months.map(({ month, ...each }) => ({ month, ...shown(each) })),
  }
}

/** The first day of the month eleven months before a day such as `2026-11-22`: `2025-12-01`. */
function elevenMonthsBefore(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10)
}

function sumOf(months: readonly Figures[]): Figures {
  return months.reduce(
    (sum, { deposited, withdrawn, staked, won }) => ({
      deposited: sum.deposited + deposited,
      withdrawn: sum.withdrawn + withdrawn,
      staked: sum.staked + staked,
      won: sum.won + won,
    }),
    { deposited: 0n, withdrawn: 0n, staked: 0n, won: 0n },
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
export type Figures = { deposited: Amount; withdrawn: Amount; staked: Amount; won: Amount }

export type FigureRows = {
  since: number
  lifetime: Figures
  /** By the first day of each month, oldest first. */
  months: (Figures & { month: string })[]
}

/**
 * A deposit counts on the day that it was credited, a withdrawal on the day that it was approved, or subtracted on the
 * day that it came back, a bet on the day that it was settled, all in the operator's time zone. Not counted are held deposits, withdrawals that are pending,
 * were rejected or could not be paid, running bets and refunded stakes. Postings are found by their kind, and bets
 * have a row for each day, so a million of them take no longer.
 *
 * @param fromMonth the first day of the first of twelve months
 */
async function readFigures(
  db: Queryable,
  { playerId, timeZone, fromMonth }: { playerId: number; timeZone: string; fromMonth: string },
): Promise<FigureRows> {
  const [all, months] = await Promise.all([
    db.query<Figures & { since: number }>(
      `select created_at as since, coalesce(deposited, 0)::bigint as deposited,
         coalesce(withdrawn, 0)::bigint as withdrawn, coalesce(staked, 0)::bigint as staked,
         coalesce(paid, 0)::bigint as won
       from accounts.player
         cross join lateral (
           select sum(staked) as staked, sum(paid) as paid from bets.player_day where player_id = $1
         ) played
         cross join lateral (
           select sum(amount) filter (where kind in ('deposit', 'deposit_released')) as deposited,
             sum(case kind when 'withdrawal_paid' then amount when 'withdrawal_reversed' then -amount end) as withdrawn
           from ledger.posting where holder_id = $1
             and kind in ('deposit', 'deposit_released', 'withdrawal_paid', 'withdrawal_reversed')
         ) moved
       where player.id = $1`,
      [playerId],
      { prepared: true },
    ),
    db.query<Figures & { month: string }>(
      `with moved as (
         select date_trunc('month', posted_at at time zone $3)::date as month,
           sum(amount) filter (where kind in ('deposit', 'deposit_released')) as deposited,
           sum(case kind when 'withdrawal_paid' then amount when 'withdrawal_reversed' then -amount end) as withdrawn
         from ledger.posting where holder_id = $1 and posted_at >= $2::date::timestamp at time zone $3
           and kind in ('deposit', 'deposit_released', 'withdrawal_paid', 'withdrawal_reversed')
         group by 1
       ), played as (
         select date_trunc('month', day)::date as month, sum(staked) as staked, sum(paid) as won
         from bets.player_day where player_id = $1 and day >= $2::date group by 1
       )
       select to_char(month, 'YYYY-MM') as month, coalesce(deposited, 0)::bigint as deposited,
         coalesce(withdrawn, 0)::bigint as withdrawn, coalesce(staked, 0)::bigint as staked,
         coalesce(won, 0)::bigint as won
       from (
           select ($2::date + make_interval(months => position))::date as month from generate_series(0, 11) position
         ) twelve
         left join moved using (month) left join played using (month)
       order by month`,
      [playerId, fromMonth, timeZone],
      { prepared: true },
    ),
  ])
  const { since, ...lifetime } = only(all)
  return { since, lifetime, months }
}
