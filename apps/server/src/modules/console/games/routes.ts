import type { RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import * as wire from '@sum28/contract/staff-games-routes.ts'
import { proposeVoid as proposeVoidRoute } from '@sum28/contract/staff-proposal-routes.ts'
import { listRounds, oneRound } from '@sum28/contract/staff-timeline-routes.ts'
import { formatOdds } from '@sum28/domain/odds.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import { type Offer, oddsOfRoom } from '#src/modules/games/catalog.ts'
import type { ReadLogProof } from '#src/modules/public-log/log-proof.ts'
import { refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import { proposeChange, proposeOdds, type RoomRow, roomRow, roomRows } from './room-change.ts'
import { roundPage, timelinePage, timelineReply } from './timeline.ts'
import { proposeVoid } from './void-round.ts'

export function gamesRoutes(deps: Resources & { readLogProof: ReadLogProof }): RouteBinding[] {
  const { db } = deps
  return [
    bind(wire.listRooms, async () => (await roomRows(db)).map(wireOf)),

    bind(wire.showRoom, async ({ input: { id } }) => {
      const [room, offers] = await Promise.all([roomRow(db, id), oddsOfRoom(db, id)])
      return room ? roomTermsReply(room, offers) : refuse('not_found', { field: 'id' })
    }),

    bindList(db, listRounds, async (db, { game_id: gameId, ...ask }) =>
      wirePage(await timelinePage(db, { ...ask, gameId }), timelineReply),
    ),

    bind(oneRound, ({ input: { game_id: gameId, issue } }) => roundPage(deps, { gameId, issue })),

    bind(proposeVoidRoute, ({ input, caller: { token: session, role } }) =>
      proposeVoid(db, {
        gameId: input.game_id,
        issue: input.issue,
        note: input.note,
        session,
        role,
      }),
    ),

    bind(wire.proposeOdds, ({ input, caller: { token: session, role } }) =>
      proposeOdds(db, { ...input, session, role }),
    ),

    bind(wire.proposeRoomChange, ({ input, caller: { token: session, role } }) =>
      proposeChange(db, {
        roomId: input.id,
        version: input.rules_version,
        stakeMin: input.stake_min,
        stakeMax: input.stake_max,
        entryMin: input.entry_min,
        odds: input.odds ?? [],
        note: input.note,
        session,
        role,
      }),
    ),
  ]
}

function roomTermsReply(room: RoomRow, offers: readonly Offer[]): RoomTerms {
  return {
    ...wireOf(room),
    odds: offers.map(({ ruleId, outcome, ways, oddsMilli }) => ({
      rule_id: ruleId,
      outcome,
      ways,
      odds: formatOdds(oddsMilli),
    })),
  }
}
