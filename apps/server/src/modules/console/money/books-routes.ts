import * as wire from '@sum28/contract/staff-books-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { malformed } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { type AccountMoves, chainSums, trialBalance } from './books-store.ts'

/** Serves the calls of `staff-books-routes.ts`. */
export function booksRoutes({
  db,
  timeZone,
  now,
}: Pick<Resources, 'db' | 'timeZone' | 'now'>): RouteBinding[] {
  return [
    bind(wire.trialBalance, async ({ input }) => {
      const today = dayOf(timeZone, now())
      const day = input.day ?? today
      if (day > today) return malformed({ day: 'invalid' })
      const until = startOfDay(timeZone, addDays(day, 1))
      const moves = await trialBalance(db, until)
      const sum = (side: 'debit' | 'credit') => formatAmount(total(moves, side))
      return {
        ...{ day, until: unixSeconds(until), list: accountsOf(moves) },
        ...{ debit: sum('debit'), credit: sum('credit') },
      }
    }),
    bind(wire.chainAgainstBooks, async () => {
      const sums = await chainSums(db, now() + DAY_MS)
      return {
        received: formatAmount(sums.received),
        matched: formatAmount(sums.matched),
        unmatched: formatAmount(sums.unmatched),
        booked: formatAmount(sums.booked),
        difference: formatAmount(sums.matched - sums.booked),
        block: sums.block === null ? null : Number(sums.block),
        differences: sums.differences,
      }
    }),
  ]
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
      ...{ account, debit: formatAmount(debit), credit: formatAmount(credit) },
      balance: formatAmount(debit - credit),
      kinds: kinds.map((each) => ({
        kind: each.kind,
        debit: formatAmount(each.debit),
        credit: formatAmount(each.credit),
      })),
    }
  })
}
