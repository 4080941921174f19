/** A player's own figures: in all, in the last twelve months, and in each of them. */
import type { figures } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { type Figures, readFigures } from './figures-store.ts'

type FiguresReply = ReplyOf<typeof figures>

/** @param now milliseconds since 1970 */
export async function ownFigures(
  db: Queryable,
  { playerId, timeZone, now }: { playerId: number; timeZone: string; now: number },
): Promise<FiguresReply> {
  const fromMonth = elevenMonthsBefore(dayOf(timeZone, now))
  const { since, lifetime, months } = await readFigures(db, { playerId, fromMonth })
  return {
    since: unixSeconds(since),
    time_zone: timeZone,
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
