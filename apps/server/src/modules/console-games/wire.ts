/** Rooms and their changes in the contract's form. */
import type { RoomChange, RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { formatOdds } from '@sum28/domain/odds.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import type { Offer } from '#src/modules/games/games-store.ts'
import type { ChangeRow } from './change-store.ts'
import type { Limits, RoomRow } from './room-store.ts'

export function roomReply(room: RoomRow): Omit<RoomTerms, 'odds'> {
  return {
    id: room.id,
    game_id: room.gameId,
    game_name: room.gameName,
    title: room.title,
    type: room.type,
    ...limitsReply(room),
    rules_version: room.rulesVersion,
    waiting: room.waiting,
  }
}

export function roomTermsReply(room: RoomRow, offers: readonly Offer[]): RoomTerms {
  return {
    ...roomReply(room),
    odds: offers.map(({ ruleId, outcome, ways, oddsMilli }) => ({
      ...{ rule_id: ruleId, outcome, ways },
      odds: formatOdds(oddsMilli),
    })),
  }
}

export function changeReply(change: ChangeRow): RoomChange {
  return {
    id: change.id,
    room_id: change.roomId,
    game_id: change.gameId,
    title: change.title,
    rules_version: change.version,
    state: change.state,
    note: change.note,
    before: limitsReply({
      stakeMin: change.stakeMinBefore,
      stakeMax: change.stakeMaxBefore,
      entryMin: change.entryMinBefore,
    }),
    after: limitsReply(change),
    odds: change.odds.map(({ ruleId, outcome, ways, before, after }) => ({
      ...{ rule_id: ruleId, outcome, ways },
      before: formatOdds(before),
      after: formatOdds(after),
    })),
    proposed_by: change.proposedBy,
    proposed_at: unixSeconds(change.proposedAt),
    confirmed_by: change.confirmedBy,
    confirmed_at: unixSecondsOrNull(change.confirmedAt),
    ended_by: change.endedBy,
    ended_at: unixSecondsOrNull(change.endedAt),
    effective_issue: change.effectiveIssue,
    effective_at: unixSecondsOrNull(change.effectiveAt),
  }
}

function limitsReply({ stakeMin, stakeMax, entryMin }: Limits) {
  return {
    stake_min: formatAmount(stakeMin),
    stake_max: formatAmount(stakeMax),
    entry_min: formatAmount(entryMin),
  }
}
