/** Rooms and their changes in the contract's form. */
import type { RoomChange, RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import { formatOdds } from '@sum28/domain/odds.ts'
import type { Offer } from '#src/modules/games/games-store.ts'
import { wireOf } from '#src/wire-form.ts'
import type { ChangeRow } from './change-store.ts'
import type { RoomRow } from './room-store.ts'

export function roomTermsReply(room: RoomRow, offers: readonly Offer[]): RoomTerms {
  return {
    ...wireOf(room),
    odds: offers.map(({ ruleId, outcome, ways, oddsMilli }) => ({
      ...{ rule_id: ruleId, outcome, ways },
      odds: formatOdds(oddsMilli),
    })),
  }
}

export function changeReply(change: ChangeRow): RoomChange {
  const { stakeMinBefore, stakeMaxBefore, entryMinBefore, ...rest } = change
  const { stakeMin, stakeMax, entryMin, ...facts } = rest
  return {
    ...wireOf(facts),
    before: wireOf({
      stakeMin: stakeMinBefore,
      stakeMax: stakeMaxBefore,
      entryMin: entryMinBefore,
    }),
    after: wireOf({ stakeMin, stakeMax, entryMin }),
    odds: change.odds.map(({ ruleId, outcome, ways, before, after }) => ({
      ...{ rule_id: ruleId, outcome, ways },
      before: formatOdds(before),
      after: formatOdds(after),
    })),
  }
}
