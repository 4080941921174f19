import * as wire from '@sum28/contract/staff-players-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import type { Resources } from '#src/resources.ts'
import { addNote, endSessions, keepRest, sendMessage } from './act-on-player.ts'
import { listed } from './listed.ts'
import * as lists from './player-lists.ts'
import { playerPage } from './player-page.ts'
import { playersPage } from './players-store.ts'
import { consoleProtectionRoutes } from './protection-routes.ts'
import { consoleResetRoutes } from './reset-routes.ts'

/** Serves the calls of `staff-players-routes.ts`. */
export function consolePlayersRoutes({ db, timeZone, now }: Resources): RouteBinding[] {
  return [
    bind(wire.listPlayers, async ({ input }) => {
      const { from_day: fromDay, until_day: untilDay, group_id: groupId, ...ask } = input
      const page = await playersPage(db, timeZone, { ...ask, fromDay, untilDay, groupId })
      return listed(page, ({ groupId: group, cash, held, registeredAt, ...row }) => ({
        ...row,
        group_id: group,
        cash: formatAmount(cash),
        held: formatAmount(held),
        registered_at: unixSeconds(registeredAt),
      }))
    }),

    bind(wire.onePlayer, ({ input }) => playerPage(db, input.user_id)),

    bind(wire.playerStatement, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await lists.postingsOf(db, { ...ask, playerId }), (row) => ({
        id: Number(row.id),
        at: unixSeconds(row.at),
        kind: row.kind,
        source: row.source,
        destination: row.destination,
        quantity: formatAmount(row.amount),
        cash_after: formatAmount(row.cashAfter),
        held_after: formatAmount(row.heldAfter),
        reference: row.reference,
      })),
    ),

    bind(wire.playerBets, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await lists.betsOf(db, { ...ask, playerId }), (row) => ({
        id: Number(row.id),
        order_no: row.orderNo,
        at: unixSeconds(row.at),
        game: row.game,
        room: row.room,
        issue: String(row.issue),
        outcomes: row.outcomes,
        stake: formatAmount(row.stake),
        total: formatAmount(row.total),
        status: row.status,
        payout: formatAmount(row.payout),
      })),
    ),

    bind(wire.playerDeposits, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(
        await lists.depositsOf(db, { ...ask, playerId }),
        ({ id, at, by, amount, state, reference }) => ({
          ...{ id, by, state, reference },
          at: unixSeconds(at),
          quantity: formatAmount(amount),
        }),
      ),
    ),

    bind(wire.playerWithdrawals, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await lists.withdrawalsOf(db, { ...ask, playerId }), (row) => ({
        id: Number(row.id),
        requested_at: unixSeconds(row.requestedAt),
        quantity: formatAmount(row.amount),
        state: row.state,
        payee: row.payee,
        decided_at: unixSecondsOrNull(row.decidedAt),
        reject_reason: row.rejectReason,
        paid_at: unixSecondsOrNull(row.paidAt),
      })),
    ),

    bind(wire.playerInvitees, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(
        await lists.inviteesOf(db, { ...ask, playerId }),
        ({ id, username, state, registeredAt }) => ({
          ...{ id, username, state },
          registered_at: unixSeconds(registeredAt),
        }),
      ),
    ),

    bind(wire.playerActions, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(
        await lists.actionsOn(db, { ...ask, playerId }),
        ({ id, at, staff, action, subject, details }) => ({
          ...{ id, staff, action, subject, details },
          at: unixSeconds(at),
        }),
      ),
    ),

    bind(wire.playerNotes, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await lists.notesOn(db, { ...ask, playerId }), ({ id, at, by, text }) => ({
        id: Number(id),
        at: unixSeconds(at),
        by,
        text,
      })),
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
    ...consoleProtectionRoutes({ db, timeZone, now }),
    ...consoleResetRoutes(db),
  ]
}

/** Serves the files of `staff-players-routes.ts`. */
export function consolePlayersDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
