import { mayDo, type StaffAction } from '@sum28/contract/staff-actions.ts'
import * as wire from '@sum28/contract/staff-start-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { Resources } from '#src/resources.ts'
import { unixSecondsOrNull, wireOf } from '#src/wire-form.ts'
import { readNeeds } from './needs-store.ts'
import { startFigures } from './start-figures.ts'

/** The permission that is required to see a task. */
const SEEN_BY: Record<wire.Need, StaffAction> = {
  clocks_apart: 'stops.read',
  draws_late: 'rounds.read',
  chain_behind: 'books.read',
  books_unchecked: 'books.read',
  jobs_failed: 'stops.read',
  codes_used_up: 'stops.read',
  staff_codes_guessed: 'members.change',
  seeds_short: 'rounds.read',
  withdrawals_waiting: 'withdrawals.read',
  payouts_due: 'withdrawals.read',
  reversals_proposed: 'withdrawals.read',
  bank_deposits_waiting: 'bankDeposits.read',
  transfers_unmatched: 'transfers.read',
  transfers_proposed: 'transfers.read',
  refunds_proposed: 'heldDeposits.read',
  room_changes_proposed: 'rooms.read',
  voids_proposed: 'rounds.confirmVoid',
  adjustments_proposed: 'adjustments.read',
  accounts_alike: 'players.read',
  code_resets_proposed: 'players.read',
  differences_found: 'books.read',
  stops: 'stops.read',
}

/** Serves the calls of `staff-start-routes.ts`. */
export function startRoutes({ db, schedule, now }: Resources): RouteBinding[] {
  return [
    bind(wire.startNeeds, async ({ caller }) => {
      const rows = await readNeeds(db)
      const needs = wire.NEEDS.flatMap((need) => rows.filter((row) => row.need === need))
        .filter(({ need }) => mayDo(caller.role, SEEN_BY[need]))
        .map((row) => ({ ...row, since: unixSecondsOrNull(row.since) }))
      return { needs }
    }),

    bind(wire.startFigures, async () => {
      const { days, rooms } = await startFigures(db, schedule, now())
      return {
        days: days.map(({ whole, soFar, hours, ...day }) => ({
          ...wireOf(day),
          whole: wireOf(whole),
          so_far: wireOf(soFar),
          hours: hours.map(wireOf),
        })),
        rooms: rooms.map(({ before, ...room }) => ({
          ...wireOf(room),
          before: before.map(formatAmount),
        })),
      }
    }),
  ]
}
