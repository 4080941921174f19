import * as wire from '@sum28/contract/staff-players-routes.ts'
import * as proposals from '@sum28/contract/staff-proposal-routes.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, type RouteBinding } from '#src/http/call.ts'
import type { Resources } from '#src/resources.ts'
import { addNote, endSessions, keepRest, sendMessage } from './act-on-player.ts'
import * as lists from './player-lists.ts'
import { playerPage } from './player-page.ts'
import { playersPage } from './players-store.ts'
import { protectionRoutes } from './protection-routes.ts'
import { proposeCodeReset, requirePassword } from './reset-code.ts'

/** Serves the calls of `staff-players-routes.ts`. */
export function playersRoutes({ db, timeZone, now }: Resources): RouteBinding[] {
  return [
    bind(wire.listPlayers, async ({ input }) => {
      const { from_day: fromDay, until_day: untilDay, group_id: groupId, ...ask } = input
      return wirePage(await playersPage(db, timeZone, { ...ask, fromDay, untilDay, groupId }))
    }),
    bind(wire.onePlayer, ({ input }) => playerPage(db, input.user_id)),

    bind(wire.playerStatement, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.postingsOf(db, { ...ask, playerId })),
    ),
    bind(wire.playerBets, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.betsOf(db, { ...ask, playerId })),
    ),
    bind(wire.playerDeposits, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.depositsOf(db, { ...ask, playerId })),
    ),
    bind(wire.playerWithdrawals, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.withdrawalsOf(db, { ...ask, playerId })),
    ),
    bind(wire.playerInvitees, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.inviteesOf(db, { ...ask, playerId })),
    ),
    bind(wire.playerActions, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.actionsOn(db, { ...ask, playerId })),
    ),
    bind(wire.playerNotes, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.notesOn(db, { ...ask, playerId })),
    ),

    bind(wire.playerMessages, async ({ input: { user_id: playerId, ...ask } }) =>
      wirePage(await lists.messagesTo(db, { ...ask, playerId })),
    ),

    bind(wire.addNote, ({ input: { user_id: playerId, text }, caller }) =>
      addNote(db, { playerId, text, session: caller.token }),
    ),
    bind(wire.keepRest, ({ caller, input: { user_id: playerId, reason } }) =>
      keepRest(db, { playerId, reason, session: caller.token }),
    ),

    bind(wire.sendMessage, ({ input: { user_id: playerId, text }, caller }) =>
      sendMessage(db, { playerId, text, session: caller.token }),
    ),
    bind(wire.endSessions, ({ input: { user_id: playerId, reason }, caller }) =>
      endSessions(db, { playerId, reason, session: caller.token }),
    ),
    ...protectionRoutes({ db, timeZone, now }),
    bind(wire.requirePassword, ({ input: { user_id: playerId, reason }, caller }) =>
      requirePassword(db, { playerId, reason, session: caller.token }),
    ),
    bind(proposals.proposeCodeReset, ({ input, caller: { token: session, role } }) =>
      proposeCodeReset(db, { playerId: input.user_id, reason: input.reason, session, role }),
    ),
  ]
}
